/**
 * The one place that holds the session: local storage, so that every tab and every later page finds it. Tabs hear of each
 * other's changes through the browser's storage event, so that a sign-out in one signs out all.
 */
import type { TextStorage } from '../storage/browser-storage.ts';
import { parseSession, type Session } from './session.ts';
import { sessionErrorText } from './session-errors.ts';

const SESSION_KEY = 'wirebench.session';
const EXPECTED_KEY = 'wirebench.session-expected';

export class SessionStore {
  readonly #storage: TextStorage;
  readonly #listeners = new Set<() => void>();
  readonly #endListeners = new Set<(text: string) => void>();
  #current: Session | null;

  /** @param events where storage events arrive: the window. */
  constructor(storage: TextStorage, events: EventTarget) {
    this.#storage = storage;
    this.#current = this.read();
    events.addEventListener('storage', (event) => {
      // A null key: the whole storage was cleared.
      if (event instanceof StorageEvent && (event.key === SESSION_KEY || event.key === null)) {
        const hadOne = this.#current !== null;
        this.#show(this.read());
        if (hadOne && this.expected) {
          this.#tellEnd(sessionErrorText.expired);
        }
      }
    });
  }

  /** The session as it was last heard of: the same object until it changes. */
  readonly current = (): Session | null => this.#current;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** `listener` receives the sentence to show when a session ends without a sign-out, here or in another tab. */
  readonly onEnd = (listener: (text: string) => void): (() => void) => {
    this.#endListeners.add(listener);
    return () => this.#endListeners.delete(listener);
  };

  /** The session as it is stored at this moment: another tab's change may be there before its event. */
  read(): Session | null {
    return parseSession(this.#storage.getItem(SESSION_KEY));
  }

  save(session: Session): void {
    this.#storage.setItem(SESSION_KEY, JSON.stringify(session));
    this.#storage.setItem(EXPECTED_KEY, 'yes');
    this.#show(session);
  }

  /** Ends the session here. The provider may still know the person, so the next page load may find it again. */
  clear(): void {
    this.#storage.removeItem(SESSION_KEY);
    this.#show(null);
  }

  /** Ends the session without a sign-out. `text` explains it to the user. */
  end(text: string): void {
    this.clear();
    this.#tellEnd(text);
  }

  /** Ends the session because the person said so: nothing looks for it again until the next sign-in. */
  forget(): void {
    this.#storage.removeItem(EXPECTED_KEY);
    this.clear();
  }

  /** True when a session ended without a sign-out, so that asking the provider silently may find it again. */
  get expected(): boolean {
    return this.#current === null && this.#storage.getItem(EXPECTED_KEY) !== null;
  }

  #tellEnd(text: string): void {
    for (const listener of [...this.#endListeners]) {
      listener(text);
    }
  }

  #show(session: Session | null): void {
    this.#current = session;
    for (const listener of [...this.#listeners]) {
      listener();
    }
  }
}
