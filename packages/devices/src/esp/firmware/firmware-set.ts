/**
 * Firmware for a simulated chip in the form of a build's output: all files that an empty chip needs to start, and the
 * matching ELF file. On a real chip it would have no function; its marks tell flashers so.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { joined } from '../../byte-fields.ts';
import { partitionTableOffset } from '../boot/partitions.ts';
import { espChips } from '../chips/index.ts';
import { demoTable, holdsDemoLayout } from './demo-content.ts';
import { demoElf } from './elf.ts';
import { bootloaderImage, factoryAppOffset, partitionTable } from './factory.ts';
import { type EspFirmwareOptions, espApplication, espImage } from './image.ts';

export interface EspFirmwareSetOptions extends EspFirmwareOptions {
  /** Flash size in the headers, in bytes. Default 4 MiB. */
  readonly flashSize?: number;
}

export interface EspFirmwareFile {
  readonly name: string;
  /** Offset in flash in bytes; null: not flashed. */
  readonly offset: number | null;
  readonly data: Uint8Array<ArrayBuffer>;
}

const usualFlash = 0x400000;

/**
 * Returns bootloader, partition table, application and its ELF file, named as by a build. For an ESP8266: one program
 * without partitions.
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
  const table = holdsDemoLayout(chip, flashSize) ? demoTable() : partitionTable(flashSize);
  return [
    { name: 'bootloader.bin', offset: chip.bootloaderOffset, data: bootloaderImage(chip, flashSize, demoBootloader()) },
    { name: 'partition-table.bin', offset: partitionTableOffset, data: table },
    ...program(factoryAppOffset),
  ];
}

/**
 * Returns `esp_bootloader_desc_t` (ESP-IDF, `esp_bootloader_desc.h`), and the mark by which flashers recognise
 * firmware for demo devices.
 */
function demoBootloader(): Uint8Array {
  const description = new Uint8Array(80);
  description[0] = 80;
  description[4] = 1;
  description.set(new TextEncoder().encode('simulated'), 8);
  description.set(new TextEncoder().encode('Jan  1 2026 09:00:00'), 40);
  return joined(description, new TextEncoder().encode('wirebench-boot-text:\0'));
}
