/** What is used of better-auth, in types that say no more than that. */
export interface Auth {
  handler(request: Request): Promise<Response>;
  readonly api: {
    getSession(given: { headers: Headers }): Promise<{ user: { id: string } } | null>;
    signInEmail(given: {
      body: { email: string; password: string };
      returnHeaders: true;
    }): Promise<{ headers: Headers; response: { user: { id: string } } }>;
    signOut(given: { headers: Headers; returnHeaders: true }): Promise<{ headers: Headers }>;
    getJwks(): Promise<{ keys: { kty: string }[] }>;
    getOAuthServerConfig(): Promise<Record<string, unknown>>;
    /** Rejects with a `statusCode` below 500 unless the query is signed by this service, and has not run out. */
    getOAuthClientPublicPrelogin(given: {
      body: { client_id: string; oauth_query: string };
    }): Promise<{ client_name?: string; client_uri?: string }>;
  };
  readonly $context: Promise<{ readonly password: { hash(password: string): Promise<string> } }>;
}
