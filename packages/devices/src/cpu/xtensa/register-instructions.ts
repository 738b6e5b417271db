/**
 * Xtensa instructions between registers: arithmetic, shifts, special registers and processor control ("Xtensa
 * Instruction Set Architecture (ISA) Reference Manual", section 7.3 "Opcode Maps", formats QRST and below; each
 * instruction: chapter 6). Windows, booleans, floating point and MAC16 are not supported.
 */
import { upperProduct, upperSignedProduct } from '../arithmetic.ts';
import { callRegister, jumpToRegister } from './branches.ts';
import { type Execute, type Fields, sarAt } from './state.ts';

type Operation = (one: number, other: number) => number;

/** Format QRST. */
export function registerInstruction(fields: Fields): Execute | null {
  switch (fields.op1) {
    case 0:
      return group0(fields);
    case 1:
      return group1(fields);
    case 2:
      return group2(fields);
    case 3:
      return group3(fields);
    case 4:
    case 5:
      return extract(fields);
    default:
      return null;
  }
}

function extract({ r, t, s, op1, op2 }: Fields): Execute {
  const shift = s | ((op1 & 1) << 4);
  const mask = (2 << op2) - 1;
  return ({ registers }) => {
    registers[r] = ((registers[t] as number) >>> shift) & mask;
  };
}

/** Returns an instruction that stores `operation` of registers `s` and `t` in register `r`. */
function binary({ r, s, t }: Fields, operation: Operation): Execute {
  return ({ registers }) => {
    registers[r] = operation(registers[s] as number, registers[t] as number);
  };
}

/** RST0. */
function group0(fields: Fields): Execute | null {
  const { r, s, t, op2 } = fields;
  switch (op2) {
    case 0:
      return control(fields);
    case 1:
      return ({ registers }) => {
        registers[r] = (registers[s] as number) & (registers[t] as number);
      };
    case 2:
      return ({ registers }) => {
        registers[r] = (registers[s] as number) | (registers[t] as number);
      };
    case 3:
      return ({ registers }) => {
        registers[r] = (registers[s] as number) ^ (registers[t] as number);
      };
    case 4:
      return shiftAmount(fields);
    case 6:
      return s > 1
        ? null
        : ({ registers }) => {
            const value = registers[t] as number;
            registers[r] = s === 0 || value < 0 ? -value : value;
          };
    case 5:
    case 7:
      return null;
    default: {
      // ADD and ADDX2 to ADDX8; SUB and SUBX2 to SUBX8.
      const shift = op2 & 3;
      if (op2 < 12) {
        return ({ registers }) => {
          registers[r] = ((registers[s] as number) << shift) + (registers[t] as number);
        };
      }
      return ({ registers }) => {
        registers[r] = ((registers[s] as number) << shift) - (registers[t] as number);
      };
    }
  }
}

/** ST0: processor control. */
function control(fields: Fields): Execute | null {
  const { r, s, t, m, n } = fields;
  switch (r) {
    case 0:
      if (m === 2) {
        return n === 0 && s === 0 ? jumpToRegister(0) : n === 2 ? jumpToRegister(s) : null;
      }
      return m === 3 && n === 0 ? callRegister(fields) : null;
    case 2:
      // ISYNC, RSYNC, ESYNC, DSYNC, EXCW, MEMW, EXTW, NOP: without effect, because everything is executed in order.
      return s === 0 && [0, 1, 2, 3, 8, 12, 13, 15].includes(t) ? () => undefined : null;
    case 3:
      return returnFromException(s, t);
    case 4:
      return (state) => state.fail('breakpoint');
    case 5:
      // SYSCALL, and SIMCALL, which simulators with a host system offer.
      return t === 0 && s < 2 ? (state) => state.fail('system-call') : null;
    case 6:
      return (state) => {
        state.registers[t] = state.setInterruptLevel(s);
      };
    case 7:
      return t === 0 ? (state) => state.waitForInterrupt(s) : null;
    default:
      return null;
  }
}

/** RFE and RFI. */
function returnFromException(s: number, t: number): Execute | null {
  const level = t === 0 && s === 0 ? 1 : t === 1 ? s : 0;
  if (level === 0) {
    return null;
  }
  return (state) => {
    if (!state.leaveException(level)) {
      state.fail('illegal-instruction');
    }
  };
}

/** ST1: instructions that set SAR, and NSA and NSAU. */
function shiftAmount({ r, s, t }: Fields): Execute | null {
  switch (r) {
    case 0:
      return setShift(t, s, (value) => value & 31);
    case 1:
      return setShift(t, s, (value) => 32 - (value & 31));
    case 2:
      return setShift(t, s, (value) => (value & 3) * 8);
    case 3:
      return setShift(t, s, (value) => 32 - (value & 3) * 8);
    case 4: {
      const amount = s | ((t & 1) << 4);
      return t > 1
        ? null
        : ({ registers }) => {
            registers[sarAt] = amount;
          };
    }
    case 14:
      return ({ registers }) => {
        const value = registers[s] as number;
        registers[t] = Math.clz32(value ^ (value >> 31)) - 1;
      };
    case 15:
      return ({ registers }) => {
        registers[t] = Math.clz32(registers[s] as number);
      };
    default:
      return null;
  }
}

function setShift(t: number, s: number, amount: (value: number) => number): Execute | null {
  return t !== 0
    ? null
    : ({ registers }) => {
        registers[sarAt] = amount(registers[s] as number);
      };
}

/** RST1: shifts, 16-bit products, and the exchange of a special register. */
function group1(fields: Fields): Execute | null {
  const { word, r, s, t, op2 } = fields;
  const upper = (op2 & 1) << 4;
  switch (op2) {
    case 0:
    case 1: {
      // The field is 32 minus the distance.
      const amount = 32 - (t | upper);
      return amount === 32
        ? null
        : ({ registers }) => {
            registers[r] = (registers[s] as number) << amount;
          };
    }
    case 2:
    case 3:
      return ({ registers }) => {
        registers[r] = (registers[t] as number) >> (s | upper);
      };
    case 4:
      return ({ registers }) => {
        registers[r] = (registers[t] as number) >>> s;
      };
    case 6:
      return exchangeSpecial((word >> 8) & 0xff, t);
    case 8:
      return shiftPair(r, s, t);
    case 9:
      // SRL: like SRC with 0 as the upper register.
      return s === 0 ? shiftPair(r, null, t) : null;
    case 10:
      // SLL: like SRC with 0 as the lower register.
      return t === 0 ? shiftPair(r, s, null) : null;
    case 11:
      return s !== 0
        ? null
        : ({ registers }) => {
            registers[r] = (registers[t] as number) >> Math.min(registers[sarAt] as number, 31);
          };
    case 12:
      return binary(fields, (one, other) => (one & 0xffff) * (other & 0xffff));
    case 13:
      return binary(fields, (one, other) => ((one << 16) >> 16) * ((other << 16) >> 16));
    default:
      return null;
  }
}

/** Shifts the 64 bits of `high` and `low` right by SAR and stores the lower 32 bits in `r`. Null is 32 bits of 0. */
function shiftPair(r: number, high: number | null, low: number | null): Execute {
  return ({ registers }) => {
    const amount = registers[sarAt] as number;
    const upper = high === null ? 0 : (registers[high] as number);
    const lower = low === null ? 0 : (registers[low] as number);
    if (amount === 0) {
      registers[r] = lower;
    } else if (amount < 32) {
      registers[r] = (upper << (32 - amount)) | (lower >>> amount);
    } else {
      registers[r] = upper >>> (amount - 32);
    }
  };
}

/** RST2: products and quotients. */
function group2(fields: Fields): Execute | null {
  switch (fields.op2) {
    case 8:
      return binary(fields, Math.imul);
    case 10:
      return binary(fields, upperProduct);
    case 11:
      return binary(fields, upperSignedProduct);
    case 12:
      return divide(fields, (one, other) => (one >>> 0) / (other >>> 0));
    case 13:
      return divide(fields, (one, other) => one / other);
    case 14:
      return divide(fields, (one, other) => (one >>> 0) % (other >>> 0));
    case 15:
      return divide(fields, (one, other) => one % other);
    default:
      return null;
  }
}

function divide({ r, s, t }: Fields, operation: Operation): Execute {
  return (state) => {
    const { registers } = state;
    const divisor = registers[t] as number;
    registers[r] = divisor === 0 ? state.fail('divided-by-zero') : operation(registers[s] as number, divisor);
  };
}

/** RST3: special registers, and instructions that select one of two values. */
function group3(fields: Fields): Execute | null {
  const { word, r, s, t, op2 } = fields;
  const special = (word >> 8) & 0xff;
  switch (op2) {
    case 0:
      return (state) => {
        state.registers[t] = state.readSpecial(special) ?? state.fail('illegal-instruction');
      };
    case 1:
      return (state) => {
        if (!state.writeSpecial(special, state.registers[t] as number)) {
          state.fail('illegal-instruction');
        }
      };
    case 2: {
      const distance = 24 - t;
      return ({ registers }) => {
        registers[r] = ((registers[s] as number) << distance) >> distance;
      };
    }
    case 3: {
      const limit = 1 << (t + 7);
      return ({ registers }) => {
        registers[r] = Math.max(-limit, Math.min(limit - 1, registers[s] as number));
      };
    }
    case 4:
      return binary(fields, Math.min);
    case 5:
      return binary(fields, Math.max);
    case 6:
      return binary(fields, (one, other) => (one >>> 0 < other >>> 0 ? one : other));
    case 7:
      return binary(fields, (one, other) => (one >>> 0 > other >>> 0 ? one : other));
    case 8:
      return moveIf(fields, (value) => value === 0);
    case 9:
      return moveIf(fields, (value) => value !== 0);
    case 10:
      return moveIf(fields, (value) => value < 0);
    case 11:
      return moveIf(fields, (value) => value >= 0);
    default:
      return null;
  }
}

/** MOVEQZ, MOVNEZ, MOVLTZ and MOVGEZ. */
function moveIf({ r, s, t }: Fields, condition: (value: number) => boolean): Execute {
  return ({ registers }) => {
    if (condition(registers[t] as number)) {
      registers[r] = registers[s] as number;
    }
  };
}

/** XSR. */
function exchangeSpecial(special: number, t: number): Execute {
  return (state) => {
    const before = state.readSpecial(special) ?? state.fail('illegal-instruction');
    if (!state.writeSpecial(special, state.registers[t] as number)) {
      state.fail('illegal-instruction');
    }
    state.registers[t] = before;
  };
}
