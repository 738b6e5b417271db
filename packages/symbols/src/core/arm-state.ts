/**
 * Restores the state of code that a Cortex-M fault stopped, from the output of the fault handler. Handlers print the
 * registers that the exception saved on the stack. Their SP is either the one before the exception or the address of
 * the saved registers. The printed stack shows which one it is. Sources: ARMv7-M Architecture Reference Manual (DDI
 * 0403), B1.5.6 to B1.5.8; Mbed OS, `except.S` (its SP is the one before the exception).
 */
import type { CoreMemory } from './core-memory.ts';
import type { PrintedState, ProcessorState } from './printed-state.ts';

/** Registers that each exception saves, in this order. */
const savedNames = ['r0', 'r1', 'r2', 'r3', 'r12', 'lr', 'pc', 'xpsr'] as const;
/** Size of the saved registers in bytes, without and with the floating-point registers. */
const [BASIC_FRAME, EXTENDED_FRAME] = [32, 104];
/** Number of saved registers that must be known before the frame is searched in memory. */
const MIN_KNOWN = 5;
/** Bits of EXC_RETURN. */
const [ON_PROCESS_STACK, IS_BASIC] = [1 << 2, 1 << 4];
/** Bit of the saved xPSR: 4 padding bytes above the frame align the stack. */
const PADDED = 1 << 9;

type Registers = PrintedState['registers'];

/** Returns null without a program counter, or without any other register that only ARM has. */
export function armState({ registers, rows, memory }: PrintedState): ProcessorState | null {
  const { pc, lr, xpsr, psp } = registers;
  const isArm = ['r0', 'lr', 'xpsr'].some((name) => registers[name] !== undefined);
  if (pc === undefined || !isArm) {
    return null;
  }
  const { sp, floatSp } = stackPointer(registers, rows, memory);
  const general = [...Array.from({ length: 13 }, (_, index) => registers[`r${index}`]), sp, lr];
  const special = { ...(xpsr !== undefined && { xpsr }), ...(psp !== undefined && { psp }) };
  return {
    machine: 'arm',
    registers: { pc, general, special, ...(floatSp !== undefined && { floatStackPointer: floatSp }) },
    cause: null,
  };
}

/**
 * The stack pointer before the exception. `floatSp`: its value if the exception saved floating-point registers. Set
 * only if the log does not say whether it did.
 */
interface StackPointers {
  readonly sp?: number | undefined;
  readonly floatSp?: number;
}

function stackPointer(registers: Registers, rows: PrintedState['rows'], memory: CoreMemory): StackPointers {
  const { sp, psp, msp, exc_return: exceptionReturn } = registers;
  const padding = (registers['xpsr'] ?? 0) & PADDED ? 4 : 0;
  const saved = savedAt(registers, memory);
  if (saved !== undefined) {
    return behindFrame(saved);
  }
  const behind = rows.find(({ isBehindFrame }) => isBehindFrame)?.address;
  if (sp === undefined && behind !== undefined) {
    return { sp: behind + padding };
  }
  const isFrame = sp !== undefined && (sp === psp || sp === msp);
  if (sp !== undefined && !isFrame) {
    return { sp };
  }
  const top = sp ?? (exceptionReturn === undefined ? undefined : exceptionReturn & ON_PROCESS_STACK ? psp : msp);
  return top === undefined ? {} : behindFrame(top);

  function behindFrame(address: number): StackPointers {
    const [basic, extended] = [address + BASIC_FRAME + padding, address + EXTENDED_FRAME + padding];
    if (exceptionReturn === undefined) {
      return { sp: basic, floatSp: extended };
    }
    return { sp: exceptionReturn & IS_BASIC ? basic : extended };
  }
}

/**
 * Returns the address of the saved registers in printed memory. A handler may have copied them to lower addresses, so
 * the highest match counts.
 */
function savedAt(registers: Registers, memory: CoreMemory): number | undefined {
  const wanted = savedNames.map((name) => registers[name]);
  if (wanted.filter((value) => value !== undefined).length < MIN_KNOWN) {
    return undefined;
  }
  let found: number | undefined;
  for (const { address, bytes } of memory.segments) {
    for (let at = address; at + 4 * wanted.length <= address + bytes.length; at += 4) {
      const isSaved = wanted.every(
        (value, index) => value === undefined || memory.word(at + 4 * index) === value >>> 0,
      );
      found = isSaved && at > (found ?? -1) ? at : found;
    }
  }
  return found;
}
