/**
 * Programs for the simulated parts: a Cortex-M vector table, and a text that the simulation prints when it "runs" the
 * program. They contain no real code.
 */
import { joined, viewOf } from '../byte-fields.ts';
import { flashStart, type StmRange } from './parts/part.ts';

export interface StmFirmwareOptions {
  /** Printed at the start. */
  readonly text: string;
  /** Rate of its console, 8N1, in baud. Default 115200. */
  readonly baudRate?: number;
  /** Address for which it is linked. Default 0x08000000. */
  readonly address?: number;
  /** Minimum size in bytes, reached by filler. The result is a multiple of 4. Default: as short as possible. */
  readonly size?: number;
  /** Seed of the filler. Default 1. */
  readonly seed?: number;
  /** True: add a mark for which flashers refuse to write it to a real part. Default false. */
  readonly demoOnly?: boolean;
}

/** Precedes the text: this name with a 0, the rate (little-endian), the text, a 0. */
const marker = new TextEncoder().encode('wirebench-stm32-program\0');
/** Mark by which flashers recognise demo firmware. */
const demoMark = new TextEncoder().encode('wirebench-boot-text:\0');
/** 16 exceptions and 32 interrupts (ARMv7-M Architecture Reference Manual, section B1.5.3). The marker follows them. */
const vectors = 48;
const programStart = vectors * 4;
/** An address inside every part's RAM. */
const initialStack = 0x2000_2000;
/** Bytes from an address on that are searched for a marker. */
const searched = 65_536;

export interface StmProgram {
  readonly text: string;
  readonly baudRate: number;
}

/** Returns a program that the simulated parts can run. Its length is a multiple of 4. */
export function stmFirmware(options: StmFirmwareOptions): Uint8Array<ArrayBuffer> {
  const { text, baudRate = 115_200, address = flashStart, size = 0, seed = 1, demoOnly = false } = options;
  const spoken = joined(new TextEncoder().encode(`${text}\0`), demoOnly ? demoMark : new Uint8Array());
  const least = programStart + marker.length + 4 + spoken.length;
  const image = new Uint8Array(Math.ceil(Math.max(least, size) / 4) * 4);
  const view = new DataView(image.buffer);
  let state = seed >>> 0;
  for (let at = least; at < image.length; at++) {
    // A linear congruential generator (Numerical Recipes, section 7.1), so that the filler does not compress well.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    image[at] = state >>> 24;
  }
  view.setUint32(0, initialStack, true);
  for (let index = 1; index < vectors; index++) {
    // The lowest bit selects Thumb. Without it the core faults at once.
    view.setUint32(index * 4, (address + programStart + 1) >>> 0, true);
  }
  image.set(marker, programStart);
  view.setUint32(programStart + marker.length, baudRate, true);
  image.set(spoken, programStart + marker.length + 4);
  return image;
}

/**
 * True if a core could start with this table: the stack in RAM, and a Thumb reset handler in one of the ranges
 * `code`.
 */
export function isVectorTable(table: Uint8Array, code: readonly StmRange[]): boolean {
  const view = viewOf(table);
  if (table.length < 8) {
    return false;
  }
  const stack = view.getUint32(0, true);
  const handler = view.getUint32(4, true);
  const stackInRam = stack >= 0x1000_0000 && stack < 0x4000_0000 && stack % 4 === 0;
  const start = handler & ~1;
  return (
    stackInRam && handler % 2 === 1 && code.some((range) => start >= range.start && start < range.start + range.length)
  );
}

/** Returns the text and rate of a program; null for one without a marker. `image` begins at its vector table. */
export function programIn(image: Uint8Array): StmProgram | null {
  const at = indexOf(image.subarray(0, searched), marker);
  if (at < 0) {
    return null;
  }
  const start = at + marker.length;
  const view = viewOf(image);
  const end = image.indexOf(0, start + 4);
  if (end < 0) {
    return null;
  }
  return { baudRate: view.getUint32(start, true), text: new TextDecoder().decode(image.subarray(start + 4, end)) };
}

function indexOf(bytes: Uint8Array, wanted: Uint8Array): number {
  for (let at = bytes.indexOf(wanted[0] ?? 0); at >= 0; at = bytes.indexOf(wanted[0] ?? 0, at + 1)) {
    if (wanted.every((byte, index) => bytes[at + index] === byte)) {
      return at;
    }
  }
  return -1;
}
