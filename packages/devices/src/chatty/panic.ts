/**
 * A panic as ESP-IDF prints it (Programming Guide, "Fatal Errors"): reason, registers, backtrace as pairs of program
 * counter and stack pointer, then the restart. The addresses are fixed, so that a test can look them up in its ELF
 * file.
 */
const registers: readonly (readonly [string, number])[] = [
  ['PC', 0x400d5b3e],
  ['PS', 0x00060f30],
  ['A0', 0x800d5c81],
  ['A1', 0x3ffb4e10],
  ['A2', 0x00000000],
  ['A3', 0x3f4025cc],
  ['A4', 0x00000001],
  ['A5', 0x3ffb4e50],
  ['A6', 0x00000000],
  ['A7', 0x00000008],
  ['A8', 0x800d5b38],
  ['A9', 0x3ffb4df0],
  ['A10', 0x00000001],
  ['A11', 0x3f402610],
  ['A12', 0x00000008],
  ['A13', 0x3ffb4ed0],
  ['A14', 0x00000000],
  ['A15', 0x00000000],
  ['SAR', 0x00000019],
  ['EXCCAUSE', 0x0000001c],
  ['EXCVADDR', 0x00000000],
  ['LBEG', 0x400014fd],
  ['LEND', 0x4000150d],
  ['LCOUNT', 0xfffffffe],
];

const backtrace: readonly (readonly [number, number])[] = [
  [0x400d5b3b, 0x3ffb4e10],
  [0x400d5c7e, 0x3ffb4e30],
  [0x400d6a12, 0x3ffb4e60],
  [0x400e1f4d, 0x3ffb4ea0],
  [0x4008a1b5, 0x3ffb4ed0],
];

/** Milliseconds from the last line of a panic to the chip's restart. */
export const panicRestart = 50;

export function panicText(): string {
  return [
    ...guruText(1, 'LoadProhibited', registers, backtraceLine(backtrace)),
    '',
    'ELF file SHA256: 7d0c5e1b94a2f368',
    '',
    'Rebooting...',
    '',
  ].join('\r\n');
}

/**
 * Returns the lines of a "Guru Meditation" panic, up to the backtrace.
 * @param backtrace Line from `backtraceLine`.
 */
export function guruText(
  core: 0 | 1,
  reason: string,
  values: readonly (readonly [string, number])[],
  backtrace: string,
): string[] {
  const dump = values.map(([name, value]) => `${name.padEnd(8)}: ${hex(value)}  `);
  const rows = Array.from({ length: dump.length / 4 }, (_, row) => dump.slice(row * 4, row * 4 + 4).join(''));
  return [
    '',
    `Guru Meditation Error: Core  ${core} panic'ed (${reason}). Exception was unhandled.`,
    '',
    `Core  ${core} register dump:`,
    ...rows,
    '',
    backtrace,
  ];
}

/** @param frames Pairs of program counter and stack pointer, innermost first. */
export function backtraceLine(frames: readonly (readonly [number, number])[]): string {
  return `Backtrace: ${frames.map(([counter, stack]) => `${hex(counter)}:${hex(stack)}`).join(' ')}`;
}

function hex(value: number): string {
  return `0x${value.toString(16).padStart(8, '0')}`;
}
