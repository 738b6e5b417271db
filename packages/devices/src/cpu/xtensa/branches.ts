/**
 * Xtensa calls, jumps, branches and loops ("Xtensa Instruction Set Architecture (ISA) Reference Manual", section 7.3
 * "Opcode Maps", formats CALLN, SI, B and ST2; each instruction: chapter 6). Windowed calls and branches on booleans
 * are not supported.
 */
import { nextAt } from '../cpu.ts';
import { type Execute, type Fields, signed } from './state.ts';

/** Section 6 "Instruction Descriptions", "Branch Immediate (b4const) Encodings" and "Branch Unsigned Immediate (b4constu) Encodings". */
const b4const = [-1, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 32, 64, 128, 256] as const;
const b4constu = [32_768, 65_536, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 32, 64, 128, 256] as const;

/** CALL0, whose target is a multiple of 4. */
export function call({ word, pc, n }: Fields): Execute | null {
  if (n !== 0) {
    return null;
  }
  const target = (pc & ~3) + (signed(word >> 6, 18) << 2) + 4;
  const back = pc + 3;
  return ({ registers }) => {
    registers[0] = back;
    registers[nextAt] = target;
  };
}

/** CALLX0. */
export function callRegister({ s, pc }: Fields): Execute {
  const back = pc + 3;
  return ({ registers }) => {
    const target = registers[s] as number;
    registers[0] = back;
    registers[nextAt] = target;
  };
}

/** JX, and RET with register 0. */
export function jumpToRegister(s: number): Execute {
  return ({ registers }) => {
    registers[nextAt] = registers[s] as number;
  };
}

/** J, branches that compare with zero or a constant, and loops: format SI. */
export function jumpOrBranch(fields: Fields): Execute | null {
  const { word, pc, s, r, m, n, imm8 } = fields;
  const near = pc + 4 + signed(imm8, 8);
  switch (n) {
    case 0:
      return jump(pc + 4 + signed(word >> 6, 18));
    case 1:
      return compareZero(m, s, pc + 4 + signed(word >> 12, 12));
    case 2:
      return compareConstant(m, s, b4const[r] as number, near);
    default:
      return m < 2 ? (m === 1 ? loop(fields) : null) : compareUnsignedConstant(m, s, b4constu[r] as number, near);
  }
}

function jump(target: number): Execute {
  return ({ registers }) => {
    registers[nextAt] = target;
  };
}

/** BEQZ, BNEZ, BLTZ, BGEZ; the first two also as BEQZ.N and BNEZ.N. */
export function compareZero(kind: number, s: number, target: number): Execute {
  switch (kind) {
    case 0:
      return ({ registers: r }) => {
        if (r[s] === 0) {
          r[nextAt] = target;
        }
      };
    case 1:
      return ({ registers: r }) => {
        if (r[s] !== 0) {
          r[nextAt] = target;
        }
      };
    case 2:
      return ({ registers: r }) => {
        if ((r[s] as number) < 0) {
          r[nextAt] = target;
        }
      };
    default:
      return ({ registers: r }) => {
        if ((r[s] as number) >= 0) {
          r[nextAt] = target;
        }
      };
  }
}

/** BEQI, BNEI, BLTI, BGEI. */
function compareConstant(kind: number, s: number, value: number, target: number): Execute {
  switch (kind) {
    case 0:
      return ({ registers: r }) => {
        if (r[s] === value) {
          r[nextAt] = target;
        }
      };
    case 1:
      return ({ registers: r }) => {
        if (r[s] !== value) {
          r[nextAt] = target;
        }
      };
    case 2:
      return ({ registers: r }) => {
        if ((r[s] as number) < value) {
          r[nextAt] = target;
        }
      };
    default:
      return ({ registers: r }) => {
        if ((r[s] as number) >= value) {
          r[nextAt] = target;
        }
      };
  }
}

/** BLTUI (2) and BGEUI (3). */
function compareUnsignedConstant(kind: number, s: number, value: number, target: number): Execute {
  const below = kind === 2;
  return ({ registers: r }) => {
    if ((r[s] as number) >>> 0 < value === below) {
      r[nextAt] = target;
    }
  };
}

/** LOOP, LOOPNEZ and LOOPGTZ (section 4.3.2 "Loop Option"). */
function loop({ pc, s, r, imm8 }: Fields): Execute | null {
  if (r < 8 || r > 10) {
    return null;
  }
  const [begin, end] = [pc + 3, pc + 4 + imm8];
  return (state) => {
    const count = state.registers[s] as number;
    state.loop(begin, end, count - 1);
    if ((r === 9 && count === 0) || (r === 10 && count <= 0)) {
      state.registers[nextAt] = end;
    }
  };
}

/** Branches that compare two registers or test bits: format B. */
export function compareRegisters({ pc, s, t, r, imm8 }: Fields): Execute {
  const target = pc + 4 + signed(imm8, 8);
  // BBCI and BBSI have the upper bit of the bit number in `r`.
  const bit = 1 << (t | ((r & 1) << 4));
  switch (r) {
    case 0:
      return when((one, other) => (one & other) === 0, s, t, target);
    case 1:
      return ({ registers }) => {
        if (registers[s] === registers[t]) {
          registers[nextAt] = target;
        }
      };
    case 2:
      return ({ registers }) => {
        if ((registers[s] as number) < (registers[t] as number)) {
          registers[nextAt] = target;
        }
      };
    case 3:
      return ({ registers }) => {
        if ((registers[s] as number) >>> 0 < (registers[t] as number) >>> 0) {
          registers[nextAt] = target;
        }
      };
    case 4:
      return when((one, other) => (~one & other) === 0, s, t, target);
    case 5:
      return when((one, other) => ((one >> (other & 31)) & 1) === 0, s, t, target);
    case 6:
    case 7:
      return ({ registers }) => {
        if (((registers[s] as number) & bit) === 0) {
          registers[nextAt] = target;
        }
      };
    case 8:
      return when((one, other) => (one & other) !== 0, s, t, target);
    case 9:
      return ({ registers }) => {
        if (registers[s] !== registers[t]) {
          registers[nextAt] = target;
        }
      };
    case 10:
      return ({ registers }) => {
        if ((registers[s] as number) >= (registers[t] as number)) {
          registers[nextAt] = target;
        }
      };
    case 11:
      return ({ registers }) => {
        if ((registers[s] as number) >>> 0 >= (registers[t] as number) >>> 0) {
          registers[nextAt] = target;
        }
      };
    case 12:
      return when((one, other) => (~one & other) !== 0, s, t, target);
    case 13:
      return when((one, other) => ((one >> (other & 31)) & 1) !== 0, s, t, target);
    default:
      return ({ registers }) => {
        if (((registers[s] as number) & bit) !== 0) {
          registers[nextAt] = target;
        }
      };
  }
}

function when(condition: (one: number, other: number) => boolean, s: number, t: number, target: number): Execute {
  return ({ registers }) => {
    if (condition(registers[s] as number, registers[t] as number)) {
      registers[nextAt] = target;
    }
  };
}
