/**
 * Images for the simulated chips in the form of a build's output (esptool documentation, "Firmware Image Format").
 * They contain no real code, because the simulation and image viewers read only headers, checksums and texts.
 */

import { sha256 } from '@noble/hashes/sha2.js';
import { joined } from '../../byte-fields.ts';
import { filler } from '../../filler.ts';
import type { EspChip } from '../chips/chip.ts';
import type { EspChipName } from '../options.ts';

interface EspSegment {
  /** Address to which the loader copies or maps the data. */
  readonly address: number;
  readonly data: Uint8Array<ArrayBuffer>;
}

/** The application description. Texts are ASCII, at most 31 bytes each. */
interface EspAbout {
  readonly project: string;
  readonly version: string;
  /** SHA-256 of the application's ELF file, 32 bytes. Default: none. */
  readonly elfHash?: Uint8Array;
}

export interface EspFirmwareOptions extends EspAbout {
  readonly chip: EspChipName;
  /** Printed by the application when it starts. */
  readonly text: string;
  /** Bytes of filler instead of code. Default 20480. */
  readonly size?: number;
}

/** Dual I/O. */
const modeDio = 2;
const checksumSeed = 0xef;
const mebibyte = 0x100000;

/**
 * Returns the segments of an application for demo devices. On a real chip it would have no function; its mark tells
 * flashers so. Images for the ESP8266 have no application description.
 */
export function espApplication(
  chip: EspChip,
  { text, size = 20_480, ...about }: Omit<EspFirmwareOptions, 'chip'>,
): EspSegment[] {
  const code = { address: chip.layout.code, data: filler(size) };
  const readOnly = { address: chip.layout.readOnly, data: spoken(text) };
  return chip.generation === 'esp8266'
    ? [code, readOnly]
    : [{ ...readOnly, data: joined(description(about), readOnly.data) }, code];
}

/**
 * Returns an image with header, checksum and, except for the ESP8266, digest.
 * @param chip Chip of the image.
 * @param flashSize Size in its header, in bytes.
 * @param segments Segments in order.
 */
export function espImage(chip: EspChip, flashSize: number, segments: readonly EspSegment[]): Uint8Array<ArrayBuffer> {
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
  const body = joined(...parts, padding);
  return extended ? joined(body, sha256(body)) : body;
}

/** Returns the upper half of the fourth header byte. The lower half is the frequency, always 40 MHz. */
function sizeCode(chip: EspChip, flashSize: number): number {
  if (chip.generation === 'esp8266') {
    const codes: Readonly<Record<number, number>> = { 1: 0x20, 2: 0x30, 4: 0x40, 8: 0x80, 16: 0x90 };
    return codes[flashSize / mebibyte] ?? 0x00;
  }
  return Math.max(0, Math.round(Math.log2(flashSize / mebibyte))) << 4;
}

/** Returns `esp_app_desc_t` (ESP-IDF, "App Image Format"). */
function description({ project, version, elfHash }: EspAbout): Uint8Array {
  const bytes = new Uint8Array(256);
  new DataView(bytes.buffer).setUint32(0, 0xabcd5432, true);
  const texts = [
    [16, version],
    [48, project],
    [80, '09:00:00'],
    [96, 'Jan  1 2026'],
    [112, 'simulated'],
  ] as const;
  for (const [at, text] of texts) {
    bytes.set(new TextEncoder().encode(text), at);
  }
  bytes.set(elfHash ?? [], 144);
  return bytes;
}

/** Returns the mark followed by the text, padded to a multiple of four bytes. */
function spoken(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(`wirebench-boot-text:${text}\0`);
  const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
  padded.set(bytes);
  return padded;
}
