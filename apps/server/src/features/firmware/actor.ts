/** Who changes a release: a user in person, or a publishing token in the user's name. */
import type { User } from '../../identity/user.ts';

export interface Actor {
  readonly user: User;
  /** Null for the user in person. */
  readonly token: { readonly id: string; readonly name: string } | null;
}
