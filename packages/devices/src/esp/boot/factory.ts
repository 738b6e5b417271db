/**
 * What a board has in its flash when it is bought: a bootloader, a partition table and a small application. None of it is
 * code; the simulation reads headers, sums and texts, and so does everybody who looks at an image.
 */
import type { EspChip } from '../chips/chip.ts';
import { md5 } from '../md5.ts';
import type { EspFlashPart } from '../options.ts';
import { sha256 } from '../sha256.ts';
import { partitionTableOffset } from './partitions.ts';

interface Segment {
  readonly address: number;
  readonly data: Uint8Array;
}

const appOffset = 0x10000;
/** Dual I/O. */
const modeDio = 2;
const checksumSeed = 0xef;
const mebibyte = 0x100000;

/** The parts that a factory writes into a flash of `flashSize` bytes. */
export function factoryContent(chip: EspChip, flashSize: number): EspFlashPart[] {
  const text = `I (312) main: ${chip.name} with its factory firmware.\r\n`;
  if (chip.generation === 'esp8266') {
    const segments = [
      { address: chip.layout.code, data: filler(1_024) },
      { address: chip.layout.readOnly, data: spoken(text) },
    ];
    return [{ offset: chip.bootloaderOffset, data: image(chip, flashSize, segments) }];
  }
  const bootloader = [
    { address: chip.layout.data, data: filler(6_656) },
    { address: chip.layout.code, data: filler(9_216) },
  ];
  const application = [
    { address: chip.layout.readOnly, data: concat([description(chip), spoken(text)]) },
    { address: chip.layout.code, data: filler(20_480) },
  ];
  return [
    { offset: chip.bootloaderOffset, data: image(chip, flashSize, bootloader) },
    { offset: partitionTableOffset, data: partitionTable(flashSize) },
    { offset: appOffset, data: image(chip, flashSize, application) },
  ];
}

function image(chip: EspChip, flashSize: number, segments: readonly Segment[]): Uint8Array {
  const extended = chip.generation !== 'esp8266';
  const header = new Uint8Array(extended ? 24 : 8);
  const view = new DataView(header.buffer);
  header.set([0xe9, segments.length, modeDio, sizeCode(chip, flashSize)]);
  view.setUint32(4, chip.layout.code, true);
  if (extended) {
    header[8] = 0xee;
    view.setUint16(12, chip.imageChipId ?? 0, true);
    view.setUint16(19, 0xffff, true);
    header[23] = 1;
  }
  let sum = checksumSeed;
  const parts: Uint8Array[] = [header];
  for (const { address, data } of segments) {
    const head = new Uint8Array(8);
    const headView = new DataView(head.buffer);
    headView.setUint32(0, address, true);
    headView.setUint32(4, data.length, true);
    parts.push(head, data);
    sum = data.reduce((xor, byte) => xor ^ byte, sum);
  }
  const length = parts.reduce((total, part) => total + part.length, 0);
  const padding = new Uint8Array(16 - (length % 16));
  padding[padding.length - 1] = sum;
  const body = concat([...parts, padding]);
  return extended ? concat([body, sha256(body)]) : body;
}

/** The upper half of the fourth byte of a header; the frequency below it is 40 MHz everywhere. */
function sizeCode(chip: EspChip, flashSize: number): number {
  if (chip.generation === 'esp8266') {
    const codes: Readonly<Record<number, number>> = { 1: 0x20, 2: 0x30, 4: 0x40, 8: 0x80, 16: 0x90 };
    return codes[flashSize / mebibyte] ?? 0x00;
  }
  return Math.max(0, Math.round(Math.log2(flashSize / mebibyte))) << 4;
}

/** ESP-IDF, "App Image Format": `esp_app_desc_t`. */
function description(chip: EspChip): Uint8Array {
  const bytes = new Uint8Array(256);
  new DataView(bytes.buffer).setUint32(0, 0xabcd5432, true);
  const texts = [
    [16, '1.0.0'],
    [48, `${chip.name}-factory`],
    [80, '09:00:00'],
    [96, 'Jan  1 2026'],
    [112, 'simulated'],
  ] as const;
  for (const [at, text] of texts) {
    bytes.set(new TextEncoder().encode(text), at);
  }
  return bytes;
}

/** ESP-IDF, "Partition Tables": 32 bytes an entry, and an MD5 of them behind. */
function partitionTable(flashSize: number): Uint8Array {
  const entries = [
    ['nvs', 1, 2, 0x9000, 0x6000],
    ['phy_init', 1, 1, 0xf000, 0x1000],
    ['factory', 0, 0, appOffset, Math.min(mebibyte, flashSize - appOffset)],
  ] as const;
  const table = new Uint8Array(0xc00).fill(0xff);
  const view = new DataView(table.buffer);
  for (const [index, [label, type, subtype, offset, size]] of entries.entries()) {
    const at = index * 32;
    table.fill(0, at, at + 32);
    view.setUint16(at, 0x50aa, true);
    table.set([type, subtype], at + 2);
    view.setUint32(at + 4, offset, true);
    view.setUint32(at + 8, size, true);
    table.set(new TextEncoder().encode(label), at + 12);
  }
  const end = entries.length * 32;
  view.setUint16(end, 0xebeb, true);
  table.set(md5(table.subarray(0, end)), end + 16);
  return table;
}

/** Bytes that look like code: neither empty nor the same everywhere. */
function filler(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => (index * 37 + (index >> 8) * 11) & 0xff);
}

/** The text after its mark, filled up to four bytes. */
function spoken(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(`wirebench-boot-text:${text}\0`);
  const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
  padded.set(bytes);
  return padded;
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
