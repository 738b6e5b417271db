/**
 * Parses lines with many addresses: register dumps, backtraces and stacks. Sources: the panic handlers of ESP-IDF
 * (`panic_arch.c`, `debug_helpers.c`, `fp_unwind.c`), of the ESP8266 RTOS SDK (`panic.c`) and of the Arduino core for
 * ESP8266 (`core_esp8266_postmortem.cpp`).
 */
import {
  type AddressRole,
  mark,
  type PanicAddress,
  type PanicContext,
  type PanicMark,
  panicAddress,
} from './panic-mark.ts';
import { usedAddressSentence } from './used-address.ts';

const register = /([A-Z][A-Z0-9]{0,7}(?:\/FP)?) {0,6}: 0x([0-9a-f]{8})/gi;
const startsWithRegister = /^[A-Z][A-Z0-9/]{0,7} {0,6}: 0x[0-9a-f]{8}\b/i;
const epc = /\b(epc[1-7]|excvaddr|depc)=0x([0-9a-f]{8})\b/g;
const firstRegisters = /^(?:PC|MEPC) {4,6}: 0x[0-9a-f]{8}\b/i;
/** ESP-IDF 4.4 prints no blank between pairs. Numbers have eight digits; only the last one may be truncated. */
const backtracePair = /0x([0-9a-f]{6,8}):0x[0-9a-f]{1,8}/gi;
const riscvStackRow = /^[0-9a-f]{8}: (?:0x[0-9a-f]{8} ?){1,8}$/i;
const esp8266StackRow = /^[0-9a-f]{8}:(?: {1,2}[0-9a-f]{8}){1,4} {0,2}<?$/i;

/** Registers with the address of the instruction itself. */
const programCounters = new Set(['PC', 'MEPC', 'DEPC', ...[1, 2, 3, 4, 5, 6, 7].map((level) => `EPC${level}`)]);
/** Registers whose value is zero if no exception of that level has occurred. */
const savedCounter = /^D?EPC/;
/** Registers with state, data or the stack pointer, never code. */
const neverCode = new Set(
  'PS SAR EXCCAUSE LCOUNT SP GP TP MSTATUS MTVEC MCAUSE MHARTID A1 LBEG LEND EXCVADDR MTVAL'.split(' '),
);
/**
 * Registers of RISC-V that may hold code. A1 is the stack pointer on Xtensa but an argument on RISC-V, where RA is
 * the return address.
 */
const riscvNames = /^(?:RA|A[0-7]|T[0-6]|S[0-9]|S1[01]|S0\/FP)$/;

/** Registers with the address of an invalid access. */
const accessAddress = /\b(EXCVADDR|MTVAL) *[:=] *0x([0-9a-f]{8})\b/i;

/** Interprets the line as part of a dump. Returns undefined unless its form or the lines before identify it as one. */
export function dumpLine(line: string, context: PanicContext): PanicMark | undefined {
  if (context.section === 'registers' || firstRegisters.test(line)) {
    return registerRow(line, context);
  }
  if (context.section === 'riscv-stack' && riscvStackRow.test(line)) {
    const addresses = words(line, /0x([0-9a-f]{8})/gi, 'stack');
    const memory = { address: Number.parseInt(line, 16), words: addresses.map(({ value }) => value) };
    return { ...mark('stack', 'fault', undefined, addresses), memory };
  }
  if (context.section === 'esp8266-stack' && esp8266StackRow.test(line)) {
    return mark('stack', 'fault', undefined, words(line.slice(9), /\b([0-9a-f]{8})\b/gi, 'stack'));
  }
  // A long backtrace that was split into several lines.
  if (context.section === 'backtrace' && /^ {0,4}0x[0-9a-f]{6,8}:0x/i.test(line)) {
    return mark('backtrace', 'fault', undefined, words(line, backtracePair, 'frame'));
  }
  return undefined;
}

/**
 * Returns the addresses of a backtrace line, innermost first. The first one is the instruction itself, the others are
 * callers.
 */
export function backtraceAddresses(line: string): PanicAddress[] {
  return words(line, backtracePair, 'frame').map((address, index) =>
    index === 0 ? { ...address, role: 'exact' } : address,
  );
}

function words(line: string, form: RegExp, role: AddressRole): PanicAddress[] {
  return [...line.matchAll(form)].map(([, digits]) => panicAddress(digits, role));
}

function registerRow(line: string, context: PanicContext): PanicMark | undefined {
  if (!startsWithRegister.test(line)) {
    return undefined;
  }
  const isRiscv = context.isRiscv || /\bMEPC\b/.test(line);
  context.isRiscv = isRiscv;
  const found = [...line.matchAll(register)].map(([, name = '', digits]) => ({ name: name.toUpperCase(), digits }));
  context.section = 'registers';
  const addresses = found
    .filter(({ name, digits }) => !savedCounter.test(name) || Number.parseInt(digits ?? '', 16) !== 0)
    .filter(({ name }) => (isRiscv ? riscvNames.test(name) || programCounters.has(name) : !neverCode.has(name)))
    .map(({ name, digits }) => panicAddress(digits, roleOf(name, isRiscv), name));
  const registers = Object.fromEntries(
    found.map(({ name, digits = '' }) => [name.replace('/FP', '').toLowerCase(), Number.parseInt(digits, 16)]),
  );
  return { ...mark('registers', 'fault', accessSentence(line, context), addresses), registers };
}

function roleOf(name: string, isRiscv: boolean): AddressRole {
  if (programCounters.has(name)) {
    return 'exact';
  }
  return name === (isRiscv ? 'RA' : 'A0') ? 'return' : 'register';
}

/**
 * Returns the instruction addresses that ESP8266 prints as `epc1=0x…` after an exception. Zeros are unused registers.
 */
export function epcAddresses(line: string): PanicAddress[] {
  return [...line.matchAll(epc)]
    .filter(([, name, digits]) => name !== 'excvaddr' && Number.parseInt(digits ?? '', 16) !== 0)
    .map(([, name, digits]) => panicAddress(digits, 'exact', name));
}

/** Returns a sentence about the address that was used, if the exception concerns one; otherwise undefined. */
export function accessSentence(line: string, context: PanicContext): string | undefined {
  const [, name = '', digits = ''] = accessAddress.exec(line) ?? [];
  if (!context.isAboutAccess || digits === '') {
    return undefined;
  }
  return usedAddressSentence(name, Number.parseInt(digits, 16));
}
