/** Who changes a release: a user in person, or a publishing token in the user's name. */
import type { User } from '../../identity/user.ts';

export interface ActingToken {
  readonly id: string;
  readonly name: string;
  /** The one project that it publishes; null for all of the user's. */
  readonly projectId: string | null;
  /** True: may delete the oldest version for a new one. */
  readonly mayReplace?: boolean;
}

export interface Actor {
  readonly user: User;
  /** Null for the user in person. */
  readonly token: ActingToken | null;
}

/** Whether the actor may delete a version for a new one: a user in person may delete any, and so may a token for all projects. */
export function mayReplace({ token }: Actor): boolean {
  return token === null || token.projectId === null || token.mayReplace === true;
}

/** Whether the actor's token, if there is one, is good for the project. */
export function reaches({ token }: Actor, projectId: string): boolean {
  return token === null || token.projectId === null || token.projectId === projectId;
}
