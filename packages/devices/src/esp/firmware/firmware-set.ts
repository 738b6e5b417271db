/**
 * Firmware for a simulated chip as a build leaves it: everything that an empty chip needs to start, and the ELF file that belongs
 * to it. On a real chip it would do nothing, and its marks say so to flashers.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { joined } from '../../byte-fields.ts';
import { partitionTableOffset } from '../boot/partitions.ts';
import { espChips } from '../chips/index.ts';
import { demoElf } from './elf.ts';
import { bootloaderImage, factoryAppOffset, partitionTable } from './factory.ts';
import { type EspFirmwareOptions, espApplication, espImage } from './image.ts';

export interface EspFirmwareSetOptions extends EspFirmwareOptions {
  /** Bytes of the flash that it is for, as its headers say. Default 4 MiB. */
  readonly flashSize?: number;
}

export interface EspFirmwareFile {
  readonly name: string;
  /** In flash, in bytes; null: it is not flashed. */
  readonly offset: number | null;
  readonly data: Uint8Array<ArrayBuffer>;
}

const usualFlash = 0x400000;

/**
 * Bootloader, partition table, application and its ELF file, with the names that a build gives them; an ESP8266 has one program and
 * no partitions.
 */
export function espFirmwareSet({
  chip: name,
  flashSize = usualFlash,
  ...about
}: EspFirmwareSetOptions): EspFirmwareFile[] {
  const chip = espChips[name];
  const [code] = espApplication(chip, about).filter(({ address }) => address === chip.layout.code);
  const elf = demoElf(chip, code?.data ?? new Uint8Array());
  const app = espImage(chip, flashSize, espApplication(chip, { ...about, elfHash: sha256(elf) }));
  const title = `${about.project}-${name}`;
  const program = (offset: number): EspFirmwareFile[] => [
    { name: `${title}.bin`, offset, data: app },
    { name: `${title}.elf`, offset: null, data: elf },
  ];
  if (chip.generation === 'esp8266') {
    return program(chip.bootloaderOffset);
  }
  return [
    { name: 'bootloader.bin', offset: chip.bootloaderOffset, data: bootloaderImage(chip, flashSize, demoBootloader()) },
    { name: 'partition-table.bin', offset: partitionTableOffset, data: partitionTable(flashSize) },
    ...program(factoryAppOffset),
  ];
}

/** `esp_bootloader_desc_t` (ESP-IDF, `esp_bootloader_desc.h`), and the mark by which flashers know what is for demo devices only. */
function demoBootloader(): Uint8Array {
  const description = new Uint8Array(80);
  description[0] = 80;
  description[4] = 1;
  description.set(new TextEncoder().encode('simulated'), 8);
  description.set(new TextEncoder().encode('Jan  1 2026 09:00:00'), 40);
  return joined(description, new TextEncoder().encode('wirebench-boot-text:\0'));
}
