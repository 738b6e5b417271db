/** Lists beside a saved image: `flasher_args.json` of ESP-IDF, and a manifest as ESP Web Tools reads it. */
import { addressText } from '../../core/bytes.ts';
import { type ChipName, chipFacts } from '../chips/chip-facts.ts';

interface ListedImage {
  /** Path in the archive. */
  readonly path: string;
  /** Flash offset in bytes. */
  readonly offset: number;
}

export interface ImageList {
  readonly chip: ChipName;
  /** Name and version of the program; null if unknown. */
  readonly name: string | null;
  readonly version: string | null;
  readonly images: readonly ListedImage[];
}

/** Returns the text of `flasher_args.json`. Flash settings stay those of the files. */
export function flasherArgs({ chip, images }: ImageList): string {
  const files = Object.fromEntries(images.map(({ path, offset }) => [addressText(offset).toLowerCase(), path]));
  return jsonText({
    write_flash_args: ['--flash_mode', 'keep', '--flash_size', 'keep', '--flash_freq', 'keep'],
    flash_settings: { flash_mode: 'keep', flash_size: 'keep', flash_freq: 'keep' },
    flash_files: files,
    extra_esptool_args: { after: 'hard_reset', before: 'default_reset', stub: true, chip },
  });
}

/** Returns the text of `manifest.json`. */
export function webToolsManifest({ chip, name, version, images }: ImageList): string {
  return jsonText({
    name: name ?? 'Firmware',
    version: version ?? '',
    new_install_prompt_erase: false,
    builds: [{ chipFamily: chipFacts[chip].label, parts: images.map(({ path, offset }) => ({ path, offset })) }],
  });
}

const jsonText = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
