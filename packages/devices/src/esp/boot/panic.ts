/** The ESP32-C3 ROM's output after an exception of the processor: the registers and a part of the stack, some 4 kB. */
import type { EspChip } from '../chips/chip.ts';

const registerNames = [
  'MEPC',
  'RA',
  'SP',
  'GP',
  'TP',
  'T0',
  'T1',
  'T2',
  'S0/FP',
  'S1',
  'A0',
  'A1',
  'A2',
  'A3',
  'A4',
  'A5',
  'A6',
  'A7',
  'S2',
  'S3',
  'S4',
  'S5',
  'S6',
  'S7',
  'S8',
  'S9',
  'S10',
  'S11',
  'T3',
  'T4',
  'T5',
  'T6',
  'MSTATUS',
  'MTVEC',
  'MCAUSE',
  'MTVAL',
  'MHARTID',
] as const;
const stackTop = 0x3fcde350;
const stackLines = 32;

/** Returns the panic with invented values. Empty for chips whose ROM prints nothing. */
export function panicText({ texts }: EspChip): string {
  if (texts.panics !== true) {
    return '';
  }
  const word = (index: number) => `0x${((0x4004_8b82 + Math.imul(index, 0x1357)) >>> 0).toString(16).padStart(8, '0')}`;
  const registers = registerNames.map((name, index) => `${name.padEnd(8)}: ${word(index)}  `);
  const rows = Array.from({ length: Math.ceil(registers.length / 4) }, (_, row) =>
    registers.slice(row * 4, row * 4 + 4).join(''),
  );
  const stack = Array.from({ length: stackLines }, (_, line) => {
    const words = Array.from({ length: 8 }, (__, column) => word(line * 8 + column)).join(' ');
    return `${(stackTop + line * 32).toString(16)}: ${words}`;
  });
  const text = ['', 'Exception was unhandled.', '', ...rows, '', 'Stack memory:', ...stack, ''];
  return text.join('\r\n');
}
