/** Processors with a small memory of their own, for tests of single instructions. */
import { ChipBus } from '../chip-bus.ts';
import type { Processor } from '../cpu.ts';
import { RiscvCpu } from '../riscv/riscv-cpu.ts';
import { XtensaCpu } from '../xtensa/xtensa-cpu.ts';

export const codeStart = 0x40000000;
/** Data view of the memory at `codeStart`. */
export const codeAsData = 0x3ff00000;
export const dataStart = 0x3f000000;
const size = 0x2000;

const kinds = { riscv: RiscvCpu, xtensa: XtensaCpu };
export type Kind = keyof typeof kinds;

/** Creates a processor about to execute `code` at `codeStart`. All other addresses are unmapped. */
export function processorWith(kind: Kind, code: Uint8Array | readonly number[]) {
  const bus = new ChipBus(
    [
      { start: codeStart, length: size, memory: 'code', kind: 'code' },
      { start: codeAsData, length: size, memory: 'code', kind: 'data' },
      { start: dataStart, length: size, memory: 'data', kind: 'data' },
    ],
    { read: () => null, write: () => false },
  );
  for (const [at, byte] of code.entries()) {
    bus.write8(codeAsData + at, byte);
  }
  const cpu: Processor = new kinds[kind](bus, codeStart);
  return { cpu, bus };
}

/** Returns 32-bit instructions of RISC-V as bytes, little-endian. */
export function riscvWords(...words: readonly number[]): number[] {
  return words.flatMap((word) => [word & 0xff, (word >> 8) & 0xff, (word >> 16) & 0xff, word >>> 24]);
}

/** Returns an Xtensa instruction of format RRR as bytes. */
export function rrr(op2: number, op1: number, r: number, s: number, t: number): number[] {
  return [t << 4, (r << 4) | s, (op2 << 4) | op1];
}
