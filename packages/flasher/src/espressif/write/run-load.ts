/**
 * Adjacent regions as the requests that write them in one go: a begin and its blocks, compressed where the board inflates and is
 * known to touch nothing else by that. Knows no port and no time.
 *
 * Regions are what is compared, verified and repeated; a run of them is one stream, because the chip works on a block while
 * the next one is on the wire, and each begin waits until it has finished.
 */
import { Unzlib, zlibSync } from 'fflate';
import { joined } from '../../core/bytes.ts';
import { type FlashRegion, sectorSize } from '../../core/region.ts';
import type { Session } from '../connect/session.ts';
import {
  deflBeginRequest,
  deflDataRequest,
  flashBeginRequest,
  flashDataRequest,
  type Request,
} from '../protocol/commands.ts';

/** Largest block that the stub takes, and over its own USB OTG port; the block of all ROMs (esptool, `FLASH_WRITE_SIZE`). */
const STUB_BLOCK = 0x4000;
const USB_OTG_BLOCK = 0x800;
const ROM_BLOCK = 0x400;
/**
 * A few percent less to send for a few milliseconds more; the wire is what takes the time. The table of `mem` is of 128 KiB: the
 * usual one for such a length is of 1 MiB, makes nothing smaller, and is garbage after each run. (fflate's streams would spread
 * the work, but what they make of some data cannot be inflated, as of version 0.8.3.)
 */
const compression = { level: 9, mem: 4 } as const;
/** The stub writes when it has inflated this much (esp-flasher-stub, `s_flash_defl_data_post_process`). */
const WINDOW = 32 * 1_024;
const BEYOND_WINDOW = 128;
/** 64 KB blocks of flash, in sectors. */
const SECTORS_PER_BLOCK = 16;
/**
 * Longest run in image bytes. The stub erases ahead, 64 KB each time it has inflated 32 KB, and does nothing else meanwhile: a
 * long run is held up by that, a short one by the pause between two runs. Tried on the simulated stub with real flash times:
 * at 921,600 and at 2,000,000 baud this is the quickest of 64 to 1,600 KiB.
 */
const LONGEST_RUN = 256 * 1_024;

export interface RunLoad {
  /** All of the run, as one. */
  readonly region: FlashRegion;
  /** Usually one. They follow each other; the second begins before the first ends. */
  readonly passes: readonly LoadPass[];
}

/** A begin and its blocks. */
export interface LoadPass {
  readonly begin: Request;
  /** First address that is written. */
  readonly offset: number;
  /** What is written, in bytes. */
  readonly length: number;
  /** The board erases all of the pass before it answers to `begin`. */
  readonly erasesFirst: boolean;
  readonly blocks: number;
  /** @param index 0 to `blocks - 1`. */
  block(index: number): Request;
  /**
   * Bytes of the pass that the board has once it has taken this block, 0 to `length`. Blocks of compressed data differ widely: one
   * block of zeros holds hundreds of kilobytes.
   * @param index 0 to `blocks - 1`.
   */
  endOf(index: number): number;
}

/** What of a session decides about its requests. */
export type LoaderTraits = Pick<Session, 'runsStub' | 'chip' | 'info'>;

/**
 * Groups regions, in order, that follow each other without a gap. A ROM erases before it answers: it gets one at a time, and on the
 * ESP8266 a single sector together with what is before it.
 */
export function runsOf<Part extends { readonly region: FlashRegion }>(
  parts: readonly Part[],
  traits: LoaderTraits,
): Part[][] {
  const runs: Part[][] = [];
  let length = 0;
  let end = -1;
  for (const part of parts) {
    const { offset, bytes } = part.region;
    const run = runs.at(-1);
    length += bytes.length;
    const joins = traits.runsStub ? length <= LONGEST_RUN : isLoneSector(part.region, traits);
    if (run !== undefined && joins && offset === end) {
      run.push(part);
    } else {
      runs.push([part]);
      length = bytes.length;
    }
    end = offset + bytes.length;
  }
  return runs;
}

/** A region that the ROM of the ESP8266 cannot erase without the sector that follows. */
export function isLoneSector({ bytes }: FlashRegion, { runsStub, chip }: LoaderTraits): boolean {
  return !runsStub && !chip.richRom && bytes.length <= sectorSize;
}

/** Whether the board inflates what it is sent, and touches nothing else. */
function takesCompressed({ runsStub, chip, info }: LoaderTraits): boolean {
  return runsStub || (chip.romInflatesExactly === true && !info.security.secureDownload);
}

/** @param regions adjacent, at least one. */
export function loadRun(regions: readonly FlashRegion[], traits: LoaderTraits): RunLoad {
  const [first] = regions;
  const offset = first?.offset ?? 0;
  const isAlone = regions.length === 1 && first !== undefined;
  const region = { offset, bytes: isAlone ? first.bytes : joined(...regions.map(({ bytes }) => bytes)) };
  if (takesCompressed(traits)) {
    return { region, passes: [compressedPass(region, traits)] };
  }
  const passes = traits.chip.richRom ? [region] : esp8266Passes(region);
  return { region, passes: passes.map((pass) => plainPass(pass, traits)) };
}

function compressedPass({ offset, bytes: image }: FlashRegion, { runsStub, chip, info }: LoaderTraits): LoadPass {
  const blockSize = runsStub ? (info.link === 'usb-otg' ? USB_OTG_BLOCK : STUB_BLOCK) : ROM_BLOCK;
  const stream = zlibSync(image, compression);
  const opening = firstBlock(image, blockSize);
  const blocks = 1 + Math.max(0, Math.ceil((stream.length - opening) / blockSize));
  // The stub wants to know how much there will be, the ROM how much to erase.
  const size = runsStub ? image.length : Math.ceil(image.length / blockSize) * blockSize;
  const start = (index: number) => (index === 0 ? 0 : opening + (index - 1) * blockSize);
  const part = (index: number) => stream.subarray(start(index), start(index + 1));
  const ends = inflatedEnds(Array.from({ length: blocks }, (_, index) => part(index)));
  return {
    begin: deflBeginRequest({ size, blocks, blockSize, offset, extended: runsStub || chip.extendedBegin }),
    offset,
    length: image.length,
    erasesFirst: !runsStub,
    blocks,
    block: (index) => deflDataRequest(index, part(index)),
    endOf: (index) => ends[index] ?? image.length,
  };
}

/** Bytes that a stream has become after each of its parts, less at most one code that the end of a part cuts. */
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

/** For a ROM: it erases whole sectors, and programs no more than the blocks that it is sent. */
function plainPass({ offset, bytes: image }: FlashRegion, { chip }: LoaderTraits): LoadPass {
  const blocks = Math.ceil(image.length / ROM_BLOCK);
  const size = chip.richRom ? image.length : esp8266EraseSize(offset, image.length);
  return {
    begin: flashBeginRequest({ size, blocks, blockSize: ROM_BLOCK, offset, extended: chip.extendedBegin }),
    offset,
    length: image.length,
    erasesFirst: true,
    blocks,
    block: (index) => flashDataRequest(index, padded(image, index * ROM_BLOCK, ROM_BLOCK)),
    endOf: (index) => Math.min((index + 1) * ROM_BLOCK, image.length),
  };
}

/**
 * Length of the first block of a run: as much as the first window of the stub takes, and a little more. The stub begins to erase
 * when a run begins; with a short block it has something to write as soon as that is over, and falls less behind the wire.
 * Tried as the length of a run was: 6 percent quicker at 921,600 baud.
 */
function firstBlock(image: Uint8Array, blockSize: number): number {
  if (blockSize < STUB_BLOCK || image.length <= WINDOW) {
    return blockSize;
  }
  return Math.min(blockSize, zlibSync(image.subarray(0, WINDOW), compression).length + BEYOND_WINDOW);
}

/** The last block is filled with what erased flash holds. */
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
 * The ROM of the ESP8266 counts the sectors up to the next 64 KB border twice ("Serial Protocol", ESP8266, section "Erase Size
 * Bug"): asked for this size, it erases what is needed, and one sector more where `esp8266ErasesMore` says so.
 */
export function esp8266EraseSize(offset: number, length: number): number {
  const { sectors, head } = esp8266Sectors(offset, length);
  return (sectors < 2 * head ? Math.ceil(sectors / 2) : sectors - head) * sectorSize;
}

/** Whether there is no size with which the ROM of the ESP8266 erases just this. */
export function esp8266ErasesMore(offset: number, length: number): boolean {
  const { sectors, head } = esp8266Sectors(offset, length);
  return sectors < 2 * head && sectors % 2 === 1;
}

/** Sectors in all, and those of them up to the next 64 KB border. */
function esp8266Sectors(offset: number, length: number): { readonly sectors: number; readonly head: number } {
  const sectors = Math.ceil(length / sectorSize);
  const toBorder = SECTORS_PER_BLOCK - ((offset / sectorSize) % SECTORS_PER_BLOCK);
  return { sectors, head: Math.min(toBorder, sectors) };
}

/**
 * Where the ESP8266 would erase a sector too many, all sectors but the last are written, and then the last two of them: both are
 * numbers that it erases rightly. A single sector has no second one to go with: `mustSpareNeighbours` (`write-regions.ts`) refuses that.
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
