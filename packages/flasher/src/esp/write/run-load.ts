/**
 * Builds the requests that write adjacent regions as one run: a begin and its blocks. They are compressed if the
 * board inflates and is known to change nothing else.
 *
 * Regions are compared, verified and repeated one by one. A run sends several as one stream. The chip works on a
 * block while the next one is on the wire, but each begin waits until it has finished.
 */
import { joined } from '@wirebench/port/bytes';
import { Unzlib, zlibSync } from 'fflate';
import { type FlashRegion, sectorSize } from '../../core/region.ts';
import { type FlashAbility, STUB_BLOCK } from '../flash-ability.ts';
import {
  deflBeginRequest,
  deflDataRequest,
  flashBeginRequest,
  flashDataRequest,
  type Request,
} from '../protocol/commands.ts';

/**
 * A high level saves a few percent on the wire for a few milliseconds more. `mem` 4 uses a table of 128 KiB. The
 * default for this length is 1 MiB, compresses no better, and is garbage after each run. fflate's streams would
 * spread the work, but as of version 0.8.3 their output for some data cannot be inflated.
 */
const compression = { level: 9, mem: 4 } as const;
/** Inflated bytes after which the stub writes (esp-flasher-stub, `s_flash_defl_data_post_process`). */
const WINDOW = 32 * 1_024;
const BEYOND_WINDOW = 128;
/** Largest unit that a chip encrypts at once, in bytes: 32 on the ESP32, 16 on others (esptool, `FLASH_ENCRYPTED_WRITE_ALIGN`). */
const ENCRYPTION_UNIT = 32;
/** Sectors of a 64 KB flash block. */
const SECTORS_PER_BLOCK = 16;
/**
 * Longest run in image bytes. The stub erases 64 KB ahead each time it has inflated 32 KB, and does nothing else
 * during that time. Longer runs wait for erases, shorter ones for the pause between runs. Measured on the simulated
 * stub with real flash times: of 64 to 1,600 KiB, this is fastest at 921,600 and at 2,000,000 baud.
 */
const LONGEST_RUN = 256 * 1_024;

export interface RunLoad {
  /** The whole run as one region. */
  readonly region: FlashRegion;
  /** Usually one pass. A second pass begins before the end of the first. */
  readonly passes: readonly LoadPass[];
}

/** A begin and its blocks. */
export interface LoadPass {
  readonly begin: Request;
  /** First address that is written. */
  readonly offset: number;
  /** Bytes that are written. */
  readonly length: number;
  /** True: the board erases the whole pass before it answers `begin`. */
  readonly erasesFirst: boolean;
  readonly blocks: number;
  /** @param index 0 to `blocks - 1`. */
  block(index: number): Request;
  /**
   * Returns the bytes of the pass that the board has after this block, 0 to `length`. Compressed blocks differ
   * widely: a block of zeros holds hundreds of kilobytes.
   *
   * @param index 0 to `blocks - 1`.
   */
  endOf(index: number): number;
}

/**
 * Groups adjacent regions into runs. A ROM erases before it answers, so each of its runs has one region. On the
 * ESP8266 a single sector joins the region before it.
 */
export function runsOf<Part extends { readonly region: FlashRegion }>(
  parts: readonly Part[],
  ability: FlashAbility,
): Part[][] {
  const runs: Part[][] = [];
  let length = 0;
  let end = -1;
  for (const part of parts) {
    const { offset, bytes } = part.region;
    const run = runs.at(-1);
    length += bytes.length;
    const joins = ability.writesInBackground ? length <= LONGEST_RUN : isLoneSector(part.region, ability);
    const isAlike = run?.[0]?.region.encrypted === part.region.encrypted;
    if (run !== undefined && joins && isAlike && offset === end) {
      run.push(part);
    } else {
      runs.push([part]);
      length = bytes.length;
    }
    end = offset + bytes.length;
  }
  return runs;
}

/** Returns true for a region that the ESP8266's ROM cannot erase without the following sector. */
export function isLoneSector({ bytes }: FlashRegion, { hasEraseSizeBug }: FlashAbility): boolean {
  return hasEraseSizeBug && bytes.length <= sectorSize;
}

/** @param regions Adjacent; at least one. */
export function loadRun(regions: readonly FlashRegion[], ability: FlashAbility): RunLoad {
  const [first] = regions;
  const offset = first?.offset ?? 0;
  const isAlone = regions.length === 1 && first !== undefined;
  const region = { offset, bytes: isAlone ? first.bytes : joined(...regions.map(({ bytes }) => bytes)) };
  if (first?.encrypted) {
    return { region, passes: [encryptedPass(region, ability)] };
  }
  if (ability.canCompress) {
    return { region, passes: [compressedPass(region, ability)] };
  }
  const passes = ability.hasEraseSizeBug ? esp8266Passes(region) : [region];
  return { region, passes: passes.map((pass) => plainPass(pass, ability)) };
}

function compressedPass({ offset, bytes: image }: FlashRegion, ability: FlashAbility): LoadPass {
  const { blockSize, hasLongBegin, writesInBackground } = ability;
  const stream = zlibSync(image, compression);
  const opening = firstBlock(image, blockSize);
  const blocks = 1 + Math.max(0, Math.ceil((stream.length - opening) / blockSize));
  // The stub expects the total size, the ROM the size to erase.
  const size = writesInBackground ? image.length : Math.ceil(image.length / blockSize) * blockSize;
  const start = (index: number) => (index === 0 ? 0 : opening + (index - 1) * blockSize);
  const part = (index: number) => stream.subarray(start(index), start(index + 1));
  const ends = inflatedEnds(Array.from({ length: blocks }, (_, index) => part(index)));
  return {
    begin: deflBeginRequest({ size, blocks, blockSize, offset, extended: hasLongBegin }),
    offset,
    length: image.length,
    erasesFirst: !writesInBackground,
    blocks,
    block: (index) => deflDataRequest(index, part(index)),
    endOf: (index) => ends[index] ?? image.length,
  };
}

/** Returns the inflated bytes after each part of a stream, less at most one code that the end of a part cuts. */
function inflatedEnds(parts: readonly Uint8Array[]): number[] {
  let end = 0;
  const inflater = new Unzlib((piece) => {
    end += piece.length;
  });
  return parts.map((part, index) => {
    inflater.push(part, index === parts.length - 1);
    return end;
  });
}

/**
 * Builds a pass of plain blocks that the chip encrypts ("Serial Protocol", command 02, fifth word). The image is padded
 * to whole units of encryption.
 */
function encryptedPass({ offset, bytes }: FlashRegion, ability: FlashAbility): LoadPass {
  const length = Math.ceil(bytes.length / ENCRYPTION_UNIT) * ENCRYPTION_UNIT;
  return plainPass({ offset, bytes: padded(bytes, 0, length) }, ability, true);
}

/**
 * Builds a pass of plain blocks. A ROM erases whole sectors first and programs only the blocks that it receives.
 */
function plainPass({ offset, bytes: image }: FlashRegion, ability: FlashAbility, encrypted = false): LoadPass {
  const { blockSize, hasLongBegin, hasEraseSizeBug, writesInBackground } = ability;
  const blocks = Math.ceil(image.length / blockSize);
  const size = hasEraseSizeBug ? esp8266EraseSize(offset, image.length) : image.length;
  return {
    begin: flashBeginRequest({ size, blocks, blockSize, offset, extended: hasLongBegin, encrypted }),
    offset,
    length: image.length,
    erasesFirst: !writesInBackground,
    blocks,
    block: (index) => flashDataRequest(index, padded(image, index * blockSize, blockSize)),
    endOf: (index) => Math.min((index + 1) * blockSize, image.length),
  };
}

/**
 * Returns the length of a run's first block: as much as the stub's first window takes, and a little more. The stub
 * starts to erase when a run begins. With a short block it can write as soon as that is done, and falls behind the
 * wire less. Measured like the length of a run: 6 percent faster at 921,600 baud.
 */
function firstBlock(image: Uint8Array, blockSize: number): number {
  if (blockSize < STUB_BLOCK || image.length <= WINDOW) {
    return blockSize;
  }
  return Math.min(blockSize, zlibSync(image.subarray(0, WINDOW), compression).length + BEYOND_WINDOW);
}

/** Returns a block; the last one is padded with 0xFF, the value of erased flash. */
function padded(bytes: Uint8Array, from: number, size: number): Uint8Array {
  const part = bytes.subarray(from, from + size);
  if (part.length === size) {
    return part;
  }
  const block = new Uint8Array(size).fill(0xff);
  block.set(part);
  return block;
}

/**
 * Returns the erase size to request from the ESP8266's ROM. It counts the sectors up to the next 64 KB border twice
 * ("Serial Protocol", ESP8266, section "Erase Size Bug"). With this size it erases the needed sectors, and one more
 * if `esp8266ErasesMore`.
 */
export function esp8266EraseSize(offset: number, length: number): number {
  const { sectors, head } = esp8266Sectors(offset, length);
  return (sectors < 2 * head ? Math.ceil(sectors / 2) : sectors - head) * sectorSize;
}

/** Returns true if no size makes the ESP8266's ROM erase exactly this range. */
export function esp8266ErasesMore(offset: number, length: number): boolean {
  const { sectors, head } = esp8266Sectors(offset, length);
  return sectors < 2 * head && sectors % 2 === 1;
}

/** Returns the number of sectors, and how many of them are before the next 64 KB border. */
function esp8266Sectors(offset: number, length: number): { readonly sectors: number; readonly head: number } {
  const sectors = Math.ceil(length / sectorSize);
  const toBorder = SECTORS_PER_BLOCK - ((offset / sectorSize) % SECTORS_PER_BLOCK);
  return { sectors, head: Math.min(toBorder, sectors) };
}

/**
 * Splits a region for which the ESP8266 would erase a sector too many. All sectors but the last are written first,
 * then the last two; it erases both numbers correctly. For a single sector this is impossible, and
 * `mustSpareNeighbours` (`write-regions.ts`) refuses it.
 */
function esp8266Passes(region: FlashRegion): FlashRegion[] {
  const { offset, bytes } = region;
  if (!esp8266ErasesMore(offset, bytes.length) || bytes.length <= sectorSize) {
    return [region];
  }
  const last = (Math.ceil(bytes.length / sectorSize) - 1) * sectorSize;
  const again = last - sectorSize;
  return [
    { offset, bytes: bytes.subarray(0, last) },
    { offset: offset + again, bytes: bytes.subarray(again) },
  ];
}
