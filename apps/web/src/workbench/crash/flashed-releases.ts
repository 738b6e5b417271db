/**
 * Releases that this browser has flashed, newest first. A crash can be sent to their publishers. Stored in this
 * browser only; this module sends nothing.
 */
import { browserStorage, type TextStorage } from '../../shared/storage/browser-storage.ts';

export interface FlashedRelease {
  /** Share id of the version. */
  readonly shareId: string;
  readonly name: string;
  readonly version: string;
  readonly publisher: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Build of the version that was written; missing for a version without builds. */
  readonly buildId?: string;
}

const storageKey = 'wirebench.flashed-releases';
const most = 10;

/** Returns the stored releases, or an empty list if they cannot be read. */
export function flashedReleases(storage: TextStorage = browserStorage): readonly FlashedRelease[] {
  const text = storage.getItem(storageKey);
  let kept: unknown;
  try {
    kept = text === null ? [] : JSON.parse(text);
  } catch {
    // Invalid content is dropped, because the list is only a memory aid.
    kept = [];
  }
  return Array.isArray(kept) ? kept.filter(isRelease) : [];
}

function isRelease(value: unknown): value is FlashedRelease {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['shareId', 'name', 'version', 'publisher', 'at'].every((key) => typeof Reflect.get(value, key) === 'string')
  );
}

/** Throws if the storage is full. */
export function rememberRelease(release: FlashedRelease, storage: TextStorage = browserStorage): void {
  const others = flashedReleases(storage).filter(({ shareId }) => shareId !== release.shareId);
  storage.setItem(storageKey, JSON.stringify([release, ...others].slice(0, most)));
}
