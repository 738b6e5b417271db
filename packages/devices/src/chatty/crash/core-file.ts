/**
 * A core dump as ESP-IDF writes it: an ELF core file (`core_dump_elf.c`, `port/xtensa/core_dump_port.c`) in a header
 * with a checksum (`esp_core_dump_types.h`, version 0x0102). The UART gets the same dump as lines of Base64
 * (`core_dump_uart.c`).
 */
import { joined, viewOf, words16, words32 } from '../../byte-fields.ts';
import { crc32 } from '../../digests/crc32.ts';
import type { Scene } from './scenes.ts';
import type { TaskImage } from './task-image.ts';

const headerSize = 52;
const segmentSize = 32;
const [PT_LOAD, PT_NOTE] = [1, 4];
const [ET_CORE, EM_XTENSA] = [4, 94];
/** ELF note types of ESP-IDF's core dumps. */
const noteType = { status: 1, extra: 677, panicDetails: 679, info: 8266 } as const;
/** Espressif's numbers of registers in the extra note, and the value for "no cause". */
const [EXCCAUSE, EXCVADDR, NO_CAUSE] = [232, 238, 0xffff];
/**
 * PS with windows enabled (WOE), a CALL8 as the last call, user mode (ISA reference manual, table "PS Register
 * Fields").
 */
const PS = 0x0006_0020;
const VERSION = 0x0102;
/** `esp_chip_id_t` of the ESP32. */
const ESP32 = 0;
const CHIP_REVISION = 301;

interface CoreParts {
  readonly scene: Scene;
  /** One image for each task, the crashed task first. */
  readonly images: readonly TaskImage[];
  /** SHA-256 of the program's ELF file, in hex. */
  readonly elfHash: string;
}

function coreElf({ scene, images, elfHash }: CoreParts): Uint8Array<ArrayBuffer> {
  const cause = scene.exception;
  const notes = joined(
    ...images.map((image) => note('CORE', noteType.status, status(image))),
    note('ESP_CORE_DUMP_INFO', noteType.info, joined(words32(0x0005_0300), text(elfHash.slice(0, 9)))),
    note(
      'ESP_EXTRA_INFO',
      noteType.extra,
      words32(images[0]?.tcb ?? 0, EXCCAUSE, cause?.cause ?? NO_CAUSE, EXCVADDR, cause?.address ?? 0),
    ),
    ...(scene.said === null ? [] : [note('ESP_PANIC_DETAILS', noteType.panicDetails, text(scene.said))]),
  );
  const parts = [
    { type: PT_NOTE, address: 0, bytes: notes },
    ...images.flatMap(({ memory }) => memory.map((one) => ({ type: PT_LOAD, ...one }))),
  ];
  let at = headerSize + segmentSize * parts.length;
  const headers = parts.map(({ type, address, bytes }) => {
    const header = words32(type, at, address, address, bytes.length, bytes.length, 6, 0);
    at += bytes.length;
    return header;
  });
  const head = joined(
    Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    words16(ET_CORE, EM_XTENSA),
    words32(1, 0, headerSize, 0, 0),
    words16(headerSize, segmentSize, parts.length, 0, 0, 0),
  );
  return joined(head, ...headers, ...parts.map(({ bytes }) => bytes));
}

/**
 * Returns a PRSTATUS note: task, pc, ps, three loop registers, SAR, two window registers, reserved words and 64
 * address registers.
 */
function status({ tcb, frames, registers }: TaskImage): Uint8Array {
  const bytes = new Uint8Array(72 + 4 * 129);
  const view = viewOf(bytes);
  view.setUint32(24, tcb, true);
  bytes.set(words32(frames[0]?.pc ?? 0, PS, 0, 0, 0, 0, 1, 0), 72);
  bytes.set(words32(...registers), 72 + 4 * 64);
  return bytes;
}

function note(name: string, type: number, content: Uint8Array): Uint8Array {
  const title = text(name);
  return joined(words32(title.length, content.length, type), padded(title), padded(content));
}

/** Returns the whole dump: header, core file and checksum. */
export function wrappedCore(parts: CoreParts): Uint8Array<ArrayBuffer> {
  const core = coreElf(parts);
  // Number of tasks, size of a control block, number of segments: 0, because the core file contains them.
  const fields = words32(0, 0, 0, CHIP_REVISION);
  const length = 8 + fields.length + core.length + 4;
  const summed = joined(words32(length, (ESP32 << 16) | VERSION), fields, core);
  return joined(summed, words32(crc32(summed)));
}

/** Bytes of the dump in one line of Base64. */
const lineBytes = 48;

export function printedCore(dump: Uint8Array): readonly string[] {
  const mark = '=================';
  const lines = Array.from({ length: Math.ceil(dump.length / lineBytes) }, (_, index) =>
    btoa(String.fromCharCode(...dump.subarray(lineBytes * index, lineBytes * (index + 1)))),
  );
  return [`${mark} CORE DUMP START ${mark}`, ...lines, `${mark} CORE DUMP END ${mark}`];
}

const text = (value: string) => new TextEncoder().encode(`${value}\0`);
const padded = (bytes: Uint8Array) => joined(bytes, new Uint8Array(-bytes.length & 3));
