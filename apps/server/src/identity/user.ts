/** Somebody who is signed in, as the rest of the server sees them. */
export interface User {
  /** The token's `sub`: owns what the user stores. Never shown. */
  readonly subject: string;
  /** Shown as publisher: the preferred user name, else the name, else the subject. */
  readonly username: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly picture: string | null;
  /** Realm roles. */
  readonly roles: readonly string[];
}
