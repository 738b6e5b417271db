/**
 * Tracks saved recordings and decides when the browser's own copy may be deleted. A download continues to read the
 * file after the click. The tab that saved a file therefore holds a lock on it for the tab's lifetime. No tab deletes
 * a file of another tab, or one that was saved moments ago.
 */
import type { Clock } from '@wirebench/clock';
import type { TextStorage } from '../../shared/storage/browser-storage.ts';

const storageKey = 'wirebench.saved-recordings';
/**
 * Minimum age of a saved file before its deletion, in milliseconds. A download that outlives a reload has ended by
 * then.
 */
const leastAge = 10 * 60_000;
const listLock = 'wirebench-saved-recordings';

export type Locks = Pick<LockManager, 'request'>;

export interface SavedRecordingsParts {
  /** A function, because pages without a secure context have no locks and would throw on access. */
  readonly locks: () => Locks;
  readonly storage: TextStorage;
  readonly clock: Pick<Clock, 'wallTime'>;
  /** Deletes the recording. Rejects with a DOMException if it is gone or is being written. */
  readonly remove: (name: string) => Promise<void>;
}

export class SavedRecordings {
  readonly #parts: SavedRecordingsParts;
  /** Names of files that this tab has saved. Kept even if the storage is full. */
  readonly #here = new Set<string>();

  constructor(parts: SavedRecordingsParts) {
    this.#parts = parts;
  }

  /** Returns true if the recording was saved, so that the user need not save it again. */
  has(name: string): boolean {
    return this.#here.has(name) || this.#list().has(name);
  }

  /** Acquires the file for the tab's lifetime. Returns false if another tab owns it. */
  async own(name: string): Promise<boolean> {
    if (this.#here.has(name)) {
      return true;
    }
    const owned = await new Promise<boolean>((resolve, reject) => {
      const hold = (lock: Lock | null) => {
        resolve(lock !== null);
        // Never releases the lock: the browser releases it when the tab ends.
        return lock === null ? undefined : new Promise<void>(() => undefined);
      };
      this.#parts.locks().request(fileLock(name), { ifAvailable: true }, hold).catch(reject);
    });
    if (owned) {
      this.#here.add(name);
    }
    return owned;
  }

  /** Notes that the file was handed to the downloads. This tab must own it. */
  async saved(name: string): Promise<void> {
    const { clock } = this.#parts;
    await this.#change((list) => list.set(name, clock.wallTime()));
  }

  /** Deletes an unwanted file. Returns false and keeps it if another tab is saving it or has just saved it. */
  async delete(name: string): Promise<boolean> {
    const { locks, remove } = this.#parts;
    if (this.#here.has(name)) {
      await remove(name);
      this.#here.delete(name);
      await this.#change((list) => list.delete(name));
      return true;
    }
    return locks().request(fileLock(name), { ifAvailable: true }, async (lock) => {
      if (lock === null) {
        return false;
      }
      await remove(name);
      return true;
    });
  }

  /** Deletes files that were saved long ago by tabs that have closed. */
  async sweep(): Promise<void> {
    const { clock } = this.#parts;
    const old = [...this.#list()].filter(([name, at]) => !this.#here.has(name) && clock.wallTime() - at >= leastAge);
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

  /** Changes the list under a lock, because all tabs share it. */
  #change(change: (list: Map<string, number>) => void): Promise<void> {
    const { locks, storage } = this.#parts;
    return locks().request(listLock, async () => {
      const list = this.#list();
      change(list);
      try {
        storage.setItem(storageKey, [...list].map(([name, at]) => `${name}\t${at}`).join('\n'));
      } catch (error) {
        // The storage is full: the file is offered again on the next visit.
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
