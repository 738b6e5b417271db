/**
 * Which instruction an address of a panic stands for. A return address is the instruction behind a call: looked up as it is
 * it names the next line, or the next function. What firmware prints was moved back already in some places:
 *
 * - Xtensa, `Backtrace:`: `esp_cpu_process_stack_pc` (ESP-IDF, `esp_cpu_utils.h`) puts bits 30 and 31 right, which hold the
 *   size of the register window in a return address, and takes 3 off; idf.py monitor looks such addresses up as they are.
 * - RISC-V, `Backtrace:`: `fp_unwind.c` and `eh_frame_parser.c` print return addresses as they are; GDB, which idf.py monitor
 *   starts for stack dumps, looks one byte before.
 * - `abort() was called at PC`, `assert failed: 0x`: `abort.c` and `assert.c` take off 3 or the length of a call.
 * - ARM: return addresses have bit 0 set for Thumb code, in registers, on the stack and in what is printed of both; some firmware clears it
 *   (CmBacktrace, `cm_backtrace_call_stack`).
 * - Rust, `esp-backtrace`: 3 or 4 bytes were taken off (`arch::RA_OFFSET`).
 * - ESP8266's stack holds return addresses as they are.
 */
import { instructionAddress } from '../call-site.ts';
import type { Machine } from '../elf/machine.ts';
import type { Frame, SymbolFile } from '../symbol-file.ts';
import type { PanicAddress } from './panic-mark.ts';

/** All calls of Xtensa have 3 bytes. */
const XTENSA_CALL = 3;

/** @param machine of the ELF file, the only one that surely knows. */
export function lookupAddress({ value, role }: PanicAddress, machine: Machine): number {
  const at = instructionAddress(machine, value);
  if (role === 'exact' || role === 'register' || role === 'call') {
    return at;
  }
  if (machine !== 'xtensa') {
    return at - 1;
  }
  return role === 'frame' ? value : returnAddress(value, machine) - XTENSA_CALL;
}

/** Without the window size that Xtensa keeps in the two highest bits of a return address. */
function returnAddress(value: number, machine: Machine): number {
  return machine === 'xtensa' && value >= 0x8000_0000 ? (value % 0x4000_0000) + 0x4000_0000 : value;
}

export interface DecodedAddress {
  readonly address: PanicAddress;
  /** What was looked up for it. */
  readonly lookedUp: number;
  /** Innermost first, never empty. */
  readonly frames: readonly Frame[];
}

/**
 * The addresses of a mark that lie in the program, with their places. Words of the stack count only when a call is before
 * them; what cannot be code is left out.
 */
export function decodeAddresses(file: SymbolFile, addresses: readonly PanicAddress[]): DecodedAddress[] {
  return addresses.flatMap((address) => {
    const lookedUp = lookupAddress(address, file.machine);
    const isCode =
      address.role === 'stack'
        ? file.isReturnAddress(returnAddress(address.value, file.machine))
        : file.isCode(lookedUp);
    const frames = isCode ? file.lookup(lookedUp) : [];
    return frames.length === 0 ? [] : [{ address, lookedUp, frames }];
  });
}
