/** Finds file systems in flash by their first blocks, so that a plan can name what it would destroy. */
import { asciiBytes, indexOfBytes } from '../../core/bytes.ts';
import { type FlashRange, sectorSize } from '../../core/region.ts';
import { readBootSector } from '../../file-systems/fat/boot-sector.ts';
import { FileSystemError } from '../../file-systems/file-system-error.ts';
import { findSuperblock } from '../../file-systems/littlefs/superblock.ts';
import { flashStart, type RpFlashUser } from '../files/index.ts';
import { type FlashMemory, inFlight } from '../picoboot/flash-memory.ts';

/** Bytes at the start of a sector that show whether a file system may begin there. */
const HEAD = 32;
const AHEAD = 8;
/** Flash in which every sector is looked at. Behind it, one in sixteen. */
const NEAR = 4 * 1_024 * 1_024;
const FAR_STEP = 64 * 1_024;

const littleFs = asciiBytes('littlefs');
/** Label in the root folder of a volume that CircuitPython has made. */
const circuitPython = asciiBytes('CIRCUITPY');
/** File that MicroPython makes in an empty file system. */
const microPython = asciiBytes('boot.py');

/** Returns the file systems in the order of addresses, without overlaps. */
export async function findUsers(memory: FlashMemory, signal: AbortSignal): Promise<RpFlashUser[]> {
  const size = memory.size ?? 0;
  const candidates: number[] = [];
  const places = Array.from({ length: size / sectorSize }, (_, index) => index * sectorSize).filter(
    (offset) => offset < NEAR || offset % FAR_STEP === 0,
  );
  const read = (offset: number, length: number) => memory.read({ offset: flashStart + offset, length });
  await inFlight(
    places,
    AHEAD,
    signal,
    (offset) => read(offset, HEAD),
    (head, offset) => {
      const isFat = head[0] === 0xeb || head[0] === 0xe9 || head[0] === 0xe8;
      if (isFat || indexOfBytes(head, littleFs) >= 0) {
        candidates.push(offset);
      }
    },
  );
  const users: RpFlashUser[] = [];
  let free = 0;
  for (const offset of candidates) {
    if (offset < free) {
      continue;
    }
    const found = await userAt({ offset, length: Math.min(2 * sectorSize, size - offset) }, read);
    if (found !== null) {
      const user = { ...found, offset, size: Math.min(found.size, size - offset) };
      users.push(user);
      free = offset + user.size;
    }
  }
  return users;
}

async function userAt(
  { offset, length }: FlashRange,
  read: (offset: number, length: number) => Promise<Uint8Array>,
): Promise<Omit<RpFlashUser, 'offset'> | null> {
  const start = await read(offset, length);
  const volume = readBootSector(start);
  if (volume !== null) {
    const folder = await read(offset + (volume.root?.at ?? volume.dataAt), 512).catch(() => new Uint8Array(0));
    const isOwn = indexOfBytes(folder, circuitPython) >= 0;
    return {
      name: isOwn ? 'the files of CircuitPython (FAT)' : 'a FAT file system',
      size: volume.size,
      kind: 'fat',
      ...(isOwn && { system: 'circuitpython' }),
    };
  }
  try {
    const superblock = findSuperblock(start);
    if (superblock === null) {
      return null;
    }
    const isOwn = indexOfBytes(start, microPython) >= 0;
    return {
      name: isOwn ? 'the files of MicroPython (LittleFS)' : 'a LittleFS file system',
      size: superblock.blockSize * superblock.blockCount,
      kind: 'littlefs',
      ...(isOwn && { system: 'micropython' }),
    };
  } catch (error) {
    if (error instanceof FileSystemError) {
      // A magic number in a program, or a file system that no reader here understands.
      return null;
    }
    throw error;
  }
}
