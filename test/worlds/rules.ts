import { endCredential, type Model } from "./model.ts";
import type { Stage } from "./stage.ts";
import type { Grant, Rule } from "./step.ts";

/** Longer than a credential may be remembered after it was changed behind the service's back. */
const CREDENTIAL_KEPT_MS = 600;

/** Carries out a change of who may see what, in the world and in the model. */
export async function playRule(stage: Stage, model: Model, rule: Rule): Promise<void> {
  const { service } = stage.world;
  switch (rule.kind) {
    case "issue": {
      stage.tokens.set(rule.credential, await stage.issue(rule.owner, rule));
      grant(model, rule.owner, rule);
      return;
    }
    case "revoke": {
      await service.credentials.revoke(stage.tokenOf(rule.credential).tokenId);
      endCredential(model, rule.credential);
      return;
    }
    case "rescope": {
      for (const each of rule.grants) await rescope(stage, model, each);
      await new Promise((resolve) => setTimeout(resolve, CREDENTIAL_KEPT_MS));
      return;
    }
    case "role": {
      await stage.setRole(rule.team, rule.user, rule.role);
      const members = model.roles.get(rule.team);
      if (rule.role === null) members?.delete(rule.user);
      else members?.set(rule.user, rule.role);
      return;
    }
    case "ghost": {
      // Nothing in the service writes this. Where the database refuses it, so much the better.
      await service.sql`
        insert into team_members (team_id, user_id, role)
        values (${stage.ownerId(rule.of)}, ${stage.ownerId(rule.user)}, 'owner') on conflict do nothing`.catch(
        () => {},
      );
      return;
    }
  }
}

/** A credential that was revoked stays so, whatever it is granted. */
async function rescope(stage: Stage, model: Model, each: Grant): Promise<void> {
  const { tokenId, userId } = stage.tokenOf(each.credential);
  const scopes = userId === undefined ? each.scopes : [...new Set([...each.scopes, "users:act"])];
  const { team, projects, pathPrefix, buckets } = each.space;
  const teamId = team === null ? null : stage.ownerId(team);
  const expiresAt = each.isExpired ? new Date(Date.now() - 1000) : null;
  const [row] = await stage.world.service.sql`
    update tokens set scopes = ${scopes as string[]}, team_id = ${teamId}, projects = ${projects as string[] | null},
      path_prefix = ${pathPrefix}, buckets = ${buckets as string[] | null}, expires_at = ${expiresAt}
    where id = ${tokenId} returning revoked_at`;
  const owner = model.credentials.get(each.credential)?.owner as string;
  grant(model, owner, each);
  if (row?.revoked_at !== null) endCredential(model, each.credential);
}

function grant(model: Model, owner: string, { credential, scopes, space, isExpired }: Grant): void {
  model.credentials.set(credential, { owner, scopes, space, isEnded: isExpired });
}
