import { assignmentReader, PASSWORD_NAME } from "../adapters/secret-scan/assignments.ts";
import { knownTokens } from "../adapters/secret-scan/known-tokens.ts";
import {
  authorizationHeaders,
  privateKeys,
  telegramTokens,
  urlPasswords,
} from "../adapters/secret-scan/structured.ts";

/**
 * Whether a text contains a credential, or is one according to its name, by the service's own patterns. The service
 * checks again and more thoroughly, including disguised characters.
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

/** Created on first use, so that it costs nothing without captures. */
function reader() {
  made ??= assignmentReader([PASSWORD_NAME]);
  return made;
}
