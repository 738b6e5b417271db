/** Core dumps built byte by byte in ESP-IDF's format (`core_dump_elf.c`, `core_dump_uart.c`). */
import { type CoreNote, coreFile as coreElf } from '../core-file.ts';

export const words = (...values: readonly number[]): Uint8Array =>
  new Uint8Array(Uint32Array.from(values, (value) => value >>> 0).buffer);

export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

const text = (value: string) => new TextEncoder().encode(`${value}\0`);

/**
 * Makes a PRSTATUS note of RISC-V: 204 bytes.
 *
 * @param registers pc, then x1 to x31.
 */
export function riscvStatus(tcb: number, registers: readonly number[]): CoreNote {
  const content = new Uint8Array(204);
  content.set(words(tcb), 24);
  content.set(words(...registers), 72);
  return { name: 'CORE', type: 1, content };
}

/** Makes a PRSTATUS note of Xtensa: 72 bytes, 64 words, then the address registers. */
export function xtensaStatus(tcb: number, pc: number, ps: number, addressRegisters: readonly number[]): CoreNote {
  const content = new Uint8Array(72 + 4 * 129);
  content.set(words(tcb), 24);
  content.set(words(pc, ps), 72);
  content.set(words(...addressRegisters), 72 + 4 * 64);
  return { name: 'CORE', type: 1, content };
}

export const panicDetails = (details: string): CoreNote => ({
  name: 'ESP_PANIC_DETAILS',
  type: 679,
  content: text(details).subarray(0, -1),
});

/**
 * Makes Espressif's note with extra information.
 *
 * @param registers Pairs of number and value; EXCCAUSE and EXCVADDR first.
 */
export const extraInfo = (crashed: number, ...registers: readonly number[]): CoreNote => ({
  name: 'ESP_EXTRA_INFO',
  type: 677,
  content: words(crashed, ...registers),
});

export const appInfo = (version: number, hash: string): CoreNote => ({
  name: 'ESP_CORE_DUMP_INFO',
  type: 8266,
  content: joined(words(version), text(hash)),
});

export { coreElf };

/** Prints a dump like firmware, each line encoded separately. */
export function printed(bytes: Uint8Array, lineEnd = '\r\n'): string {
  const lines = Array.from({ length: Math.ceil(bytes.length / 50) }, (_, index) =>
    btoa(String.fromCharCode(...bytes.subarray(50 * index, 50 * index + 50))),
  );
  const mark = '=================';
  return [`${mark} CORE DUMP START ${mark}`, ...lines, `${mark} CORE DUMP END ${mark}`, ''].join(lineEnd);
}

const call8 = (address: number) => ((address & 0x3fff_ffff) | 0x8000_0000) >>> 0;

/**
 * Makes a dump with two tasks of `bare-xtensa.elf`. One crashed in `square`, which `total` called from `_start`. The
 * other yielded.
 *
 * @param hash SHA-256 of the file, in hexadecimal digits.
 */
export const bareXtensaCore = (hash: string) =>
  coreElf({
    machine: 94,
    notes: [
      xtensaStatus(0x3ffa_fba0, 0x4020_000c, 0x60020, [call8(0x4020_001b), 0x3ffb_4ec0, 7, 8]),
      xtensaStatus(0x3ffa_fcf8, 0x4020_0018, 0x60020, [0, 0x3ffb_56b0, 0, 0]),
      appInfo(0x102, hash.slice(0, 9)),
      extraInfo(0x3ffa_fba0, 232, 29, 238, 0),
      panicDetails('assert failed: weigh bare.c:6 (x > 0)'),
    ],
    memory: [
      { address: 0x3ffb_4eb0, bytes: words(0, 0x3ffb_4ee0, 1, 2, 0x1111_2222, 0, 0, 0) },
      { address: 0x3ffb_56b0, bytes: words(0, 0, 0, 0) },
    ],
  });
