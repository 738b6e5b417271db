/**
 * UF2, the format that drag-and-drop bootloaders take (Microsoft, "USB Flashing Format"): blocks of 512 bytes, little endian, each
 * with an address, at most 476 bytes of data and its number. One file may hold programs for several families of chips.
 */
import { addressText, viewOf } from '../../core/bytes.ts';
import { chipFacts, chipNames } from '../../espressif/chips/chip-facts.ts';
import { ImageError } from '../image-error.ts';
import type { MemoryFormat } from './image-format.ts';
import { type MemorySegment, mergeSegments } from './memory-segments.ts';

const BLOCK_SIZE = 512;
const HEADER_SIZE = 32;
const FIRST_MAGIC = 0x0a324655;
const SECOND_MAGIC = 0x9e5d5157;
const LAST_MAGIC = 0x0ab16f30;
const MAXIMUM_PAYLOAD = 476;
const flag = { notMainFlash: 0x1, fileContainer: 0x1000, familyPresent: 0x2000 } as const;

/** Ids of families other than Espressif's (Microsoft, `utils/uf2families.json`). */
const otherFamilies: Readonly<Record<string, string>> = {
  '0x1b57745f': 'nRF52',
  '0x621e937a': 'nRF52833',
  '0xada52840': 'nRF52840',
  '0xe48bff56': 'RP2040',
  '0x68ed2b88': 'SAMD21',
  '0x55114460': 'SAMD51',
  '0x647824b6': 'STM32F0',
  '0x5ee21072': 'STM32F1',
  '0x5d1a0a2e': 'STM32F2',
  '0x6b846188': 'STM32F3',
  '0x57755a57': 'STM32F4',
  '0x6d0922fa': 'STM32F407',
  '0x53b80f00': 'STM32F7',
  '0x300f5633': 'STM32G0',
  '0x4c71240a': 'STM32G4',
  '0x6db66082': 'STM32H7',
  '0x202e3a91': 'STM32L0',
  '0x1e1f432d': 'STM32L1',
  '0x00ff6919': 'STM32L4',
  '0x04240bdf': 'STM32L5',
  '0x70d16653': 'STM32WB',
  '0x21460ff0': 'STM32WL',
};

/** What one file has for one family. */
export interface Uf2Program {
  /** Null when the file does not say. */
  readonly familyId: number | null;
  /** Such as `nRF52840`; null when the id is not known. */
  readonly family: string | null;
  readonly segments: readonly MemorySegment[];
}

function startsLikeUf2(bytes: Uint8Array): boolean {
  return (
    bytes.length >= BLOCK_SIZE &&
    viewOf(bytes).getUint32(0, true) === FIRST_MAGIC &&
    viewOf(bytes).getUint32(4, true) === SECOND_MAGIC
  );
}

/**
 * What goes into flash, in the order in which families appear.
 * @throws ImageError `not-uf2`, `uf2-damaged`, `uf2-incomplete`, `nothing-to-load`, `address-twice`, `address-range`.
 */
export function readUf2(bytes: Uint8Array): Uf2Program[] {
  if (!startsLikeUf2(bytes)) {
    throw new ImageError('not-uf2');
  }
  const programs = new Map<number | null, { total: number; blocks: Map<number, MemorySegment> }>();
  for (let at = 0; at < bytes.length; at += BLOCK_SIZE) {
    const block = readBlock(bytes, at);
    if (block === null) {
      continue;
    }
    const program = programs.get(block.familyId) ?? { total: block.total, blocks: new Map() };
    if (program.total !== block.total || block.number >= block.total) {
      throw new ImageError('uf2-damaged', { where: `Block at ${addressText(at)}` });
    }
    program.blocks.set(block.number, block.piece);
    programs.set(block.familyId, program);
  }
  if (programs.size === 0) {
    throw new ImageError('nothing-to-load');
  }
  return [...programs].map(([familyId, { total, blocks }]) => {
    if (blocks.size !== total) {
      throw new ImageError('uf2-incomplete');
    }
    return {
      familyId,
      family: familyId === null ? null : familyName(familyId),
      segments: mergeSegments([...blocks.values()]),
    };
  });
}

function familyName(id: number): string | null {
  const chip = chipNames.find((name) => chipFacts[name].uf2Family === id);
  return chip === undefined ? (otherFamilies[`0x${id.toString(16).padStart(8, '0')}`] ?? null) : chipFacts[chip].label;
}

interface Block {
  readonly familyId: number | null;
  readonly number: number;
  readonly total: number;
  readonly piece: MemorySegment;
}

/** Null for what is not for the flash. */
function readBlock(bytes: Uint8Array, at: number): Block | null {
  const damaged = () => new ImageError('uf2-damaged', { where: `Block at ${addressText(at)}` });
  if (at + BLOCK_SIZE > bytes.length) {
    throw damaged();
  }
  const view = viewOf(bytes.subarray(at, at + BLOCK_SIZE));
  const word = (offset: number) => view.getUint32(offset, true);
  if (word(0) !== FIRST_MAGIC || word(4) !== SECOND_MAGIC || word(508) !== LAST_MAGIC || word(16) > MAXIMUM_PAYLOAD) {
    throw damaged();
  }
  const flags = word(8);
  if ((flags & (flag.notMainFlash | flag.fileContainer)) !== 0) {
    return null;
  }
  const start = at + HEADER_SIZE;
  return {
    familyId: (flags & flag.familyPresent) === 0 ? null : word(28),
    number: word(20),
    total: word(24),
    piece: { address: word(12), bytes: bytes.subarray(start, start + word(16)) },
  };
}

export const uf2 = {
  kind: 'uf2',
  name: 'UF2',
  holds: 'memory',
  startsLike: startsLikeUf2,
  read: (bytes) => ({ segments: readUf2(bytes)[0]?.segments ?? [], entry: null }),
} as const satisfies MemoryFormat;
