/** Crashes sent by this browser, with their versions. Prevents sending the same dump twice to the same version. */
import { browserStorage, type TextStorage } from '../../../../../shared/storage/browser-storage.ts';

export interface SentCrash {
  /** Share id of the version. */
  readonly shareId: string;
  /** Hash of the dump's bytes. */
  readonly dump: string;
  /** Id used for sending. Another attempt after a lost answer uses the same id. */
  readonly id: string;
  /** Time of the answer, ISO 8601 in UTC. Null: no answer yet, so arrival is unknown. */
  readonly at: string | null;
}

const storageKey = 'wirebench.sent-crashes';
const most = 100;

function sentCrashes(storage: TextStorage): readonly SentCrash[] {
  const text = storage.getItem(storageKey);
  try {
    const kept: unknown = text === null ? [] : JSON.parse(text);
    return Array.isArray(kept) ? kept.filter(isSent) : [];
  } catch {
    return [];
  }
}

function isSent(value: unknown): value is SentCrash {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['shareId', 'dump', 'id'].every((key) => typeof Reflect.get(value, key) === 'string')
  );
}

/** Returns the entry of a crash, or null if no attempt was made. */
export function findSent(shareId: string, dump: string, storage: TextStorage = browserStorage): SentCrash | null {
  return sentCrashes(storage).find((sent) => sent.shareId === shareId && sent.dump === dump) ?? null;
}

/**
 * Stores an entry. It replaces the entry with the same id.
 *
 * @throws DOMException if the storage is full.
 */
export function noteSent(crash: SentCrash, storage: TextStorage = browserStorage): void {
  const others = sentCrashes(storage).filter(({ id }) => id !== crash.id);
  storage.setItem(storageKey, JSON.stringify([crash, ...others].slice(0, most)));
}
