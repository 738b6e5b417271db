/**
 * Unwinds stacks of Xtensa's windowed calls. The two highest bits of a return address hold the size of the call. The
 * caller's a0 to a3 are in the 16 bytes below the stack pointer of the called function. They are valid once the
 * caller's window was spilled, which the panic handler and the scheduler ensure. Further registers are below the
 * stack pointer of the caller's own caller: a4 to a7 for a CALL8, a4 to a11 for a CALL12. Sources: Xtensa ISA
 * reference manual, 4.7.1.4 "Windowed procedure-call protocol", window overflow handlers; ESP-IDF,
 * `esp_debug_helpers.h` (`esp_backtrace_get_next_frame`).
 */

import type { TaskRegisters } from '../core/core-dump.ts';
import type { CoreMemory } from '../core/core-memory.ts';
import {
  type FrameSource,
  isRom,
  MAX_FRAMES,
  placesAt,
  type StackFrame,
  type UnwindProgram,
  type UnwoundStack,
} from './stack-frame.ts';

/** Size of all Xtensa call instructions in bytes. */
const CALL_SIZE = 3;
/**
 * Bits 30 and 31 of a return address hold the size of the call. Callers are in the same gigabyte as the code that
 * they call.
 */
const REGION = 0xc000_0000;

export function unwindXtensa(program: UnwindProgram, memory: CoreMemory, { pc, general }: TaskRegisters): UnwoundStack {
  const frames: StackFrame[] = [];
  let registers = general;
  let address = pc;
  let source: FrameSource = 'registers';
  for (;;) {
    const [returnAddress, sp] = registers;
    const lookedUp = source === 'registers' ? address : address - CALL_SIZE;
    const base = sp === undefined ? undefined : memory.read(sp - 16, 16);
    const callSize = returnAddress === undefined ? 0 : returnAddress >>> 30;
    const saved = base && savedWords(base);
    const frame = { pc: address, lookedUp, source, sp: sp ?? 0, registers, places: placesAt(program, lookedUp) };
    frames.push({ ...frame, frameEnd: callSize === 0 ? null : (saved?.[1] ?? null) });
    if (returnAddress === undefined || sp === undefined) {
      return { frames, end: 'unknown' };
    }
    // A task's first function was entered without a call, so a0 has no call size.
    if (callSize === 0) {
      return { frames, end: returnAddress === 0 ? 'whole' : 'unknown' };
    }
    if (saved === undefined) {
      return { frames, end: 'unknown' };
    }
    const callerSp = saved[1] ?? 0;
    if (callerSp <= sp) {
      return { frames, end: callerSp === 0 ? 'unknown' : 'corrupt' };
    }
    const next = ((returnAddress & ~REGION) | (address & REGION)) >>> 0;
    if (!program.symbols.isCode(next - CALL_SIZE) && !isRom(next)) {
      return { frames, end: 'corrupt' };
    }
    if (frames.length === MAX_FRAMES) {
      return { frames, end: 'too-many' };
    }
    registers = [...saved, ...extraRegisters(memory, saved, callSize)];
    address = next;
    source = 'window';
  }
}

function savedWords(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: bytes.length / 4 }, (_, index) => view.getUint32(4 * index, true));
}

/**
 * Returns the saved registers of a function from a4 on, which are below the stack pointer of its caller.
 * @param window a0 and the stack pointer of the function
 * @param callSize size of the call that the function made, 1 to 3. It determines the number of registers that the
 *   overflow handler saved, see `_WindowOverflow8` and `_WindowOverflow12`. The call that entered the function does
 *   not affect it.
 */
function extraRegisters(memory: CoreMemory, [, sp = 0]: readonly number[], callSize: number): readonly number[] {
  const words = 4 * (callSize - 1);
  const above = words === 0 ? undefined : memory.word(sp - 12);
  // A value that cannot be a caller's stack pointer was not written by an overflow handler.
  const bytes = above === undefined || above <= sp ? undefined : memory.read(above - 16 - 4 * words, 4 * words);
  return bytes === undefined ? [] : savedWords(bytes);
}
