/**
 * Firmware for the simulated Espressif chips, as a build leaves it: bootloader, partition table and an application. Bootloader
 * and table are those that a board of that kind leaves the factory with. The application is no program for demo devices, which
 * a flasher would refuse to write to a real port: what a chip says of it is its name and version.
 */
import { createHash } from 'node:crypto';
import { EspDevice, type FlashView } from '@wirebench/devices';

export interface FirmwareFile {
  readonly name: string;
  /** Address in flash, in bytes. */
  readonly offset: number;
  readonly bytes: Buffer;
}

interface Application {
  readonly project: string;
  readonly version: string;
  /** Bytes of its data; the same bytes each time, which do not compress. */
  readonly size: number;
}

/** Chip id, where its ROM looks for the bootloader, a place in its RAM, and where flash is mapped (technical reference manuals). */
const chips = {
  esp32: { id: 0, bootloader: 0x1000, ram: 0x40080400, mapped: 0x3f400020 },
  esp32s3: { id: 9, bootloader: 0x0, ram: 0x403c9700, mapped: 0x3c000020 },
  esp32c3: { id: 5, bootloader: 0x0, ram: 0x403ce000, mapped: 0x3c000020 },
} as const;
type Chip = keyof typeof chips;

const tableOffset = 0x8000;
const tableSize = 0xc00;
const applicationOffset = 0x10000;

export function espFirmware(chip: Chip, application: Application): readonly FirmwareFile[] {
  const { bootloader } = chips[chip];
  const { flash } = new EspDevice({ chip });
  return [
    {
      name: 'bootloader.bin',
      offset: bootloader,
      bytes: withoutErased(flash.read(bootloader, tableOffset - bootloader)),
    },
    { name: 'partition-table.bin', offset: tableOffset, bytes: Buffer.from(flash.read(tableOffset, tableSize)) },
    { name: 'app.bin', offset: applicationOffset, bytes: image(chip, application) },
  ];
}

/** Names of the files that `flash` does not hold, byte by byte. */
export function missingIn(flash: FlashView, files: readonly FirmwareFile[]): string[] {
  return files.filter(({ offset, bytes }) => !bytes.equals(flash.read(offset, bytes.length))).map(({ name }) => name);
}

/** Bytes that do not compress, the same each time. */
export function noise(length: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, index) =>
    createHash('sha256').update(`${index}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, length);
}

function withoutErased(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.findLastIndex((byte) => byte !== 0xff) + 1));
}

/** One segment (esptool documentation, "Firmware Image Format"); its checksum is the last byte of a block of 16. */
function image(chip: Chip, { project, version, size }: Application): Buffer {
  const { id, ram, mapped } = chips[chip];
  const data = Buffer.concat([description(project, version), noise(size)]);
  const head = Buffer.alloc(32);
  head.set([0xe9, 1, 2, 0x20]);
  head.writeUInt32LE(ram, 4);
  head[8] = 0xee;
  head.writeUInt16LE(id, 12);
  head.writeUInt16LE(0xffff, 17);
  head[23] = 1;
  head.writeUInt32LE(mapped, 24);
  head.writeUInt32LE(data.length, 28);
  const end = Math.ceil((head.length + data.length + 1) / 16) * 16;
  const body = Buffer.concat([head, data], end);
  body[end - 1] = data.reduce((sum, byte) => sum ^ byte, 0xef);
  return Buffer.concat([body, createHash('sha256').update(body).digest()]);
}

/** `esp_app_desc_t` (ESP-IDF, "App Image Format"). */
function description(project: string, version: string): Buffer {
  const bytes = Buffer.alloc(256);
  bytes.writeUInt32LE(0xabcd5432);
  bytes.write(version, 16);
  bytes.write(project, 48);
  bytes.write('12:00:00', 80);
  bytes.write('Nov 20 2026', 96);
  bytes.write('v5.5', 112);
  return bytes;
}
