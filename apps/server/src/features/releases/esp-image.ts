/**
 * Builds an ESP32 application image that esptool and the chip's own loader accept. Format: esptool documentation,
 * "Firmware Image Format" (header, extended header, segments, footer) and ESP-IDF API guide "App Image Format"
 * (application description). All numbers are little endian.
 */
import { createHash } from 'node:crypto';

export interface EspAppDescription {
  /** At most 31 bytes in UTF-8, like the other texts. Date and time have at most 15. */
  readonly version: string;
  readonly projectName: string;
  readonly idfVersion: string;
  readonly time: string;
  readonly date: string;
}

interface EspSegment {
  /** Address at which the loader places or maps the data. */
  readonly address: number;
  readonly data: Uint8Array;
}

interface EspImage {
  /** Address at which execution begins. */
  readonly entry: number;
  readonly segments: readonly EspSegment[];
}

const MAGIC = 0xe9;
const HEADER_SIZE = 24;
/** Dual I/O, 40 MHz, 4 MB: the flash of a plain development board. */
const FLASH_MODE_DIO = 2;
const FLASH_4MB_40MHZ = 0x20;
/** Leaves the write-protect pin unchanged. */
const WP_PIN_UNUSED = 0xee;
const CHIP_ID_ESP32 = 0;
const CHECKSUM_SEED = 0xef;
const APP_DESCRIPTION_MAGIC = 0xabcd5432;
const APP_DESCRIPTION_SIZE = 256;

/** Address of an application's read-only data: mapped right after the header, 0x20 bytes into a page. */
export const DROM_ADDRESS = 0x3f400020;
/** Data memory, in the part that the ROM gives to a bootloader. */
export const DRAM_ADDRESS = 0x3fff0030;
/** Start of the code in instruction memory. */
export const IRAM_ADDRESS = 0x40080400;

/** Returns the image for an ESP32, with checksum and SHA-256. Segments are padded to a multiple of four bytes. */
export function buildEspImage({ entry, segments }: EspImage): Uint8Array {
  const padded = segments.map(({ address, data }) => ({ address, data: padTo(data, 4) }));
  const parts = [
    header(entry, padded.length),
    ...padded.flatMap(({ address, data }) => [segmentHead(address, data), data]),
  ];
  const body = Buffer.concat(parts);
  // The checksum is the last byte of a block of 16.
  const end = Math.ceil((body.length + 1) / 16) * 16;
  const image = Buffer.alloc(end);
  body.copy(image);
  image[end - 1] = padded.reduce((sum, { data }) => data.reduce((xor, byte) => xor ^ byte, sum), CHECKSUM_SEED);
  return Buffer.concat([image, createHash('sha256').update(image).digest()]);
}

/** Returns `esp_app_desc_t`: 256 bytes at the beginning of an application's first segment. */
export function appDescription({ version, projectName, idfVersion, time, date }: EspAppDescription): Uint8Array {
  const description = Buffer.alloc(APP_DESCRIPTION_SIZE);
  description.writeUInt32LE(APP_DESCRIPTION_MAGIC, 0);
  writeText(description, version, 16, 32);
  writeText(description, projectName, 48, 32);
  writeText(description, time, 80, 16);
  writeText(description, date, 96, 16);
  writeText(description, idfVersion, 112, 32);
  return description;
}

function header(entry: number, segments: number): Buffer {
  const bytes = Buffer.alloc(HEADER_SIZE);
  bytes.set([MAGIC, segments, FLASH_MODE_DIO, FLASH_4MB_40MHZ], 0);
  bytes.writeUInt32LE(entry, 4);
  bytes[8] = WP_PIN_UNUSED;
  bytes.writeUInt16LE(CHIP_ID_ESP32, 12);
  // Any revision from 0.0 on, without an upper bound.
  bytes.writeUInt16LE(0xffff, 17);
  // A SHA-256 follows the checksum.
  bytes[23] = 1;
  return bytes;
}

function segmentHead(address: number, data: Uint8Array): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(address, 0);
  bytes.writeUInt32LE(data.length, 4);
  return bytes;
}

function padTo(data: Uint8Array, multiple: number): Uint8Array {
  const padded = new Uint8Array(Math.ceil(data.length / multiple) * multiple);
  padded.set(data);
  return padded;
}

/** Writes a text followed by at least one NUL. */
function writeText(target: Buffer, text: string, offset: number, size: number): void {
  if (Buffer.byteLength(text) >= size) {
    throw new RangeError(`"${text}" is longer than ${size - 1} bytes`);
  }
  target.write(text, offset);
}
