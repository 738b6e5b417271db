import { useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import { sessionStore } from './page-session.ts';
import { type SignInActivity, signInActivity } from './sign-in.ts';
import type { UserInfo } from './user-info.ts';

export interface SessionView {
  /** Null if no user is signed in. */
  readonly user: UserInfo | null;
  readonly activity: SignInActivity;
}

/** Returns the signed-in user and the state of a sign-in. */
export function useSession(): SessionView {
  const session = useSyncExternalStore(sessionStore.subscribe, sessionStore.current);
  const activity = useStore(signInActivity, (state) => state.activity);
  return { user: session?.user ?? null, activity };
}
