import { createContext, use } from 'react';

const UserContext = createContext<string | null>(null);

/** Gives the name of the signed-in user to every part of the page below it. */
export const UserProvider = UserContext.Provider;

/** Returns the name of the signed-in user. @throws Error outside of a `UserProvider`. */
export function useUser(): string {
  const user = use(UserContext);
  if (user === null) {
    throw new Error('useUser is called outside of a UserProvider.');
  }
  return user;
}
