/**
 * Prefixes of the secrets that this service issues, by which people and secret scanners (this service's and others')
 * recognise them. Adding an entry is enough for a new kind to be issued, recognised and masked.
 */
export const TOKEN_PREFIXES = {
  api_key: "rcl_key_",
  oauth: "rcl_oauth_",
  agent_temporary: "rcl_tmp_",
  agent_formal: "rcl_agent_",
  skill: "rcl_skill_",
  session: "rcl_session_",
  end_user: "rcl_user_",
  confirmation: "rcl_confirm_",
} as const;
