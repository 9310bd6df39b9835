import { assignmentReader, PASSWORD_NAME } from "../adapters/secret-scan/assignments.ts";
import { knownTokens } from "../adapters/secret-scan/known-tokens.ts";
import {
  authorizationHeaders,
  privateKeys,
  telegramTokens,
  urlPasswords,
} from "../adapters/secret-scan/structured.ts";

/**
 * Whether a text holds a credential, or is one by the name that it stands under: by the service's own patterns. The service
 * looks again, and more closely: it also reads what is disguised.
 */
export function isSecretIn(text: string, name: string): boolean {
  const { assignedSecrets, secretByName } = reader();
  const detectors = [
    privateKeys,
    knownTokens,
    telegramTokens,
    authorizationHeaders,
    urlPasswords,
    assignedSecrets,
  ];
  return detectors.some((find) => find(text).length > 0) || secretByName(text, name).length > 0;
}

let made: ReturnType<typeof assignmentReader> | undefined;

/** Made when it is first wanted, so that who captures nothing does not have it. */
function reader() {
  made ??= assignmentReader([PASSWORD_NAME]);
  return made;
}
