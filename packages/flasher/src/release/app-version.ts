/** Reads the version that an app states, which is what a person reads on the board. */
import type { AppDescription } from '../esp/images/description.ts';
import { type ImagePart, imagePartOf } from '../esp/images/image-part.ts';
import type { AppVersion } from './release-build.ts';

/** Project name in the description of every Arduino sketch, whose version is that of the library (arduino-esp32). */
const arduino = 'arduino-lib-builder';

/** Returns the description of the app in a file, also of a merged image; null without one. */
export function appIn(bytes: Uint8Array, part: ImagePart): AppDescription | null {
  if (part.kind === 'app') {
    return part.description;
  }
  if (part.kind !== 'merged') {
    return null;
  }
  for (const { offset, size } of part.parts) {
    const at = offset - part.offset;
    const inner = imagePartOf(bytes.subarray(at, at + size));
    if (inner.kind === 'app' && inner.description !== null) {
      return inner.description;
    }
  }
  return null;
}

interface FileWithApp {
  readonly name: string;
  /** Null before the bytes were read. */
  readonly reading: { readonly app?: AppDescription | null } | null;
}

/** Returns the version that a file's app states; null for a file without an app, or without a number of its own. */
export function appVersionOf(file: FileWithApp): AppVersion | null {
  const { name, reading } = file;
  const app = reading?.app ?? null;
  if (app === null || app.project === arduino) {
    return null;
  }
  const version = app.version.trim();
  // Without a version, ESP-IDF states the hash of a commit or 1.
  return /^v?\d+\.\d/i.test(version) ? { name, version } : null;
}
