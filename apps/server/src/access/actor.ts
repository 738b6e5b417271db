/** The author of a change to a release: a signed-in user, or a publishing token that acts for one. */
import type { User } from '../identity/user.ts';

export interface ActingToken {
  readonly id: string;
  readonly name: string;
  /** The one project that the token may publish; null for all projects of the user. */
  readonly projectId: string | null;
  /** True: may delete the oldest version to make room for a new one. */
  readonly mayReplace?: boolean;
}

export interface Actor {
  readonly user: User;
  /** Null if the user is signed in. */
  readonly token: ActingToken | null;
}

/**
 * Returns true if the actor may delete a version to make room for a new one. Signed-in users and tokens for all
 * projects may always do so.
 */
export function mayReplace({ token }: Actor): boolean {
  return token === null || token.projectId === null || token.mayReplace === true;
}

/** Returns true if the actor has no token or its token covers the project. */
export function reaches({ token }: Actor, projectId: string): boolean {
  return token === null || token.projectId === null || token.projectId === projectId;
}
