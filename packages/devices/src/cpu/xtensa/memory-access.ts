/**
 * Xtensa loads, stores and their neighbours in the opcode map ("Xtensa Instruction Set Architecture (ISA) Reference
 * Manual", section 7.3 "Opcode Maps", formats L32R and LSAI; each instruction: chapter 6).
 */
import { type Execute, type Fields, signed } from './state.ts';

/** L32R. The literal is up to 256 KiB before the instruction. */
export function loadLiteral({ word, pc, t }: Fields): Execute {
  const address = ((pc + 3) & ~3) + (-0x40000 | ((word >> 8) << 2));
  return ({ registers, bus }) => {
    registers[t] = bus.read32(address);
  };
}

/** L32I and L32I.N. */
export function loadWord(t: number, s: number, offset: number): Execute {
  return ({ registers, bus }) => {
    registers[t] = bus.read32((registers[s] as number) + offset);
  };
}

/** S32I and S32I.N. */
export function storeWord(t: number, s: number, offset: number): Execute {
  return ({ registers, bus }) => bus.write32((registers[s] as number) + offset, registers[t] as number);
}

/** ADDI, ADDMI, ADDI.N. */
export function addConstant(to: number, s: number, value: number): Execute {
  return ({ registers }) => {
    registers[to] = (registers[s] as number) + value;
  };
}

/** MOVI and MOVI.N. */
export function moveConstant(to: number, value: number): Execute {
  return ({ registers }) => {
    registers[to] = value;
  };
}

/** Format LSAI. */
export function loadOrStore({ t, s, r, imm8 }: Fields): Execute | null {
  switch (r) {
    case 0:
      return ({ registers, bus }) => {
        registers[t] = bus.read8((registers[s] as number) + imm8);
      };
    case 1:
      return ({ registers, bus }) => {
        registers[t] = bus.read16((registers[s] as number) + imm8 * 2);
      };
    case 4:
      return ({ registers, bus }) => bus.write8((registers[s] as number) + imm8, registers[t] as number);
    case 5:
      return ({ registers, bus }) => bus.write16((registers[s] as number) + imm8 * 2, registers[t] as number);
    case 9:
      return ({ registers, bus }) => {
        registers[t] = (bus.read16((registers[s] as number) + imm8 * 2) << 16) >> 16;
      };
    case 10:
      return moveConstant(t, signed((s << 8) | imm8, 12));
    case 2:
    case 11:
      // L32I and L32AI. The ordering of L32AI has no effect with a single processor.
      return loadWord(t, s, imm8 * 4);
    case 6:
    case 15:
      return storeWord(t, s, imm8 * 4);
    case 12:
      return addConstant(t, s, signed(imm8, 8));
    case 13:
      return addConstant(t, s, signed(imm8, 8) * 256);
    case 14:
      return compareAndStore(t, s, imm8 * 4);
    default:
      return null;
  }
}

/** S32C1I. */
function compareAndStore(t: number, s: number, offset: number): Execute {
  return (state) => {
    const { registers, bus } = state;
    const address = (registers[s] as number) + offset;
    const before = bus.read32(address) | 0;
    if (before === state.compareValue) {
      bus.write32(address, registers[t] as number);
    }
    registers[t] = before;
  };
}
