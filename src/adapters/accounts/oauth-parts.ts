/** What of OAuth is loaded when the first request needs it. */
export { readAccessToken } from "./access-token.ts";
export { answerConsent, readConsent } from "./consent.ts";
export { answer } from "./router.ts";
