/**
 * The only store of the session: local storage, so that every tab and every later page finds it. Tabs receive each
 * other's changes by the browser's storage event, so that a sign-out in one signs out all.
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

  /** @param events Target of storage events: the window. */
  constructor(storage: TextStorage, events: EventTarget) {
    this.#storage = storage;
    this.#current = this.read();
    events.addEventListener('storage', (event) => {
      // A null key means that the whole storage was cleared.
      if (event instanceof StorageEvent && (event.key === SESSION_KEY || event.key === null)) {
        const hadOne = this.#current !== null;
        this.#show(this.read());
        if (hadOne && this.expected) {
          this.#tellEnd(sessionErrorText.expired);
        }
      }
    });
  }

  /** The last known session. The object stays the same until the session changes. */
  readonly current = (): Session | null => this.#current;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /**
   * Calls `listener` with an explanation for the user when a session ends without a sign-out, here or in another tab.
   */
  readonly onEnd = (listener: (text: string) => void): (() => void) => {
    this.#endListeners.add(listener);
    return () => this.#endListeners.delete(listener);
  };

  /** Reads the session from the storage, which may already hold another tab's change before its event. */
  read(): Session | null {
    return parseSession(this.#storage.getItem(SESSION_KEY));
  }

  save(session: Session): void {
    this.#storage.setItem(SESSION_KEY, JSON.stringify(session));
    this.#storage.setItem(EXPECTED_KEY, 'yes');
    this.#show(session);
  }

  /** Removes the session here. The provider may still have its own, so the next page load may find it again. */
  clear(): void {
    this.#storage.removeItem(SESSION_KEY);
    this.#show(null);
  }

  /** Ends the session without a sign-out. `text` explains it to the user. */
  end(text: string): void {
    this.clear();
    this.#tellEnd(text);
  }

  /** Ends the session after a sign-out. Pages do not look for it again until the next sign-in. */
  forget(): void {
    this.#storage.removeItem(EXPECTED_KEY);
    this.clear();
  }

  /** True if a session ended without a sign-out. A silent request to the provider may find it again. */
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
