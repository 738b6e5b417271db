/**
 * Runs the unwinding instructions of an ARM exception index (Exception Handling ABI for the Arm Architecture, IHI
 * 0038, section 10.3, table 4).
 */
import { ByteCursor } from '../byte-cursor.ts';
import type { CoreMemory } from '../core/core-memory.ts';
import type { Registers } from './stack-frame.ts';

const [SP, LR, PC] = [13, 14, 15];
const FINISH = 0xb0;

/**
 * Undoes the prologue of a function.
 * @param registers in the function, by number
 * @returns the caller's r0 to r15; undefined if the table refuses or a required value is unknown
 * @throws RangeError if the instructions are damaged.
 */
export function runIndexInstructions(
  instructions: Uint8Array,
  registers: Registers,
  memory: CoreMemory,
): (number | undefined)[] | undefined {
  const cursor = new ByteCursor(instructions, true);
  const values = registers.slice(0, PC);
  let sp = registers[SP];
  const pop = (register: number): void => {
    values[register] = sp === undefined ? undefined : memory.word(sp);
    move(4);
  };
  const popMask = (mask: number, first: number): void => {
    // A popped stack pointer takes effect at the end of the instruction.
    let popped: number | undefined;
    for (let bit = 0; bit < 16 - first; bit++) {
      if (mask & (1 << bit)) {
        const register = first + bit;
        if (register === SP) {
          popped = sp === undefined ? undefined : memory.word(sp);
          move(4);
        } else {
          pop(register);
        }
      }
    }
    if (first <= SP && mask & (1 << (SP - first))) {
      sp = popped;
    }
  };
  const move = (bytes: number): void => {
    sp = sp === undefined ? undefined : (sp + bytes) >>> 0;
  };
  while (!cursor.atEnd) {
    const code = cursor.u8();
    if (code === FINISH) {
      break;
    }
    const low = code & 0x07;
    if (code < 0x40) {
      move((code << 2) + 4);
    } else if (code < 0x80) {
      move(-(((code & 0x3f) << 2) + 4));
    } else if (code < 0x90) {
      const mask = ((code & 0x0f) << 8) | cursor.u8();
      if (mask === 0) {
        return undefined;
      }
      popMask(mask, 4);
    } else if (code < 0xa0) {
      const register = code & 0x0f;
      if (register === SP || register === PC) {
        throw new RangeError('A reserved instruction');
      }
      sp = values[register];
    } else if (code < 0xb0) {
      popMask((1 << (low + 1)) - 1, 4);
      if (code & 0x08) {
        pop(LR);
      }
    } else {
      switch (code) {
        case 0xb1:
          popMask(cursor.u8() & 0x0f, 0);
          break;
        case 0xb2:
          move(0x204 + 4 * cursor.uleb());
          break;
        case 0xb3:
          // Saved by FSTMFDX, which adds a word.
          move(8 * ((cursor.u8() & 0x0f) + 1) + 4);
          break;
        case 0xb4:
          // Authentication code of the return address.
          move(4);
          break;
        case 0xb5:
          break;
        case 0xc6:
          move(8 * ((cursor.u8() & 0x0f) + 1));
          break;
        case 0xc7:
          move(4 * bitsIn(cursor.u8() & 0x0f));
          break;
        case 0xc8:
        case 0xc9:
          move(8 * ((cursor.u8() & 0x0f) + 1));
          break;
        default:
          move(floatingPointBytes(code));
      }
    }
  }
  values[SP] = sp;
  values[PC] ??= values[LR];
  return sp === undefined || values[PC] === undefined ? undefined : values;
}

/** Returns the size in bytes of saved floating-point registers, for opcodes that contain their number. */
function floatingPointBytes(code: number): number {
  const registers = (code & 0x07) + 1;
  if (code >= 0xb8 && code < 0xc0) {
    return 8 * registers + 4;
  }
  if ((code >= 0xc0 && code < 0xc6) || (code >= 0xd0 && code < 0xd8)) {
    return 8 * registers;
  }
  throw new RangeError(`Unwinding instruction ${code}`);
}

function bitsIn(mask: number): number {
  let count = 0;
  for (let rest = mask; rest > 0; rest >>>= 1) {
    count += rest & 1;
  }
  return count;
}
