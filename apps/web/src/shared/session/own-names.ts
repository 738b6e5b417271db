/**
 * Public names of users, as reported by the server to this browser. A public name may differ from the sign-in name
 * and may change. They are stored, because panels show the publisher of their JKit by public name.
 */
import { pageStore } from '../page-store.ts';
import { browserStorage } from '../storage/browser-storage.ts';

type OwnNames = Readonly<Record<string, readonly string[]>>;

const KEY = 'wirebench.own-names';

/** Maximum number of names per user. Panels with older names are loaded again. */
const MOST = 5;

const ownNames = pageStore<OwnNames>(read());

/** @param user Sign-in name of the current user. */
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
    // The next answer of the server reports the name again.
    console.warn('The public name could not be stored.', error);
  }
}

/** Returns true if the server has reported the public name of `user`. */
export const knowsOwnName = (user: string): boolean => ownNames.getState()[user] !== undefined;

/**
 * Returns true if `publisher` is the public name of `user`. Until the server has reported it, the sign-in name
 * counts.
 */
export function isOwnName(user: string, publisher: string): boolean {
  return isAmong(ownNames.getState(), user, publisher);
}

/** Returns `isOwnName`, and renders again after each newly learned name. */
export function useIsOwnName(): typeof isOwnName {
  const names = ownNames.use();
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
