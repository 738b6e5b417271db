/** File systems in flash as places whose files are read and changed. */
import { addressText } from '../../core/bytes.ts';
import { inSectors } from '../../core/ranges.ts';
import { flashStart, type RpFlashUser, type RpSystem } from './rp-firmware.ts';

export interface FileSystemPlace {
  /** Unique on a board: `MicroPython’s files`. */
  readonly name: string;
  /** Address in bytes. */
  readonly offset: number;
  /** In bytes, a multiple of 4,096. */
  readonly size: number;
  readonly kind: 'littlefs' | 'fat';
}

const systemNames: Readonly<Record<RpSystem, string>> = {
  micropython: 'MicroPython’s files',
  circuitpython: 'CircuitPython’s files',
};
const kindNames = { littlefs: 'LittleFS', fat: 'FAT' } as const;

/** Returns the places of a board's file systems, in the order of addresses. */
export function fileSystemPlaces(users: readonly RpFlashUser[]): FileSystemPlace[] {
  return users.flatMap(({ offset, size, kind, system }) => {
    if (kind === undefined) {
      return [];
    }
    const isOnly = users.filter((other) => system !== undefined && other.system === system).length === 1;
    const name = system === undefined ? kindNames[kind] : systemNames[system];
    const place = inSectors({ offset: flashStart + offset, length: size });
    const at = isOnly ? '' : ` at ${addressText(place.offset)}`;
    return [{ name: `${name}${at}`, offset: place.offset, size: place.length, kind }];
  });
}
