/**
 * Tags of LittleFS metadata (littlefs SPEC.md, "Metadata tags" and "Metadata types"). A tag has 32 bits: 1 valid bit, 11 of
 * type, 10 of id and 10 of length. It is the only big-endian value on disk.
 */

/** Types with their chunk, or the first of a group (SPEC.md, "Metadata types"). */
export const tagType = {
  regularFile: 0x001,
  folder: 0x002,
  superblock: 0x0ff,
  folderStruct: 0x200,
  inlineStruct: 0x201,
  skipListStruct: 0x202,
  create: 0x401,
  delete: 0x4ff,
  crc: 0x500,
  softTail: 0x600,
  hardTail: 0x601,
  moveState: 0x7ff,
} as const;

/** Abstract types: the upper three bits of a type (SPEC.md, "Metadata tag fields", type1). */
export const tagGroup = { name: 0, struct: 2, attribute: 3, tail: 6 } as const;

/** Id of tags that belong to no file, and the length of a tag that deletes its value (SPEC.md, "Metadata tag fields"). */
export const noId = 0x3ff;
export const deletedLength = 0x3ff;

/** Longest data of a tag in bytes: the longest length is reserved. */
export const maxTagLength = 0x3fe;

export interface Tag {
  /** True: an unwritten or invalid tag. The log ends in front of it. */
  readonly isInvalid: boolean;
  readonly type: number;
  readonly id: number;
  readonly length: number;
}

export function parseTag(value: number): Tag {
  return {
    isInvalid: value >>> 31 === 1,
    type: (value >>> 20) & 0x7ff,
    id: (value >>> 10) & 0x3ff,
    length: value & 0x3ff,
  };
}

/** Returns the tag with the valid bit 0, as an unsigned number. */
export function packTag(type: number, id: number, length: number): number {
  return ((type << 20) | (id << 10) | length) >>> 0;
}

/** Returns the size of the tag's data in bytes. A tag that deletes has no data. */
export function dataLength({ length }: Tag): number {
  return length === deletedLength ? 0 : length;
}

/** Returns true for the end of a commit. The type's lower bits are flags; the forward CRC (0x5FF) is not one. */
export function endsCommit({ type }: Tag): boolean {
  return (type & 0x780) === tagType.crc;
}
