/** A signed-in user, as the rest of the server sees it. */
export interface User {
  /** The token's `sub`: the owner of the user's data. It is never shown. */
  readonly subject: string;
  /**
   * The user's name in the token: the preferred user name, else the name, else the subject. The guard of a route
   * replaces it by the public name, which is shown as publisher (`accounts.service.ts`).
   */
  readonly username: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly picture: string | null;
  /** Realm roles. */
  readonly roles: readonly string[];
}
