/** Who changes a release: a user in person, or a publishing token in the user's name. */
import type { User } from '../../identity/user.ts';

export interface ActingToken {
  readonly id: string;
  readonly name: string;
  /** The one project that it publishes; null for all of the user's. */
  readonly projectId: string | null;
}

export interface Actor {
  readonly user: User;
  /** Null for the user in person. */
  readonly token: ActingToken | null;
}

/** Whether the actor's token, if there is one, is good for the project. */
export function reaches({ token }: Actor, projectId: string): boolean {
  return token === null || token.projectId === null || token.projectId === projectId;
}
