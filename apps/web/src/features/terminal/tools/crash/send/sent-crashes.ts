/** Which crashes this browser has sent to whom: the same dump is not sent twice to the same version. */
import { browserStorage, type TextStorage } from '../../../../../shared/storage/browser-storage.ts';

export interface SentCrash {
  /** Share id of the version. */
  readonly shareId: string;
  /** Of the dump's bytes. */
  readonly dump: string;
  /** What it was sent as: the same again when no answer came. */
  readonly id: string;
  /** ISO 8601, UTC; null while it is not known whether it has arrived. */
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

/** Null for one that nobody tried to send. */
export function findSent(shareId: string, dump: string, storage: TextStorage = browserStorage): SentCrash | null {
  return sentCrashes(storage).find((sent) => sent.shareId === shareId && sent.dump === dump) ?? null;
}

/** Throws where there is no room. */
export function noteSent(crash: SentCrash, storage: TextStorage = browserStorage): void {
  const others = sentCrashes(storage).filter(({ id }) => id !== crash.id);
  storage.setItem(storageKey, JSON.stringify([crash, ...others].slice(0, most)));
}
