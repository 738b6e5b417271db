import { useSyncExternalStore } from 'react';
import { sessionStore } from './page-session.ts';
import { onSignInActivityChange, type SignInActivity, signInActivityNow } from './sign-in.ts';
import type { UserInfo } from './user-info.ts';

export interface SessionView {
  /** Null if no user is signed in. */
  readonly user: UserInfo | null;
  readonly activity: SignInActivity;
}

/** Returns the signed-in user and the state of a sign-in. */
export function useSession(): SessionView {
  const session = useSyncExternalStore(sessionStore.subscribe, sessionStore.current);
  const activity = useSyncExternalStore(onSignInActivityChange, signInActivityNow);
  return { user: session?.user ?? null, activity };
}
