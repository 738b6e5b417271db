/** Somebody who may sign in at the embedded provider, and what tokens say of them. */

export interface Account {
  /** The token's `sub`. */
  readonly subject: string;
  readonly username: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly roles: readonly string[];
}

/** Claims of ID and access tokens and of the userinfo answer, named as Keycloak names them. */
export function claimsOf({ username, name, email, roles }: Account) {
  return {
    preferred_username: username,
    ...(name === null ? {} : { name }),
    ...(email === null ? {} : { email, email_verified: true }),
    realm_access: { roles },
  };
}
