import { html } from "../http/html.ts";
import { problemPage } from "./problem.ts";
import type { BrowserEndpoint } from "./visit.ts";

/**
 * Where a person ends up whose app asked to come in and got it wrong, so that nobody can be told but the person. What
 * the address says of the error is anybody's word, and only what is known here is repeated.
 */
export function oauthErrorPage(): BrowserEndpoint {
  return {
    path: "/oauth/error",
    get: ({ url }) => {
      const error = url.searchParams.get("error") ?? "";
      return problemPage(
        400,
        "The app could not be let in",
        html`<p>${Object.hasOwn(REASONS, error) ? REASONS[error] : "What it asked for could not be understood."} Start
        again in the app; if that does not help, tell its makers.</p>
        <p><a href="/account">To your account</a></p>`,
      );
    },
  };
}

const REASONS: Readonly<Record<string, string>> = {
  invalid_client: "The app is not known here, or not by the name it gave.",
  invalid_redirect: "The app named a return address that is not its own.",
  invalid_redirect_uri: "The app named a return address that is not its own.",
  invalid_scope: "The app asked for a right that there is not here.",
  invalid_target: "The app asked to be let in somewhere else.",
  unsupported_response_type: "The app asked in a way that is not offered here.",
  access_denied: "It was refused.",
  temporarily_unavailable: "Too much of this came from your network just now. Wait a minute.",
};
