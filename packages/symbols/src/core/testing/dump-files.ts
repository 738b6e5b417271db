/** Core dumps written by hand, byte by byte as ESP-IDF does (`core_dump_elf.c`, `core_dump_uart.c`). */

export const words = (...values: readonly number[]): Uint8Array =>
  new Uint8Array(Uint32Array.from(values, (value) => value >>> 0).buffer);

export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

const padded = (bytes: Uint8Array) => joined(bytes, new Uint8Array(-bytes.length & 3));
const text = (value: string) => new TextEncoder().encode(`${value}\0`);

export interface NoteParts {
  readonly name: string;
  readonly type: number;
  readonly content: Uint8Array;
}

function note({ name, type, content }: NoteParts): Uint8Array {
  return joined(words(text(name).length, content.length, type), padded(text(name)), padded(content));
}

/** PRSTATUS of RISC-V: 204 bytes. @param registers pc, then x1 to x31 */
export function riscvStatus(tcb: number, registers: readonly number[]): NoteParts {
  const content = new Uint8Array(204);
  content.set(words(tcb), 24);
  content.set(words(...registers), 72);
  return { name: 'CORE', type: 1, content };
}

/** PRSTATUS of Xtensa: 72 bytes, 64 words, then the address registers. */
export function xtensaStatus(tcb: number, pc: number, ps: number, addressRegisters: readonly number[]): NoteParts {
  const content = new Uint8Array(72 + 4 * 129);
  content.set(words(tcb), 24);
  content.set(words(pc, ps), 72);
  content.set(words(...addressRegisters), 72 + 4 * 64);
  return { name: 'CORE', type: 1, content };
}

export const panicDetails = (details: string): NoteParts => ({
  name: 'ESP_PANIC_DETAILS',
  type: 679,
  content: text(details).subarray(0, -1),
});

/** @param registers pairs of number and value; EXCCAUSE and EXCVADDR first */
export const extraInfo = (crashed: number, ...registers: readonly number[]): NoteParts => ({
  name: 'ESP_EXTRA_INFO',
  type: 677,
  content: words(crashed, ...registers),
});

export const appInfo = (version: number, hash: string): NoteParts => ({
  name: 'ESP_CORE_DUMP_INFO',
  type: 8266,
  content: joined(words(version), text(hash)),
});

export interface ElfParts {
  readonly machine: 94 | 243 | 40;
  readonly notes: readonly NoteParts[];
  readonly memory: readonly { readonly address: number; readonly bytes: Uint8Array }[];
  /** ET_CORE unless told otherwise. */
  readonly type?: number;
}

export function coreElf({ machine, notes, memory, type = 4 }: ElfParts): Uint8Array {
  const parts = [
    { kind: 4, address: 0, bytes: joined(...notes.map(note)) },
    ...memory.map((one) => ({ kind: 1, ...one })),
  ];
  let at = 52 + 32 * parts.length;
  const headers = parts.map(({ kind, address, bytes }) => {
    const header = words(kind, at, address, address, bytes.length, bytes.length, 6, 0);
    at += bytes.length;
    return header;
  });
  const head = new Uint8Array(52);
  head.set([0x7f, 0x45, 0x4c, 0x46, 1, 1, 1]);
  const view = new DataView(head.buffer);
  view.setUint16(16, type, true);
  view.setUint16(18, machine, true);
  view.setUint32(28, 52, true);
  view.setUint16(42, 32, true);
  view.setUint16(44, parts.length, true);
  return joined(head, ...headers, ...parts.map(({ bytes }) => bytes));
}

/** As it is printed: 48 bytes a line, each encoded on its own. */
export function printed(bytes: Uint8Array, lineEnd = '\r\n'): string {
  const lines = Array.from({ length: Math.ceil(bytes.length / 50) }, (_, index) =>
    btoa(String.fromCharCode(...bytes.subarray(50 * index, 50 * index + 50))),
  );
  const mark = '=================';
  return [`${mark} CORE DUMP START ${mark}`, ...lines, `${mark} CORE DUMP END ${mark}`, ''].join(lineEnd);
}
