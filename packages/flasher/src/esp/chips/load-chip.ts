/** Loads the file of a chip when such a chip answers. */
import type { Chip } from './chip.ts';
import type { ChipName } from './chip-facts.ts';

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
  esp32h21: async () => (await import('./esp32h21.ts')).esp32h21,
  esp32h4: async () => (await import('./esp32h4.ts')).esp32h4,
  esp32p4: async () => (await import('./esp32p4.ts')).esp32p4,
} satisfies Record<ChipName, () => Promise<Chip>>;

export function loadChip(name: ChipName): Promise<Chip> {
  return definitions[name]();
}
