/**
 * The lines of the load generator. Line n follows from its number and the board's seed, so a receiver can check each line alone
 * or all together. A line has 40 bytes:
 *
 *     NNNNNNNN tttttttttttttttttttt cccccccc\r\n
 *     │        │                    └ CRC-32 (IEEE 802.3) of the 29 bytes before its blank, in lower-case hex
 *     │        └ 20 pseudo-random characters of `a`–`z`, blank, `.`, `-`, `:`, `_`, `=`
 *     └ number of the line from 0, in decimal, the lowest 8 digits
 */
import { crc32 } from '../digests/crc32.ts';
import { mix32 } from '../random.ts';

export const loadLineLength = 40;

const numberDigits = 8;
const textLength = 20;
const alphabet = new TextEncoder().encode('abcdefghijklmnopqrstuvwxyz .-:_=');
const hexDigits = new TextEncoder().encode('0123456789abcdef');
const blank = 0x20;
const zero = 0x30;

/** Returns `count` lines from line `first` on, as the board with this seed sends them. */
export function loadLines(first: number, count: number, seed: number): Uint8Array<ArrayBuffer> {
  const lines = new Uint8Array(count * loadLineLength);
  for (let index = 0; index < count; index++) {
    writeLine(lines, index * loadLineLength, first + index, seed);
  }
  return lines;
}

/** Yields the first `count` lines in chunks of at most 64 kB, for streams that do not fit into memory at once. */
export function* loadChunks(count: number, seed: number): Generator<Uint8Array<ArrayBuffer>> {
  const step = 1_600;
  for (let first = 0; first < count; first += step) {
    yield loadLines(first, Math.min(step, count - first), seed);
  }
}

/** Returns the number of lines that `load` sends: the smallest number with at least the requested bytes. */
export function loadLineCount(bytesPerSecond: number, seconds: number): number {
  return Math.ceil((bytesPerSecond * seconds) / loadLineLength);
}

function writeLine(target: Uint8Array, start: number, number: number, seed: number): void {
  let digits = number % 10 ** numberDigits;
  for (let at = start + numberDigits - 1; at >= start; at--) {
    target[at] = zero + (digits % 10);
    digits = Math.floor(digits / 10);
  }
  let at = start + numberDigits;
  target[at++] = blank;
  let state = mix32(seed ^ mix32(number));
  for (let index = 0; index < textLength; index += 5) {
    let bits = state;
    for (let character = 0; character < 5; character++) {
      target[at++] = alphabet[bits & 31] ?? blank;
      bits >>>= 5;
    }
    state = mix32(state + index + 1);
  }
  const crc = crc32(target, 0, start, at);
  target[at++] = blank;
  for (let shift = 28; shift >= 0; shift -= 4) {
    target[at++] = hexDigits[(crc >>> shift) & 15] ?? zero;
  }
  target[at++] = 0x0d;
  target[at] = 0x0a;
}
