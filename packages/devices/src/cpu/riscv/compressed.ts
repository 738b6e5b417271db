/**
 * Expands the 16-bit instructions of RV32C to their 32-bit equivalents ("The RISC-V Instruction Set Manual, Volume I:
 * Unprivileged ISA", chapter "C" Standard Extension for Compressed Instructions, section "RVC Instruction Set
 * Listings"). The floating-point and 64-bit instructions are not supported.
 */

const load = 0x03;
const immediate = 0x13;
const store = 0x23;
const register = 0x33;
const upper = 0x37;
const branch = 0x63;
const jumpToRegister = 0x67;
const jump = 0x6f;
const breakpoint = 0x00100073;
const stackPointer = 2;
const returnAddress = 1;

const typeI = (opcode: number, funct3: number, rd: number, rs1: number, value: number) =>
  (value << 20) | (rs1 << 15) | (funct3 << 12) | (rd << 7) | opcode;
const typeR = (funct7: number, funct3: number, rd: number, rs1: number, rs2: number) =>
  (funct7 << 25) | (rs2 << 20) | (rs1 << 15) | (funct3 << 12) | (rd << 7) | register;
const typeS = (rs1: number, rs2: number, offset: number) =>
  ((offset >> 5) << 25) | (rs2 << 20) | (rs1 << 15) | (2 << 12) | ((offset & 31) << 7) | store;
const typeB = (funct3: number, rs1: number, offset: number) =>
  (((offset >> 12) & 1) << 31) |
  (((offset >> 5) & 63) << 25) |
  (rs1 << 15) |
  (funct3 << 12) |
  (((offset >> 1) & 15) << 8) |
  (((offset >> 11) & 1) << 7) |
  branch;
const typeJ = (rd: number, offset: number) =>
  (((offset >> 20) & 1) << 31) |
  (((offset >> 1) & 0x3ff) << 21) |
  (((offset >> 11) & 1) << 20) |
  (((offset >> 12) & 0xff) << 12) |
  (rd << 7) |
  jump;

/** Moves `count` bits of `half`, from bit `from` on, to bit `to`. */
const field = (half: number, from: number, count: number, to: number) => ((half >> from) & ((1 << count) - 1)) << to;

/** Returns the 32-bit instruction, or null if the manual reserves the 16 bits or assigns them to another extension. */
export function expanded(half: number): number | null {
  const row = half >> 13;
  switch (half & 3) {
    case 0:
      return quadrant0(half, row);
    case 1:
      return quadrant1(half, row);
    default:
      return quadrant2(half, row);
  }
}

function quadrant0(half: number, row: number): number | null {
  const low = 8 + field(half, 2, 3, 0);
  const base = 8 + field(half, 7, 3, 0);
  const offset = field(half, 10, 3, 3) | field(half, 6, 1, 2) | field(half, 5, 1, 6);
  if (row === 0) {
    const value = field(half, 11, 2, 4) | field(half, 7, 4, 6) | field(half, 6, 1, 2) | field(half, 5, 1, 3);
    return value === 0 ? null : typeI(immediate, 0, low, stackPointer, value);
  }
  if (row === 2) {
    return typeI(load, 2, low, base, offset);
  }
  return row === 6 ? typeS(base, low, offset) : null;
}

function quadrant1(half: number, row: number): number | null {
  const rd = field(half, 7, 5, 0);
  const value = (field(half, 12, 1, 31) >> 26) | field(half, 2, 5, 0);
  switch (row) {
    case 0:
      return typeI(immediate, 0, rd, rd, value);
    case 1:
      return typeJ(returnAddress, jumpOffset(half));
    case 2:
      return typeI(immediate, 0, rd, 0, value);
    case 3:
      if (value === 0) {
        return null;
      }
      return rd === stackPointer ? adjustStack(half) : ((value << 12) | (rd << 7) | upper) >>> 0;
    case 4:
      return arithmetic(half, 8 + (rd & 7), value);
    case 5:
      return typeJ(0, jumpOffset(half));
    default: {
      const offset =
        (field(half, 12, 1, 31) >> 23) |
        field(half, 10, 2, 3) |
        field(half, 5, 2, 6) |
        field(half, 3, 2, 1) |
        field(half, 2, 1, 5);
      return typeB(row === 6 ? 0 : 1, 8 + (rd & 7), offset);
    }
  }
}

function jumpOffset(half: number): number {
  return (
    (field(half, 12, 1, 31) >> 20) |
    field(half, 11, 1, 4) |
    field(half, 9, 2, 8) |
    field(half, 8, 1, 10) |
    field(half, 7, 1, 6) |
    field(half, 6, 1, 7) |
    field(half, 3, 3, 1) |
    field(half, 2, 1, 5)
  );
}

function adjustStack(half: number): number {
  const value =
    (field(half, 12, 1, 31) >> 22) |
    field(half, 6, 1, 4) |
    field(half, 5, 1, 6) |
    field(half, 3, 2, 7) |
    field(half, 2, 1, 5);
  return typeI(immediate, 0, stackPointer, stackPointer, value);
}

/** C.SRLI, C.SRAI, C.ANDI, C.SUB, C.XOR, C.OR and C.AND. */
function arithmetic(half: number, rd: number, value: number): number | null {
  const kind = field(half, 10, 2, 0);
  const wide = (half & 0x1000) !== 0;
  if (kind === 2) {
    return typeI(immediate, 7, rd, rd, value);
  }
  if (wide) {
    return null;
  }
  if (kind < 2) {
    return typeI(immediate, 5, rd, rd, (kind << 10) | (value & 31));
  }
  const funct3 = [0, 4, 6, 7][field(half, 5, 2, 0)] ?? 0;
  return typeR(funct3 === 0 ? 0x20 : 0, funct3, rd, rd, 8 + field(half, 2, 3, 0));
}

function quadrant2(half: number, row: number): number | null {
  const rd = field(half, 7, 5, 0);
  const rs2 = field(half, 2, 5, 0);
  const wide = (half & 0x1000) !== 0;
  switch (row) {
    case 0:
      return wide ? null : typeI(immediate, 1, rd, rd, rs2);
    case 2: {
      const offset = field(half, 12, 1, 5) | field(half, 4, 3, 2) | field(half, 2, 2, 6);
      return rd === 0 ? null : typeI(load, 2, rd, stackPointer, offset);
    }
    case 4:
      if (rs2 !== 0) {
        return typeR(0, 0, rd, wide ? rd : 0, rs2);
      }
      if (rd === 0) {
        return wide ? breakpoint : null;
      }
      return typeI(jumpToRegister, 0, wide ? returnAddress : 0, rd, 0);
    case 6:
      return typeS(stackPointer, rs2, field(half, 9, 4, 2) | field(half, 7, 2, 6));
    default:
      return null;
  }
}
