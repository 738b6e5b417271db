/** Splits paths, and names files as UTF-8. */
import { FileSystemError } from './file-system-error.ts';

const encoder = new TextEncoder();
// A byte order mark is a part of the name.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Returns false for names that would make a path ambiguous or lead out of a folder. */
export function isUsableName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name);
}

/**
 * Returns the names of a path. Slashes in front and at the end are ignored.
 *
 * @throws FileSystemError with `name-unusable` for an empty path or a name that no path can hold.
 */
export function splitPath(path: string): [string, ...string[]] {
  const [first, ...others] = path.replace(/^\/+|\/+$/g, '').split('/');
  if (first === undefined || ![first, ...others].every(isUsableName)) {
    throw new FileSystemError('name-unusable', path);
  }
  return [first, ...others];
}

export function encodeName(name: string): Uint8Array {
  return encoder.encode(name);
}

/** Bytes that are not UTF-8 become replacement characters. */
export function decodeName(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Compares as C's `memcmp` does, a shorter name first. Returns a negative number if `one` comes first. */
export function compareNames(one: Uint8Array, other: Uint8Array): number {
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index++) {
    const difference = (one[index] ?? 0) - (other[index] ?? 0);
    if (difference !== 0) {
      return difference;
    }
  }
  return one.length - other.length;
}
