/** Partition tables of RP2350 (RP2350 datasheet 5.9.4; pico-sdk, `boot/picobin.h`). */

import { rpFamily } from './rp-families.ts';
import type { RpCpu, RpPartition, RpPartitionTable, RpPermissions } from './rp-firmware.ts';
import { shownText } from './shown-text.ts';

const SECTOR = 4_096;

/** Bits of the word with the flags. */
const flag = {
  hasId: 0x1,
  linkType: 0x6,
  linkIsA: 0x2,
  linkIsOwner: 0x4,
  ignoredByArm: 0x200,
  ignoredByRiscv: 0x400,
  hasName: 0x1000,
} as const;

/** Families that have a bit of their own, in the order in which picotool lists them. */
const familyBits = [
  [0x8000, rpFamily.absolute],
  [0x4000, rpFamily.rp2040],
  [0x2_0000, rpFamily.armSecure],
  [0x8_0000, rpFamily.armNonSecure],
  [0x4_0000, rpFamily.riscv],
  [0x1_0000, rpFamily.data],
] as const;

/**
 * Decodes the item of a partition table. Partitions that the item cuts short are left out.
 *
 * @param words The item with its header.
 */
export function readPartitionTable(
  words: Uint32Array,
  version: { readonly major: number; readonly minor: number } | null,
): RpPartitionTable {
  const [header = 0, unpartitioned = 0] = words;
  const partitions: RpPartition[] = [];
  for (let at = 2; at < words.length; ) {
    const read = readPartition(words, at, partitions.length);
    if (read === null) {
      break;
    }
    partitions.push(read.partition);
    at = read.next;
  }
  return {
    singleton: header >>> 31 === 1,
    stated: (header >>> 24) & 0x7f,
    partitions,
    unpartitioned: readUnpartitioned(unpartitioned),
    version: version === null ? null : `${version.major}.${version.minor}`,
  };
}

/**
 * Reads a partition. GET_INFO reports one in the same words as the item of a table (RP2350 datasheet 5.4.8.16).
 *
 * @param start Index of its first word.
 * @returns the partition and the index of the word behind it; null if the words end before.
 */
export function readPartition(words: Uint32Array, start: number, index: number) {
  const location = words[start] ?? 0;
  const flags = words[start + 1] ?? 0;
  let at = start + 2;
  const take = (count: number) => {
    const taken = words.subarray(at, at + count);
    at += count;
    return taken;
  };
  const idWords = (flags & flag.hasId) === 0 ? [] : [...take(2)];
  const extra = [...take((flags >>> 7) & 3)];
  const name = (flags & flag.hasName) === 0 ? '' : readName(words, at);
  if (name === null || at > words.length) {
    return null;
  }
  const link = flags & flag.linkType;
  const linked = (flags >>> 3) & 0xf;
  const offset = (location & 0x1fff) * SECTOR;
  const bootable: readonly (readonly [RpCpu, number])[] = [
    ['arm', flag.ignoredByArm],
    ['riscv', flag.ignoredByRiscv],
  ];
  const partition: RpPartition = {
    index,
    name: name === '' ? '' : name.text,
    hasName: name !== '',
    offset,
    size: (((location >>> 13) & 0x1fff) + 1) * SECTOR - offset,
    id: idWords.length === 0 ? null : idWords.toReversed().map(wordText).join(''),
    slot: link === flag.linkIsA ? { kind: 'b', of: linked } : { kind: 'a' },
    owner: link === flag.linkIsOwner ? linked : null,
    permissions: permissionsOf(location),
    hasSamePermissions: location >>> 26 === flags >>> 26,
    families: [...familiesOf(flags), ...extra],
    bootable: bootable.flatMap(([cpu, ignored]) => ((flags & ignored) === 0 ? [cpu] : [])),
  };
  return { partition, next: name === '' ? at : at + name.words };
}

/** @param word Permissions and flags of the space outside of all partitions. */
export const readUnpartitioned = (word: number): RpPartitionTable['unpartitioned'] => ({
  permissions: permissionsOf(word),
  families: familiesOf(word),
});

const wordText = (word: number) => word.toString(16).padStart(8, '0');

/** Reads a name: its length in one byte, then its bytes. Null if the item ends before. */
function readName(words: Uint32Array, at: number): { readonly text: string; readonly words: number } | null {
  const length = (words[at] ?? 0) & 0xff;
  const size = 1 + (length >> 2);
  if (at + size > words.length) {
    return null;
  }
  const bytes = new Uint8Array(words.slice(at, at + size).buffer);
  return { text: shownText(bytes.subarray(1, 1 + length)), words: size };
}

function permissionsOf(word: number): RpPermissions {
  const text = (bits: number) => `${bits & 1 ? 'r' : ''}${bits & 2 ? 'w' : ''}`;
  return { secure: text(word >>> 26), nonSecure: text(word >>> 28), bootloader: text(word >>> 30) };
}

const familiesOf = (flags: number): readonly number[] =>
  familyBits.flatMap(([bit, family]) => ((flags & bit) === 0 ? [] : [family]));
