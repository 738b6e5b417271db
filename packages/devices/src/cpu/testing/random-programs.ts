/**
 * Random instruction sequences as assembly. Each begins with random registers and leaves its registers in `output`.
 * The GNU assembler encodes the instructions, except for those that it does not support.
 */
import type { Random } from '../../random.ts';

const cases = 100;
const sequenceLength = 24;

const hexWord = (random: Random) => {
  // Edge values are more frequent than in uniformly random numbers.
  const edges = [0, 1, 2, 31, 32, 0x7f, 0x80, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff];
  const value =
    random.below(3) === 0 ? edges[random.below(edges.length)] : random.below(0x10000) * 0x10000 + random.below(0x10000);
  return `0x${(value ?? 0).toString(16)}`;
};

function oneOf<T>(random: Random, ...choices: readonly T[]): T {
  return choices[random.below(choices.length)] as T;
}

/**
 * Returns the common data section: the initial registers of each case, the memory they access, and the space for
 * their results.
 */
function dataOf(random: Random, registers: number): string {
  const words = (count: number) => `  .word ${Array.from({ length: count }, () => hexWord(random)).join(', ')}`;
  const inputs = Array.from({ length: cases }, (_, number) => `input${number}:\n${words(registers)}`);
  const size = cases * registers * 4;
  return `
  .data
  .align 2
scratch:
${words(16)}
${inputs.join('\n')}
  .global output, output_length
output:
  .space ${size}
output_length:
  .word ${size}
`;
}

const riscvFirst = 5;
const riscvCount = 26;

/** Uses x5 to x30. x31 is the base address of memory. */
export function riscvProgram(random: Random): string {
  const body = Array.from({ length: cases }, (_, number) => {
    const all = Array.from({ length: riscvCount }, (_entry, index) => index);
    return [
      `  la x31, input${number}`,
      ...all.map((index) => `  lw x${riscvFirst + index}, ${index * 4}(x31)`),
      '  la x31, scratch',
      ...Array.from({ length: sequenceLength }, () => riscvInstruction(random)),
      `  la x31, output + ${number * riscvCount * 4}`,
      ...all.map((index) => `  sw x${riscvFirst + index}, ${index * 4}(x31)`),
    ].join('\n');
  });
  const text = ['  .text', '  .global main', 'main:', '  addi sp, sp, -16', '  sw ra, 12(sp)', ...body];
  return [...text, '  lw ra, 12(sp)', '  addi sp, sp, 16', '  ret', dataOf(random, riscvCount)].join('\n');
}

function riscvInstruction(random: Random): string {
  // x8 to x15 have compressed instructions, and so do instructions with twice the same register.
  const register = () => (random.below(3) > 0 ? 8 + random.below(8) : riscvFirst + random.below(riscvCount));
  const rd = register();
  const rs1 = random.below(2) === 0 ? rd : register();
  const rs2 = random.below(12) === 0 ? 0 : register();
  const small = random.below(2) === 0 ? random.below(64) - 32 : random.below(4_096) - 2_048;
  const shift = random.below(32);
  switch (random.below(8)) {
    case 0:
    case 1: {
      const name = oneOf(random, 'add', 'sub', 'sll', 'slt', 'sltu', 'xor', 'srl', 'sra', 'or', 'and');
      return `  ${name} x${rd}, x${rs1}, x${rs2}`;
    }
    case 2: {
      const name = oneOf(random, 'mul', 'mulh', 'mulhsu', 'mulhu', 'div', 'divu', 'rem', 'remu');
      return `  ${name} x${rd}, x${rs1}, x${rs2}`;
    }
    case 3:
      return `  ${oneOf(random, 'addi', 'slti', 'sltiu', 'xori', 'ori', 'andi')} x${rd}, x${rs1}, ${small}`;
    case 4:
      return `  ${oneOf(random, 'slli', 'srli', 'srai')} x${rd}, x${rs1}, ${shift}`;
    case 5:
      return oneOf(
        random,
        `  lui x${rd}, ${random.below(2) === 0 ? random.below(31) + 1 : random.below(0x100000)}`,
        `  auipc x${rd}, ${random.below(0x100000)}`,
        `  li x${rd}, ${small}`,
        `  mv x${rd}, x${register()}`,
      );
    case 6: {
      const [name, size] = oneOf(
        random,
        ['lb', 1],
        ['lbu', 1],
        ['lh', 2],
        ['lhu', 2],
        ['lw', 4],
        ['sb', 1],
        ['sh', 2],
        ['sw', 4],
      );
      return `  ${name} x${rd}, ${random.below(64 / size) * size}(x31)`;
    }
    default:
      return riscvJump(random, rd, rs1, rs2, register());
  }
}

/** Returns a jump or branch over two instructions. */
function riscvJump(random: Random, rd: number, rs1: number, rs2: number, other: number): string {
  const skipped = `  addi x${other}, x${other}, ${random.below(31) + 1}\n  xor x${rd}, x${rd}, x${rs1}\n1:`;
  switch (random.below(5)) {
    case 0:
      return `  jal x${rd}, 1f\n${skipped}`;
    case 1:
      return `  la x${other}, 1f\n  jalr x${rd}, 1(x${other})\n${skipped}`;
    case 2:
      return `  ${oneOf(random, 'beqz', 'bnez')} x${rs1}, 1f\n${skipped}`;
    case 3:
      return `  j 1f\n${skipped}`;
    default:
      return `  ${oneOf(random, 'beq', 'bne', 'blt', 'bge', 'bltu', 'bgeu')} x${rs1}, x${rs2}, 1f\n${skipped}`;
  }
}

const xtensaFirst = 2;
const xtensaCount = 13;

/** Uses a2 to a14 and SAR. a15 is the base address of memory. */
export function xtensaProgram(random: Random): string {
  const body = Array.from({ length: cases }, (_, number) => {
    const all = Array.from({ length: xtensaCount }, (_entry, index) => index);
    return [
      '  j 2f',
      '  .literal_position',
      '  .align 4',
      `2: movi a15, input${number}`,
      `  l32i a2, a15, ${xtensaCount * 4}`,
      '  ssr a2',
      ...all.map((index) => `  l32i a${xtensaFirst + index}, a15, ${index * 4}`),
      '  movi a15, scratch',
      ...Array.from({ length: sequenceLength }, () => xtensaInstruction(random)),
      `  movi a15, output + ${number * (xtensaCount + 1) * 4}`,
      ...all.map((index) => `  s32i a${xtensaFirst + index}, a15, ${index * 4}`),
      '  rsr.sar a2',
      `  s32i a2, a15, ${xtensaCount * 4}`,
    ].join('\n');
  });
  const text = ['  .text', '  .align 4', '  .global main', 'main:', '  addi a1, a1, -16', '  s32i a0, a1, 0', ...body];
  return [...text, '  l32i a0, a1, 0', '  addi a1, a1, 16', '  ret', dataOf(random, xtensaCount + 1)].join('\n');
}

/** Returns an instruction of format RRR as bytes, for instructions that the assembler does not know. */
function encoded(op2: number, op1: number, r: number, s: number, t: number): string {
  return `  .byte ${t << 4}, ${(r << 4) | s}, ${(op2 << 4) | op1}`;
}

function xtensaInstruction(random: Random): string {
  const register = () => xtensaFirst + random.below(xtensaCount);
  const [r, s, t] = [register(), register(), register()];
  switch (random.below(11)) {
    case 0:
    case 1: {
      const names = [
        'add',
        'sub',
        'and',
        'or',
        'xor',
        'addx2',
        'addx4',
        'addx8',
        'subx2',
        'subx4',
        'subx8',
        'mull',
        'mul16u',
        'mul16s',
      ];
      return `  ${oneOf(random, ...names)} a${r}, a${s}, a${t}`;
    }
    case 2: {
      const from = random.below(32);
      return oneOf(
        random,
        `  slli a${r}, a${s}, ${1 + random.below(31)}`,
        `  srai a${r}, a${s}, ${random.below(32)}`,
        `  srli a${r}, a${s}, ${random.below(16)}`,
        `  extui a${r}, a${s}, ${from}, ${1 + random.below(Math.min(16, 32 - from))}`,
      );
    }
    case 3:
      return oneOf(
        random,
        ...[`  ssr a${s}`, `  ssl a${s}`, `  ssa8l a${s}`, `  ssai ${random.below(32)}`, `  ssa8b a${s}`],
        ...[`  src a${r}, a${s}, a${t}`, `  sll a${r}, a${s}`],
        // For a distance of 32 the emulator does not shift right at all; the manual says 32 times 0 or the sign. SSR
        // excludes 32.
        `  ssr a${s}\n  ${oneOf(random, 'srl', 'sra')} a${r}, a${t}`,
      );
    case 4:
      return oneOf(
        random,
        `  movi a${r}, ${random.below(4_096) - 2_048}`,
        `  movi.n a${r}, ${random.below(128) - 32}`,
        `  addi a${r}, a${s}, ${random.below(256) - 128}`,
        `  addi.n a${r}, a${s}, ${oneOf(random, -1, 1 + random.below(15))}`,
        `  addmi a${r}, a${s}, ${(random.below(256) - 128) * 256}`,
        `  mov.n a${r}, a${s}`,
      );
    case 5:
      return `  ${oneOf(random, 'nsa', 'nsau', 'abs', 'neg')} a${r}, a${s}`;
    case 6:
      return `  ${oneOf(random, 'moveqz', 'movnez', 'movltz', 'movgez')} a${r}, a${s}, a${t}`;
    case 7: {
      const [name, size] = oneOf(
        random,
        ['l8ui', 1],
        ['l16ui', 2],
        ['l16si', 2],
        ['l32i', 4],
        ['s8i', 1],
        ['s16i', 2],
        ['s32i', 4],
      );
      return `  ${name} a${r}, a15, ${random.below(64 / size) * size}`;
    }
    case 8:
      return optional(random, r, s, t);
    case 9:
      return loop(random, r, s, t);
    default:
      return xtensaBranch(random, r, s, t);
  }
}

/** Returns instructions that Debian's assembler does not know, because its target chip lacks them. */
function optional(random: Random, r: number, s: number, t: number): string {
  const operation = random.below(8);
  if (operation < 2) {
    // SEXT and CLAMPS.
    return encoded(2 + operation, 3, r, s, random.below(16));
  }
  if (operation < 6) {
    return encoded(2 + operation, 3, r, s, t);
  }
  // QUOU, QUOS, REMU and REMS, never by zero.
  return `  movi a${t}, ${oneOf(random, -1, 1, 7, -1_000)}\n${encoded(12 + random.below(4), 2, r, s, t)}`;
}

/** LOOP, LOOPNEZ and LOOPGTZ around two instructions of three bytes. */
function loop(random: Random, r: number, s: number, t: number): string {
  const kind = random.below(3);
  const count = kind === 0 ? 1 + random.below(5) : random.below(6) - (kind === 2 ? 2 : 0);
  const head = `  movi a${s}, ${count === -1 && kind === 1 ? 0 : count}\n  .byte 0x76, ${((8 + kind) << 4) | s}, 5`;
  return `${head}\n  _addx2 a${r}, a${r}, a${t}\n  _sub a${t}, a${t}, a${r}`;
}

function xtensaBranch(random: Random, r: number, s: number, t: number): string {
  const skipped = `  add a${r}, a${r}, a${s}\n  xor a${t}, a${t}, a${r}\n1:`;
  const constant = oneOf(random, -1, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 32, 64, 128, 256);
  const unsigned = oneOf(random, 32_768, 65_536, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 32, 64, 128, 256);
  const two = ['beq', 'bne', 'blt', 'bge', 'bltu', 'bgeu', 'bany', 'bnone', 'ball', 'bnall', 'bbc', 'bbs'];
  const branch = oneOf(
    random,
    `${oneOf(random, ...two)} a${s}, a${t}, 1f`,
    `${oneOf(random, 'beqz', 'bnez', 'bltz', 'bgez', 'beqz.n', 'bnez.n')} a${s}, 1f`,
    `${oneOf(random, 'beqi', 'bnei', 'blti', 'bgei')} a${s}, ${constant}, 1f`,
    `${oneOf(random, 'bltui', 'bgeui')} a${s}, ${unsigned}, 1f`,
    `${oneOf(random, 'bbci', 'bbsi')} a${s}, ${random.below(32)}, 1f`,
    'j 1f',
    'call0 3f\n  .align 4\n3:',
    `movi a${s}, 1f\n  jx a${s}`,
  );
  return `  ${branch}\n${skipped}`;
}
