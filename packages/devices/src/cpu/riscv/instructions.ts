/**
 * RV32I and M. Each instruction becomes a function, created once for each address ("The RISC-V Instruction Set
 * Manual, Volume I: Unprivileged ISA", chapters "RV32I Base Integer Instruction Set", "M" and "Zicsr"; listings in
 * chapter "RV32/64G Instruction Set Listings"). Integers have 32 bits and two's complement.
 */
import { upperProduct, upperSignedProduct } from '../arithmetic.ts';
import type { Bus } from '../bus.ts';
import { nextAt, sinkAt } from '../cpu.ts';

/** The state that instructions work on. Register 0 is never written. */
export interface RiscvState {
  readonly registers: Int32Array;
  readonly bus: Bus;
  /** Returns null for unknown control and status registers. */
  readCsr(number: number): number | null;
  writeCsr(number: number, value: number): boolean;
  /** Executes EBREAK, ECALL, MRET or WFI. Returns false for other numbers. */
  system(number: number): boolean;
  /** @throws CpuFault always. */
  illegal(): never;
}

export type Execute = (state: RiscvState) => void;

/**
 * Decodes an instruction. Returns null if it is invalid.
 * @param length Length in memory in bytes: 2 for an expanded compressed instruction, otherwise 4.
 */
export function instructionOf(word: number, length: number): Execute | null {
  const rd = ((word >> 7) & 31) === 0 ? sinkAt : (word >> 7) & 31;
  const rs1 = (word >> 15) & 31;
  const rs2 = (word >> 20) & 31;
  const funct3 = (word >> 12) & 7;
  const signedTop = word >> 20;
  switch (word & 0x7f) {
    case 0x03:
      return load(funct3, rd, rs1, signedTop);
    case 0x0f:
      // FENCE and FENCE.I: writes are visible at once, also to the decoder.
      return funct3 < 2 ? () => undefined : null;
    case 0x13:
      return withImmediate(funct3, rd, rs1, word);
    case 0x17:
      return ({ registers }) => {
        registers[rd] = (registers[nextAt] as number) - length + (word & ~0xfff);
      };
    case 0x23:
      return store(funct3, rs1, rs2, ((word >> 25) << 5) | ((word >> 7) & 31));
    case 0x33:
      return withRegister(word >>> 25, funct3, rd, rs1, rs2);
    case 0x37:
      return ({ registers }) => {
        registers[rd] = word & ~0xfff;
      };
    case 0x63:
      return branch(funct3, rs1, rs2, branchOffset(word) - length);
    case 0x67:
      return funct3 === 0 ? jumpToRegister(rd, rs1, signedTop) : null;
    case 0x6f: {
      const offset = jumpOffset(word) - length;
      return ({ registers }) => {
        const next = registers[nextAt] as number;
        registers[rd] = next;
        registers[nextAt] = next + offset;
      };
    }
    case 0x73:
      return funct3 === 0 ? system(word) : controlAndStatus(funct3, rd, rs1, word >>> 20);
    default:
      return null;
  }
}

function branchOffset(word: number): number {
  return ((word >> 31) << 12) | ((word << 4) & 0x800) | ((word >> 20) & 0x7e0) | ((word >> 7) & 0x1e);
}

function jumpOffset(word: number): number {
  return ((word >> 31) << 20) | (word & 0xff000) | ((word >> 9) & 0x800) | ((word >> 20) & 0x7fe);
}

function jumpToRegister(rd: number, rs1: number, offset: number): Execute {
  return ({ registers }) => {
    const target = ((registers[rs1] as number) + offset) & ~1;
    registers[rd] = registers[nextAt] as number;
    registers[nextAt] = target;
  };
}

function branch(funct3: number, rs1: number, rs2: number, offset: number): Execute | null {
  switch (funct3) {
    case 0:
      return ({ registers: r }) => {
        if (r[rs1] === r[rs2]) {
          r[nextAt] = (r[nextAt] as number) + offset;
        }
      };
    case 1:
      return ({ registers: r }) => {
        if (r[rs1] !== r[rs2]) {
          r[nextAt] = (r[nextAt] as number) + offset;
        }
      };
    case 4:
      return ({ registers: r }) => {
        if ((r[rs1] as number) < (r[rs2] as number)) {
          r[nextAt] = (r[nextAt] as number) + offset;
        }
      };
    case 5:
      return ({ registers: r }) => {
        if ((r[rs1] as number) >= (r[rs2] as number)) {
          r[nextAt] = (r[nextAt] as number) + offset;
        }
      };
    case 6:
      return ({ registers: r }) => {
        if ((r[rs1] as number) >>> 0 < (r[rs2] as number) >>> 0) {
          r[nextAt] = (r[nextAt] as number) + offset;
        }
      };
    case 7:
      return ({ registers: r }) => {
        if ((r[rs1] as number) >>> 0 >= (r[rs2] as number) >>> 0) {
          r[nextAt] = (r[nextAt] as number) + offset;
        }
      };
    default:
      return null;
  }
}

function load(funct3: number, rd: number, rs1: number, offset: number): Execute | null {
  switch (funct3) {
    case 0:
      return ({ registers, bus }) => {
        registers[rd] = (bus.read8((registers[rs1] as number) + offset) << 24) >> 24;
      };
    case 1:
      return ({ registers, bus }) => {
        registers[rd] = (bus.read16((registers[rs1] as number) + offset) << 16) >> 16;
      };
    case 2:
      return ({ registers, bus }) => {
        registers[rd] = bus.read32((registers[rs1] as number) + offset);
      };
    case 4:
      return ({ registers, bus }) => {
        registers[rd] = bus.read8((registers[rs1] as number) + offset);
      };
    case 5:
      return ({ registers, bus }) => {
        registers[rd] = bus.read16((registers[rs1] as number) + offset);
      };
    default:
      return null;
  }
}

function store(funct3: number, rs1: number, rs2: number, offset: number): Execute | null {
  switch (funct3) {
    case 0:
      return ({ registers, bus }) => bus.write8((registers[rs1] as number) + offset, registers[rs2] as number);
    case 1:
      return ({ registers, bus }) => bus.write16((registers[rs1] as number) + offset, registers[rs2] as number);
    case 2:
      return ({ registers, bus }) => bus.write32((registers[rs1] as number) + offset, registers[rs2] as number);
    default:
      return null;
  }
}

function withImmediate(funct3: number, rd: number, rs1: number, word: number): Execute | null {
  const value = word >> 20;
  const amount = value & 31;
  const funct7 = word >>> 25;
  switch (funct3) {
    case 0:
      return ({ registers: r }) => {
        r[rd] = (r[rs1] as number) + value;
      };
    case 1:
      return funct7 !== 0
        ? null
        : ({ registers: r }) => {
            r[rd] = (r[rs1] as number) << amount;
          };
    case 2:
      return ({ registers: r }) => {
        r[rd] = (r[rs1] as number) < value ? 1 : 0;
      };
    case 3: {
      const unsigned = value >>> 0;
      return ({ registers: r }) => {
        r[rd] = (r[rs1] as number) >>> 0 < unsigned ? 1 : 0;
      };
    }
    case 4:
      return ({ registers: r }) => {
        r[rd] = (r[rs1] as number) ^ value;
      };
    case 5:
      if (funct7 === 0x20) {
        return ({ registers: r }) => {
          r[rd] = (r[rs1] as number) >> amount;
        };
      }
      return funct7 !== 0
        ? null
        : ({ registers: r }) => {
            r[rd] = (r[rs1] as number) >>> amount;
          };
    case 6:
      return ({ registers: r }) => {
        r[rd] = (r[rs1] as number) | value;
      };
    default:
      return ({ registers: r }) => {
        r[rd] = (r[rs1] as number) & value;
      };
  }
}

/** The result of two numbers, for one pair of `funct7` and `funct3`. */
type Operation = (one: number, other: number) => number;

function withRegister(funct7: number, funct3: number, rd: number, rs1: number, rs2: number): Execute | null {
  const plain = funct7 === 0 ? fast(funct3, rd, rs1, rs2) : null;
  if (plain !== null) {
    return plain;
  }
  const operation = operations.get((funct7 << 3) | funct3);
  if (operation === undefined) {
    return null;
  }
  return ({ registers: r }) => {
    r[rd] = operation(r[rs1] as number, r[rs2] as number);
  };
}

/** Returns the most frequent instructions as functions without an inner call. */
function fast(funct3: number, rd: number, rs1: number, rs2: number): Execute | null {
  switch (funct3) {
    case 0:
      return ({ registers: r }) => {
        r[rd] = (r[rs1] as number) + (r[rs2] as number);
      };
    case 4:
      return ({ registers: r }) => {
        r[rd] = (r[rs1] as number) ^ (r[rs2] as number);
      };
    case 6:
      return ({ registers: r }) => {
        r[rd] = (r[rs1] as number) | (r[rs2] as number);
      };
    case 7:
      return ({ registers: r }) => {
        r[rd] = (r[rs1] as number) & (r[rs2] as number);
      };
    default:
      return null;
  }
}

const operations: ReadonlyMap<number, Operation> = new Map<number, Operation>([
  // SUB, SLL, SLT, SLTU, SRL and SRA.
  [0x100, (one, other) => one - other],
  [0x001, (one, other) => one << (other & 31)],
  [0x002, (one, other) => (one < other ? 1 : 0)],
  [0x003, (one, other) => (one >>> 0 < other >>> 0 ? 1 : 0)],
  [0x005, (one, other) => one >>> (other & 31)],
  [0x105, (one, other) => one >> (other & 31)],
  // MUL, MULH, MULHSU and MULHU.
  [0x008, (one, other) => Math.imul(one, other)],
  [0x009, upperSignedProduct],
  [0x00a, (one, other) => upperProduct(one, other) - (one < 0 ? other : 0)],
  [0x00b, upperProduct],
  // DIV, DIVU, REM and REMU. Division by zero follows section "Division Operations", without an exception.
  [0x00c, (one, other) => (other === 0 ? -1 : one / other)],
  [0x00d, (one, other) => (other === 0 ? -1 : (one >>> 0) / (other >>> 0))],
  [0x00e, (one, other) => (other === 0 ? one : one % other)],
  [0x00f, (one, other) => (other === 0 ? one : (one >>> 0) % (other >>> 0))],
]);

/** ECALL, EBREAK, MRET and WFI. */
function system(word: number): Execute | null {
  if ((word & 0x000fff80) !== 0) {
    return null;
  }
  const number = word >>> 20;
  return (state) => {
    if (!state.system(number)) {
      state.illegal();
    }
  };
}

function controlAndStatus(funct3: number, rd: number, rs1: number, number: number): Execute | null {
  const kind = funct3 & 3;
  if (kind === 0) {
    return null;
  }
  const isImmediate = (funct3 & 4) !== 0;
  // CSRRS and CSRRC of register 0, or of an immediate of 0, do not write.
  const writes = kind === 1 || rs1 !== 0;
  return (state) => {
    const value = isImmediate ? rs1 : (state.registers[rs1] as number);
    const before = state.readCsr(number) ?? state.illegal();
    const after = kind === 1 ? value : kind === 2 ? before | value : before & ~value;
    if (writes && !state.writeCsr(number, after)) {
      state.illegal();
    }
    state.registers[rd] = before;
  };
}
