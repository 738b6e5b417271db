/**
 * The state that a RISC-V panic prints into the log (registers and part of the stack; ESP-IDF, `panic_arch.c`), as a
 * dump of one task. With the program's ELF file it can be unwound. The words of the stack alone would only give a
 * list with leftovers.
 */
import type { PanicMark } from '../panic/panic-mark.ts';
import type { CoreDump } from './core-dump.ts';
import { CoreMemory } from './core-memory.ts';

type StateMark = Pick<PanicMark, 'core' | 'registers' | 'memory'>;

/** Names by DWARF number (RISC-V ELF psABI, "Integer Register Convention"); x0 is not printed. */
const names = '- ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 t3 t4 t5 t6'.split(
  ' ',
);
/** The highest bit of MCAUSE marks an interrupt (privileged architecture, 3.1.15). */
const INTERRUPT = 0x8000_0000;

/**
 * Returns the state of the core whose registers come first.
 *
 * @param marks Marks of one crash, in the order of the log.
 * @param build First digits of the SHA-256 of the running ELF file; null if the log does not contain it.
 * @returns Null without a program counter, a stack pointer and memory of a RISC-V processor.
 */
export function printedDump(marks: readonly StateMark[], build: string | null): CoreDump | null {
  const first = marks.find(({ registers }) => registers?.['mepc'] !== undefined);
  const ofCore = marks.filter(({ core }) => core === first?.core);
  // The first dump of a core wins over a later one.
  const registers = Object.assign({}, ...ofCore.map((one) => one.registers ?? {}).reverse()) as Record<string, number>;
  const memory = ofCore.flatMap((one) => one.memory ?? []);
  const { mepc, sp, mcause, mtval = 0 } = registers;
  if (mepc === undefined || sp === undefined || memory.length === 0) {
    return null;
  }
  return {
    header: null,
    machine: 'riscv',
    memory: new CoreMemory(joinedRows(memory)),
    elf: null,
    tasks: [
      {
        tcb: 0,
        registers: { pc: mepc, general: names.map((name, index) => (index === 0 ? 0 : registers[name])), special: {} },
      },
    ],
    crashedTask: 0,
    inInterrupt: false,
    cause: mcause === undefined || mcause >= INTERRUPT ? null : { number: mcause, address: mtval },
    panicDetails: null,
    appHash: build,
  };
}

/** Joins adjacent rows into segments, because a read may cross rows. */
function joinedRows(rows: readonly NonNullable<PanicMark['memory']>[]): { address: number; bytes: Uint8Array }[] {
  const segments: { address: number; words: number[] }[] = [];
  for (const { address, words } of rows) {
    const last = segments.at(-1);
    if (last !== undefined && address === last.address + 4 * last.words.length) {
      last.words.push(...words);
    } else {
      segments.push({ address, words: [...words] });
    }
  }
  return segments.map(({ address, words }) => {
    const bytes = new Uint8Array(4 * words.length);
    const view = new DataView(bytes.buffer);
    for (const [index, word] of words.entries()) {
      view.setUint32(4 * index, word, true);
    }
    return { address, bytes };
  });
}
