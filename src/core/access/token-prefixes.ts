/**
 * How each kind of secret that this service hands out begins, so that people recognise it, and secret scanners as well:
 * this service's own, and those of others. What is new here is issued, recognised and masked by that alone.
 */
export const TOKEN_PREFIXES = {
  api_key: "rcl_key_",
  oauth: "rcl_oauth_",
  agent_temporary: "rcl_tmp_",
  agent_formal: "rcl_agent_",
  skill: "rcl_skill_",
  session: "rcl_session_",
  confirmation: "rcl_confirm_",
} as const;
