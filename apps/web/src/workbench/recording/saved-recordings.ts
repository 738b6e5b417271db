/**
 * Tracks saved recordings, and when the browser's own copy may be deleted. A download reads on after the click. The
 * tab that saved a file therefore owns it by a lock for the tab's lifetime. No tab deletes a file of another tab, or
 * one that was saved moments ago.
 */
import type { Clock } from '@wirebench/clock';
import type { TextStorage } from '../../shared/storage/browser-storage.ts';

const storageKey = 'wirebench.saved-recordings';
/**
 * Minimum age of a saved file before its deletion, in milliseconds: a download that outlives a reload has ended by
 * then.
 */
const leastAge = 10 * 60_000;
const listLock = 'wirebench-saved-recordings';

export type Locks = Pick<LockManager, 'request'>;

export interface SavedRecordingsParts {
  /** Asked for when they are wanted: pages without a secure context have none. */
  readonly locks: () => Locks;
  readonly storage: TextStorage;
  readonly clock: Pick<Clock, 'now'>;
  /** Deletes the file. Rejects with a DOMException if it is gone, or if it is being written. */
  readonly remove: (name: string) => Promise<void>;
}

export class SavedRecordings {
  readonly #parts: SavedRecordingsParts;
  /** Names of files that this tab has saved, kept even if the storage has no room for them. */
  readonly #here = new Set<string>();

  constructor(parts: SavedRecordingsParts) {
    this.#parts = parts;
  }

  /** Returns true for a saved recording: the user need not be asked to save it again. */
  has(name: string): boolean {
    return this.#here.has(name) || this.#list().has(name);
  }

  /** Makes the file this tab's own until the tab ends. False when it is another tab's. */
  async own(name: string): Promise<boolean> {
    if (this.#here.has(name)) {
      return true;
    }
    const owned = await new Promise<boolean>((resolve, reject) => {
      const hold = (lock: Lock | null) => {
        resolve(lock !== null);
        // Never given back: the browser takes it when the tab ends.
        return lock === null ? undefined : new Promise<void>(() => undefined);
      };
      this.#parts.locks().request(fileLock(name), { ifAvailable: true }, hold).catch(reject);
    });
    if (owned) {
      this.#here.add(name);
    }
    return owned;
  }

  /** The file, which is this tab's own, was handed to the downloads. */
  async saved(name: string): Promise<void> {
    const { clock } = this.#parts;
    await this.#change((list) => list.set(name, clock.now()));
  }

  /** Deletes an unwanted file. Returns false and keeps it if another tab is saving it or has just saved it. */
  delete(name: string): Promise<boolean> {
    const { locks, remove } = this.#parts;
    return locks().request(fileLock(name), { ifAvailable: true }, async (lock) => {
      if (lock === null) {
        return false;
      }
      await remove(name);
      return true;
    });
  }

  /** Deletes what was saved long ago by tabs that are gone. */
  async sweep(): Promise<void> {
    const { clock } = this.#parts;
    const old = [...this.#list()].filter(([name, at]) => !this.#here.has(name) && clock.now() - at >= leastAge);
    const gone: string[] = [];
    for (const [name] of old) {
      if (await this.#deleteSaved(name)) {
        gone.push(name);
      }
    }
    if (gone.length > 0) {
      await this.#change((list) => gone.forEach((name) => void list.delete(name)));
    }
  }

  /** Returns true if the file no longer exists. */
  async #deleteSaved(name: string): Promise<boolean> {
    try {
      return await this.delete(name);
    } catch (error) {
      if (error instanceof DOMException) {
        return error.name === 'NotFoundError';
      }
      throw error;
    }
  }

  /** One tab at a time changes the list. */
  #change(change: (list: Map<string, number>) => void): Promise<void> {
    const { locks, storage } = this.#parts;
    return locks().request(listLock, async () => {
      const list = this.#list();
      change(list);
      try {
        storage.setItem(storageKey, [...list].map(([name, at]) => `${name}\t${at}`).join('\n'));
      } catch (error) {
        // No room for it: the file is offered once more on the next visit.
        if (!(error instanceof DOMException)) {
          throw error;
        }
      }
    });
  }

  /**
   * Time of each save, in milliseconds since the Unix epoch; 0 for files of an older version, which did not store it.
   */
  #list(): Map<string, number> {
    const rows = (this.#parts.storage.getItem(storageKey) ?? '').split('\n').filter(Boolean);
    return new Map(
      rows.map((row) => {
        const [name = '', at = ''] = row.split('\t');
        return [name, Number(at)];
      }),
    );
  }
}

const fileLock = (name: string) => `wirebench-saved-recording ${name}`;
