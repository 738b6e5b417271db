/**
 * Releases that this browser has flashed, newest first. A crash can be sent to their publishers. A version with builds
 * has an entry for each build that was flashed. Stored in this browser only; this module sends nothing.
 */
import { browserStorage, type TextStorage } from '../../shared/storage/browser-storage.ts';

/** Build of a version. Boards with other chips run other builds. */
interface FlashedBuild {
  readonly id: string;
  /** Chip or series, such as `esp32s3`. */
  readonly deviceModel: string;
  /** Board of the build in words: `ESP32-S3 with PSRAM`. */
  readonly name: string;
}

export interface FlashedRelease {
  /** Share id of the version. */
  readonly shareId: string;
  readonly name: string;
  readonly version: string;
  readonly publisher: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Build of the version that was written; missing for a version without builds. */
  readonly build?: FlashedBuild;
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
  if (!hasTexts(value, ['shareId', 'name', 'version', 'publisher', 'at'])) {
    return false;
  }
  const build: unknown = Reflect.get(value, 'build');
  return build === undefined || hasTexts(build, ['id', 'deviceModel', 'name']);
}

function hasTexts(value: unknown, keys: readonly string[]): value is object {
  return (
    typeof value === 'object' && value !== null && keys.every((key) => typeof Reflect.get(value, key) === 'string')
  );
}

/** Throws if the storage is full. */
export function rememberRelease(release: FlashedRelease, storage: TextStorage = browserStorage): void {
  const others = flashedReleases(storage).filter(
    ({ shareId, build }) => shareId !== release.shareId || build?.id !== release.build?.id,
  );
  storage.setItem(storageKey, JSON.stringify([release, ...others].slice(0, most)));
}
