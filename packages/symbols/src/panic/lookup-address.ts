/**
 * Converts printed addresses into addresses to look up. A return address is the instruction after a call; looking it
 * up gives the next line or even the next function. Some firmware has already moved its addresses back to the call:
 *
 * - Xtensa, `Backtrace:`: `esp_cpu_process_stack_pc` (ESP-IDF, `esp_cpu_utils.h`) subtracts 3. It also corrects bits
 *   30 and 31, which hold the size of the register window in a return address. idf.py monitor looks such addresses up
 *   unchanged.
 * - RISC-V, `Backtrace:`: `fp_unwind.c` and `eh_frame_parser.c` print unchanged return addresses. GDB, which idf.py
 *   monitor starts for stack dumps, looks one byte before.
 * - `abort() was called at PC`, `assert failed: 0x`: `abort.c` and `assert.c` subtract 3 or the length of a call.
 * - ARM: return addresses have bit 0 set for Thumb code, in registers, on the stack and in printed copies of both.
 *   Some firmware clears it (CmBacktrace, `cm_backtrace_call_stack`).
 * - Rust, `esp-backtrace`: 3 or 4 bytes are subtracted (`arch::RA_OFFSET`).
 * - ESP8266: the stack holds unchanged return addresses.
 */
import { instructionAddress } from '../call-site.ts';
import type { Machine } from '../elf/machine.ts';
import type { Frame, SymbolFile } from '../symbol-file.ts';
import type { PanicAddress } from './panic-mark.ts';

/** Size of all Xtensa call instructions in bytes. */
const XTENSA_CALL = 3;

/**
 * Returns the address to look up for a printed address.
 * @param machine of the ELF file, because console output does not always identify it
 */
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

/**
 * Replaces the window size, which Xtensa keeps in the two highest bits of a return address, with the region of code.
 */
function returnAddress(value: number, machine: Machine): number {
  return machine === 'xtensa' && value >= 0x8000_0000 ? (value % 0x4000_0000) + 0x4000_0000 : value;
}

export interface DecodedAddress {
  readonly address: PanicAddress;
  /** Address that was looked up. */
  readonly lookedUp: number;
  /** Innermost first, never empty. */
  readonly frames: readonly Frame[];
}

/**
 * Returns the addresses of a mark that are in the program, with their source positions. A word of the stack counts
 * only if a call precedes it. Addresses that cannot be code are left out.
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
