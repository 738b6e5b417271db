/**
 * Parses rows of stack memory that handlers of Cortex-M faults print: an address, a sign or blanks, and words of 8
 * hexadecimal digits. Sources: CmBacktrace (`cm_backtrace.c`, `dump_stack`: `addr: 20000420 data: 08000a1d`), Mbed OS
 * (`mbed_error.c`, `print_stack_dump_core`: `0x20002F18:0x00000000 0x2000309C`), NuttX (`arm_assert.c`,
 * `arm_stackdump`: `200214e0: 200214f0 20021580`), and handlers of STM32 programs (`[0x20001f80] = 0x08000a1d`,
 * `SP+0x04: 0x08000a1d`).
 */
import type { PrintedMemory } from './panic-mark.ts';

const WORD = '(?:0x)?[0-9a-f]{8}';
const SIGN = '(?: {0,4}(?:[:=|]|->|=>) {0,4}| {1,4}|\\t)';
const WORDS = `(${WORD}(?:[ ,\\t]{1,4}${WORD}){0,15})`;
/** The same bytes as characters. */
const TEXT = '(?: {1,4}(?:\\||<).{0,40})?';
const cmBacktraceRow = /^addr: ([0-9a-f]{8}) {1,8}data: ([0-9a-f]{8})$/i;
/** NuttX prints the name of the printing function first. */
const addressedRow = new RegExp(`^(?:[a-z]{1,12}_\\w{1,20}: )?[\\[(]?(${WORD})[\\])]?${SIGN}${WORDS},?${TEXT}$`, 'i');
const relativeRow = new RegExp(
  `^[\\[(]?SP ?\\+ ?(?:0x([0-9a-f]{1,4})|([0-9]{1,4}))[\\])]?${SIGN}${WORDS},?${TEXT}$`,
  'i',
);
const words = /(?<![0-9a-z])(?:0x)?([0-9a-f]{8})(?![0-9a-z])/gi;

/**
 * Reads a row of stack memory.
 *
 * @param line Line of a fault's dump, without a tool's prefix.
 * @param stackPointer Value that a row relative to SP counts from; undefined if the log has not named it.
 * @returns Undefined for any other line, and for an address that is not a multiple of 4.
 */
export function memoryRow(line: string, stackPointer: number | undefined): PrintedMemory | undefined {
  const behindFrame = cmBacktraceRow.exec(line);
  const [, digits, content = ''] = behindFrame ?? addressedRow.exec(line) ?? [];
  if (digits !== undefined) {
    const address = Number.parseInt(digits, 16);
    const found = { address, words: wordsOf(content) };
    return address % 4 === 0 ? { ...found, ...(behindFrame !== null && { isBehindFrame: true as const }) } : undefined;
  }
  const [, hexadecimal, decimal, relative = ''] = relativeRow.exec(line) ?? [];
  const offset = Number.parseInt(hexadecimal ?? decimal ?? '', hexadecimal === undefined ? 10 : 16);
  return stackPointer !== undefined && offset % 4 === 0
    ? { address: stackPointer + offset, words: wordsOf(relative) }
    : undefined;
}

const wordsOf = (text: string) => [...text.matchAll(words)].map(([, digits = '']) => Number.parseInt(digits, 16));
