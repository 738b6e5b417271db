/** An account that may sign in at the embedded provider, and its claims in tokens. */

export interface Account {
  /** The token's `sub`. */
  readonly subject: string;
  readonly username: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly roles: readonly string[];
}

/** Returns the claims of ID tokens, access tokens and the userinfo answer, named as in Keycloak. */
export function claimsOf({ username, name, email, roles }: Account) {
  return {
    preferred_username: username,
    ...(name === null ? {} : { name }),
    ...(email === null ? {} : { email, email_verified: true }),
    realm_access: { roles },
  };
}
