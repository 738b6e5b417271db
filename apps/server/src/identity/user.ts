/** Somebody who is signed in, as the rest of the server sees them. */
export interface User {
  /** The token's `sub`: owns what the user stores. Never shown. */
  readonly subject: string;
  /**
   * What the token calls the user: the preferred user name, else the name, else the subject. From the guard of a route on, the
   * public name in its place, which is shown as publisher (`accounts.service.ts`).
   */
  readonly username: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly picture: string | null;
  /** Realm roles. */
  readonly roles: readonly string[];
}
