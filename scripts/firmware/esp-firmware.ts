/**
 * Firmware files for the simulated Espressif chips, as a build writes them: bootloader, partition table and
 * application. Bootloader and table equal those of the factory firmware. The application is not a demo program,
 * because a flasher would refuse to write one to a real port. A simulated chip reports its name and version.
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
  /** Bytes of its data, which is deterministic and does not compress. */
  readonly size: number;
  /** Its data in place of that. */
  readonly data?: Uint8Array;
  /** SHA-256 of the ELF file that it is made from, in hexadecimal. Missing: it names none. */
  readonly elfHash?: string;
}

/**
 * Chip ID, flash offset of the second-stage bootloader, an address in RAM, and the address at which flash is mapped
 * (technical reference manuals).
 */
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
    { name: 'app.bin', offset: applicationOffset, bytes: espImage(chip, application) },
  ];
}

/** Returns the names of files whose bytes differ from the flash. */
export function missingIn(flash: FlashView, files: readonly FirmwareFile[]): string[] {
  return files.filter(({ offset, bytes }) => !bytes.equals(flash.read(offset, bytes.length))).map(({ name }) => name);
}

/** Returns deterministic bytes that do not compress. */
export function noise(length: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, index) =>
    createHash('sha256').update(`${index}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, length);
}

function withoutErased(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.findLastIndex((byte) => byte !== 0xff) + 1));
}

/**
 * Builds an image of one segment (esptool documentation, "Firmware Image Format"). Its checksum is the last byte of a
 * 16-byte block.
 */
export function espImage(chip: Chip, { project, version, size, data: own, elfHash = '' }: Application): Buffer {
  const { id, ram, mapped } = chips[chip];
  const data = Buffer.concat([description(project, version, elfHash), own ?? noise(size)]);
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

/** Builds an `esp_app_desc_t` (ESP-IDF, "App Image Format"). */
function description(project: string, version: string, elfHash: string): Buffer {
  const bytes = Buffer.alloc(256);
  bytes.writeUInt32LE(0xabcd5432);
  bytes.write(version, 16);
  bytes.write(project, 48);
  bytes.write('12:00:00', 80);
  bytes.write('Nov 20 2026', 96);
  bytes.write('v5.5', 112);
  bytes.write(elfHash, 144, 'hex');
  return bytes;
}
