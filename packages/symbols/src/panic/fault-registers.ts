/**
 * Parses ARM Cortex-M registers in a line of a fault handler. Forms: `r0/a1: 0x00000003 r1/a2: …` (Zephyr,
 * `arch/arm/core/fatal.c`), `R0 : 00000001` (Mbed OS, `mbed_fault_handler.c`), `LR [R14] = 8000123` (Yiu, The
 * Definitive Guide to the ARM Cortex-M3), ` LR : 08000a1d PC : 08000b12` (CmBacktrace), `R0 20001234` (MicroPython,
 * `ports/stm32/stm32_it.c`), `ExceptionFrame { r0: 0x00000001, …` (Rust, cortex-m-rt).
 */
import type { FaultRegisters } from './fault-status.ts';
import type { AddressRole, PanicAddress } from './panic-mark.ts';

/** Alternative names of registers. */
const aliases: Readonly<Record<string, string>> = {
  r13: 'sp',
  r14: 'lr',
  r15: 'pc',
  ip: 'r12',
  psr: 'xpsr',
  mmar: 'mmfar',
  // Teensy's CrashReport spells it so.
  htsr: 'hfsr',
  exc_ret: 'exc_return',
  sb: 'r9',
  sl: 'r10',
};

const NAME =
  'r(?:1[0-5]|\\d)|ip|fp|s[bpl]|lr|pc|x?psr|msp|psp|cfsr|hfsr|htsr|dfsr|afsr|shcsr|mmfar|mmar|bfar|mmfsr|bfsr|ufsr|exc_ret(?:urn)?|control|cpuid';
/**
 * Matches a name, perhaps with a second name (`r14/lr`, `LR [R14]`, `PC (R15)`, `LR/EXC_RETURN`), a sign or blanks,
 * and a number. Numbers without `0x` have 8 digits, unless a sign is in front of them. `LR/EXC_RETURN` is the
 * handler's own LR (Keil, application note 209), not the saved LR.
 */
const PAIR = new RegExp(
  `(?<![\\w./])(?:stacked_|scb_|scb->|_)?(${NAME})(/exc_ret(?:urn)?|/\\w{1,12}| ?[\\[(]\\w{1,8}[\\])])?(?: {0,8}[=:]{1,2} {0,8}(?:0x([0-9a-f]{1,8})|([0-9a-f]{1,8}))| {1,8}(?:0x)?([0-9a-f]{8}))(?![\\w.])`,
  'gi',
);

/**
 * Returns the registers in a line by their short names in lower case. If a register occurs twice, the first value
 * counts.
 */
export function registersIn(line: string): FaultRegisters {
  const found = new Map<string, number>();
  for (const [, name = '', second = '', prefixed, bare, spaced] of line.matchAll(PAIR)) {
    const short = /^\/exc_/i.test(second) ? 'exc_return' : name.toLowerCase();
    const known = short === 'fp' ? framePointer(found) : (aliases[short] ?? short);
    if (!found.has(known)) {
      found.set(known, Number.parseInt(prefixed ?? bare ?? spaced ?? '', 16));
    }
  }
  return found;
}

/** NuttX prints r7 of Thumb code as FP behind r6, and r11 of ARM code as FP behind r8 to r10 (`arm_assert.c`). */
function framePointer(before: FaultRegisters): string {
  return before.has('r8') ? 'r11' : before.has('r6') ? 'r7' : 'fp';
}

/** Lowest value of LR that is not a return address: EXC_RETURN, or LR after a reset (DDI 0403, B1.5.8). */
const FIRST_NO_ADDRESS = 0xffff_ff00;
const generalRegister = /^r\d/;

/** Returns the values of registers that may be code addresses. */
export function codeAddressesOf(registers: FaultRegisters): PanicAddress[] {
  return [...registers].flatMap(([name, value]) => {
    const role: AddressRole | null =
      name === 'pc' ? 'exact' : name === 'lr' ? 'return' : generalRegister.test(name) ? 'register' : null;
    const isCode = role !== null && (name === 'pc' || (value !== 0 && value < FIRST_NO_ADDRESS));
    return isCode ? [{ value, role, label: name.toUpperCase() }] : [];
  });
}
