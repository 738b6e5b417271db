/**
 * Decides if an address can be a return address, by a call instruction right before it. A stack dump is full of words
 * that only look like code; this removes most of them. Sources: RISC-V ISA manual volume I (JAL, JALR, C.JAL,
 * C.JALR), Xtensa ISA reference manual (CALL0 to CALL12, CALLX0 to CALLX12), ARMv7-M Architecture Reference Manual
 * (DDI 0403, A7.7.18 and A7.7.19: BL, BLX), ARMv7-A (DDI 0406, A8.8.25) for BL and BLX of ARM code.
 */
import type { Machine } from './elf/machine.ts';

/** Returns up to `length` bytes of code from `address` on; undefined outside of code. */
export type CodeReader = (address: number, length: number) => Uint8Array | undefined;

/**
 * Returns the instruction's address for a value from a register or the stack. On ARM, bit 0 of such a value marks
 * Thumb code.
 */
export function instructionAddress(machine: Machine, address: number): number {
  return machine === 'arm' ? address - (address % 2) : address;
}

/** Returns true if a call is right before `address`; undefined for a machine whose calls are unknown here. */
export function followsCall(machine: Machine, address: number, codeAt: CodeReader): boolean | undefined {
  switch (machine) {
    case 'riscv':
      return isRiscvCall(codeAt, address);
    case 'xtensa':
      return isXtensaCall(codeAt(address - 3, 3));
    case 'arm':
      return address % 2 === 1 ? isThumbCall(codeAt, address - 1) : isArmCall(codeAt(address - 4, 4));
    default:
      return undefined;
  }
}

function isRiscvCall(codeAt: CodeReader, address: number): boolean {
  const [low = 0, high = 0] = codeAt(address - 4, 4) ?? [];
  const word = low | (high << 8);
  const opcode = word & 0x7f;
  const destination = (word >> 7) & 0x1f;
  // JAL (0x6f) or JALR (0x67) with the return address in ra (x1) or t0 (x5, the alternate link register).
  if ((opcode === 0x6f || opcode === 0x67) && (destination === 1 || destination === 5)) {
    return true;
  }
  const [first, second] = codeAt(address - 2, 2) ?? [];
  if (first === undefined || second === undefined) {
    return false;
  }
  const half = first | (second << 8);
  const isJal = (half & 0xe003) === 0x2001;
  // C.JALR: 1001 rs1≠0 00000 10.
  const isJalr = (half & 0xf07f) === 0x9002 && (half & 0x0f80) !== 0;
  return isJal || isJalr;
}

function isThumbCall(codeAt: CodeReader, address: number): boolean {
  const [first, second] = halves(codeAt(address - 4, 4));
  // BL: 11110… 11.1…; BLX to ARM code: 11110… 11.0… (on processors of other profiles).
  if (first !== undefined && second !== undefined && first >>> 11 === 0x1e && second >>> 14 === 3) {
    return true;
  }
  const [half] = halves(codeAt(address - 2, 2));
  // BLX with a register: 010001111 Rm 000; BLXNS ends with 100.
  return half !== undefined && (half & 0xff83) === 0x4780;
}

function isArmCall(bytes: Uint8Array = new Uint8Array()): boolean {
  const [low, high] = halves(bytes);
  if (low === undefined || high === undefined) {
    return false;
  }
  const isUnconditional = high >>> 12 === 0xf;
  // BL may be conditional; BLX to Thumb code has no condition.
  const isImmediate = isUnconditional ? (high & 0x0e00) === 0x0a00 : (high & 0x0f00) === 0x0b00;
  return isImmediate || (!isUnconditional && (high & 0x0fff) === 0x012f && (low & 0xfff0) === 0xff30);
}

function halves(bytes: Uint8Array = new Uint8Array()): number[] {
  return Array.from(
    { length: bytes.length >>> 1 },
    (_, index) => (bytes[2 * index] ?? 0) | ((bytes[2 * index + 1] ?? 0) << 8),
  );
}

function isXtensaCall([first, second, third]: Iterable<number> = []): boolean {
  if (first === undefined || second === undefined || third === undefined) {
    return false;
  }
  // CALLn: low four bits 0101. CALLXn: the 24 bits are 0000 0000 0000 ssss 11nn 0000.
  return (first & 0x0f) === 0x05 || ((first & 0xcf) === 0xc0 && (second & 0xf0) === 0 && third === 0);
}
