/**
 * The names that somebody publishes under, as this browser has learned them from the server: not always the name that the person
 * signs in with, and changed at will. Kept, because panels name the publisher of their jkit by it.
 */
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { browserStorage } from '../storage/browser-storage.ts';

type OwnNames = Readonly<Record<string, readonly string[]>>;

const KEY = 'wirebench.own-names';

/** Names of one person that are kept: panels with older ones are loaded again. */
const MOST = 5;

const ownNames = createStore<OwnNames>(() => read());

/** @param user the name of whoever is signed in */
export function learnOwnName(user: string, publicName: string): void {
  const known = ownNames.getState()[user] ?? [];
  if (known[0] === publicName) {
    return;
  }
  const names = [publicName, ...known.filter((name) => name !== publicName)].slice(0, MOST);
  ownNames.setState({ [user]: names });
  try {
    browserStorage.setItem(KEY, JSON.stringify(ownNames.getState()));
  } catch (error) {
    // Learned again with the next answer of the server.
    console.warn('The public name could not be stored.', error);
  }
}

/** Whether the server has said under which name `user` publishes. */
export const knowsOwnName = (user: string): boolean => ownNames.getState()[user] !== undefined;

/** Whether `user` published what `publisher` did. Before the server has said, the name to sign in with is taken for it. */
export function isOwnName(user: string, publisher: string): boolean {
  return isAmong(ownNames.getState(), user, publisher);
}

/** The same, again whenever another name is learned. */
export function useIsOwnName(): typeof isOwnName {
  const names = useStore(ownNames);
  return (user, publisher) => isAmong(names, user, publisher);
}

function isAmong(names: OwnNames, user: string, publisher: string): boolean {
  return (names[user] ?? [user]).includes(publisher);
}

function read(): OwnNames {
  try {
    const kept: unknown = JSON.parse(browserStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null
      ? Object.fromEntries(
          Object.entries(kept).map(([user, names]) => [
            user,
            Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [user],
          ]),
        )
      : {};
  } catch (error) {
    if (error instanceof SyntaxError) {
      return {};
    }
    throw error;
  }
}
