/** From a chip's answer to its file: which chip it is, and its definition, loaded when it is needed. */
import type { Chip } from './chip.ts';
import type { ChipName } from './chip-name.ts';
import { chipOfImageId } from './chip-name.ts';

/** A word of the ROM that tells the chips apart which do not tell their id (esptool, `CHIP_DETECT_MAGIC_REG_ADDR`). */
export const magicAddress = 0x4000_1000;

const magics: Readonly<Record<number, ChipName>> = {
  [0x00f0_1d83]: 'esp32',
  [0x0000_07c6]: 'esp32s2',
  [0xfff0_c101]: 'esp8266',
};

/** Null when the chip has to be asked for its id. */
export function chipOfMagic(magic: number): ChipName | null {
  return magics[magic >>> 0] ?? null;
}

/** The ids of GET_SECURITY_INFO are those of image headers. */
export const chipOfId = chipOfImageId;

const definitions = {
  esp8266: async () => (await import('./esp8266.ts')).esp8266,
  esp32: async () => (await import('./esp32.ts')).esp32,
  esp32s2: async () => (await import('./esp32s2.ts')).esp32s2,
  esp32s3: async () => (await import('./esp32s3.ts')).esp32s3,
  esp32c2: async () => (await import('./esp32c2.ts')).esp32c2,
  esp32c3: async () => (await import('./esp32c3.ts')).esp32c3,
  esp32c5: async () => (await import('./esp32c5.ts')).esp32c5,
  esp32c6: async () => (await import('./esp32c6.ts')).esp32c6,
  esp32c61: async () => (await import('./esp32c61.ts')).esp32c61,
  esp32h2: async () => (await import('./esp32h2.ts')).esp32h2,
  esp32p4: async () => (await import('./esp32p4.ts')).esp32p4,
} satisfies Record<ChipName, () => Promise<Chip>>;

export function loadChip(name: ChipName): Promise<Chip> {
  return definitions[name]();
}
