/** The superblock entry of LittleFS (littlefs SPEC.md, "0x0ff LFS_TYPE_SUPERBLOCK"): version, sizes and limits. */
import { asciiBytes, hasBytesAt, viewOf } from '../../core/bytes.ts';
import { FileSystemError } from '../file-system-error.ts';
import { type MetadataEntry, readMetadata } from './metadata.ts';
import { maxTagLength, tagType } from './tags.ts';

export interface Superblock {
  /** Minor disk version; the major one is 2. */
  readonly minorVersion: number;
  /** In bytes. */
  readonly blockSize: number;
  readonly blockCount: number;
  /** Longest name, file and attribute in bytes. */
  readonly nameMax: number;
  readonly fileMax: number;
  readonly attributeMax: number;
}

const magic = asciiBytes('littlefs');

/**
 * The magic follows the revision count and its tag (SPEC.md, "Superblock fields"). In an image that was never compacted, a
 * tag that creates the entry may come first (SPEC.md, "0x401 LFS_TYPE_CREATE").
 */
const magicPlaces = [8, 12];

/** Newest minor version that is understood (SPEC.md: "on-disk version lfs2.1"). */
const newestMinorVersion = 1;

/** Smallest block: fewer bytes could not hold all pointers of a skip list (DESIGN.md, "CTZ skip-lists": 104 bytes). */
export const minBlockSize = 128;

/** Limits of the driver (lfs.h: LFS_NAME_MAX, LFS_FILE_MAX and LFS_ATTR_MAX), which a superblock may leave at zero. */
export const defaultLimits = { nameMax: 255, fileMax: 0x7fff_ffff, attributeMax: maxTagLength } as const;

/** Block sizes that are tried if block 0 is damaged: block 1 starts at its own size. */
const triedBlockSizes = Array.from({ length: 14 }, (_, index) => minBlockSize << index);

/** Returns the limits of a superblock entry; null if the entry is not one. */
export function readSuperblockEntry(entry: MetadataEntry | undefined): Superblock | null {
  if (entry?.type !== tagType.superblock || !hasBytesAt(entry.name, 0, magic)) {
    return null;
  }
  const { struct } = entry;
  if (struct?.type !== tagType.inlineStruct || struct.data.length < 24) {
    return null;
  }
  const view = viewOf(struct.data);
  const field = (index: number) => view.getUint32(4 * index, true);
  if (field(0) >>> 16 !== 2 || (field(0) & 0xffff) > newestMinorVersion) {
    throw new FileSystemError('newer-version');
  }
  const [blockSize, blockCount] = [field(1), field(2)];
  if (blockSize < minBlockSize || blockCount < 2) {
    return null;
  }
  return {
    minorVersion: field(0) & 0xffff,
    blockSize,
    blockCount,
    nameMax: Math.min(field(3) || defaultLimits.nameMax, maxTagLength),
    fileMax: Math.min(field(4) || defaultLimits.fileMax, defaultLimits.fileMax),
    attributeMax: Math.min(field(5) || defaultLimits.attributeMax, maxTagLength),
  };
}

/** Returns the entry as it is stored. */
export function makeSuperblockEntry(superblock: Superblock): MetadataEntry {
  const { minorVersion, blockSize, blockCount, nameMax, fileMax, attributeMax } = superblock;
  const data = new Uint8Array(24);
  [0x2_0000 | minorVersion, blockSize, blockCount, nameMax, fileMax, attributeMax].forEach((value, index) => {
    viewOf(data).setUint32(4 * index, value, true);
  });
  return {
    type: tagType.superblock,
    name: magic,
    struct: { type: tagType.inlineStruct, data },
    attributes: new Map(),
  };
}

/**
 * Finds the superblock in block 0 or, if that is damaged, in block 1.
 *
 * @returns Null if nothing looks like LittleFS.
 * @throws FileSystemError for other versions and for a damaged superblock.
 */
export function findSuperblock(image: Uint8Array): Superblock | null {
  const starts = [0, ...triedBlockSizes.filter((size) => size < image.length)];
  let isLittleFs = false;
  for (const start of starts) {
    if (magicPlaces.some((at) => hasBytesAt(image, start + at, magic))) {
      isLittleFs = true;
      // The block size is not yet known: a longer view is harmless, because commits end with a CRC.
      const view = image.subarray(start, start === 0 ? image.length : 2 * start);
      const superblock = readSuperblockEntry(readMetadata(view)?.entries[0]);
      if (superblock !== null && (start === 0 || start === superblock.blockSize)) {
        return superblock;
      }
    }
  }
  if (isLittleFs) {
    throw new FileSystemError('superblock-damaged');
  }
  if (starts.some((start) => isVersion1(image, start))) {
    throw new FileSystemError('littlefs-1');
  }
  return null;
}

/**
 * Disk version 1 has the magic at the end of its superblock entry, behind a header of 16 bytes and 24 of fields. The last
 * field is the version (SPEC.md of littlefs v1.7, "Superblocks").
 */
function isVersion1(image: Uint8Array, start: number): boolean {
  return hasBytesAt(image, start + 40, magic) && viewOf(image).getUint32(start + 36, true) >>> 16 === 1;
}
