/**
 * Applies chosen flash settings to the program that the ROM starts, and checks that its settings suit the board. Only
 * this program's header matters. Headers of apps are left unchanged, as in esptool (`cmds.py`,
 * `_update_image_flash_params`).
 */

import { sizeText } from '../../core/bytes.ts';
import { ImageError } from '../../images/image-error.ts';
import { type ChipName, chipFacts } from '../chips/chip-facts.ts';
import { espImageMagic, readEspImage } from '../images/esp-image.ts';
import { flashSizes, readFlashSettings, withFlashSettings } from '../images/flash-settings.ts';
import { chipOfPart } from '../images/image-part.ts';
import { hasBootloaderDigest } from '../images/merged-image.ts';
import type { TableInPlace } from './check-table.ts';
import type { EspFindings } from './esp-plan-finding.ts';
import type { EspPlanSettings } from './esp-plan-types.ts';
import type { KnownFile } from './known-file.ts';

/** Returns the offset of the first program's header in the file; null if the file does not contain it. */
function headerAt({ offset, bytes, part }: KnownFile, chip: ChipName): number | null {
  const at = chipFacts[chip].bootloaderOffset - offset;
  const mayHoldIt = at === 0 || (at > 0 && (part.kind === 'merged' || part.kind === 'bootloader'));
  return mayHoldIt && bytes[at] === espImageMagic ? at : null;
}

/** Returns the files with changed headers. A change that is impossible is refused, and the file stays unchanged. */
export async function applySettings(
  files: readonly KnownFile[],
  settings: EspPlanSettings,
  flashSize: number | null,
  findings: EspFindings,
): Promise<KnownFile[]> {
  return Promise.all(files.map((file) => withSettings(file, settings, flashSize, findings)));
}

async function withSettings(
  file: KnownFile,
  { size, ...others }: EspPlanSettings,
  flashSize: number | null,
  findings: EspFindings,
): Promise<KnownFile> {
  const chip = chipOfPart(file.part);
  const at = chip === null ? null : headerAt(file, chip);
  if (chip === null || at === null || file.part.kind === 'broken') {
    return file;
  }
  const detected = flashSize !== null && flashSizes(chip).includes(flashSize) ? flashSize : 'keep';
  try {
    const whole = file.bytes.subarray(at);
    const program = await withFlashSettings(whole, { ...others, size: size === 'detect' ? detected : size });
    if (program === whole) {
      return file;
    }
    if (at > 0 && hasBootloaderDigest(file.bytes)) {
      throw new ImageError('image-digest');
    }
    const bytes = file.bytes.slice();
    bytes.set(program, at);
    return { ...file, bytes };
  } catch (error) {
    if (!(error instanceof ImageError)) {
      throw error;
    }
    findings.refuse('settings-not-changed', { files: [file.name], wanted: error.message });
    return file;
  }
}

/**
 * Checks the size in the header: it must not exceed the flash, and should cover all partitions. A program that uses
 * no flash is not checked.
 */
export function checkSizeSetting(
  files: readonly KnownFile[],
  inPlace: TableInPlace | null,
  flashSize: number | null,
  findings: EspFindings,
): void {
  for (const file of files) {
    const size = sizeSetting(file);
    if (size === null) {
      continue;
    }
    if (flashSize !== null && size > flashSize) {
      findings.refuse('flash-size-setting', { files: [file.name], wanted: sizeText(size), found: sizeText(flashSize) });
    }
    const beyond = inPlace?.table.partitions.find((partition) => partition.offset + partition.size > size);
    if (beyond !== undefined && (flashSize === null || beyond.offset + beyond.size <= flashSize)) {
      findings.warn('partitions-beyond-setting', {
        files: [file.name],
        partitions: [beyond.name],
        wanted: sizeText(size),
      });
    }
  }
}

/** Returns the size in bytes; null if the file has no first program, or its header has an unknown code. */
function sizeSetting(file: KnownFile): number | null {
  const chip = chipOfPart(file.part);
  const at = chip === null ? null : headerAt(file, chip);
  if (chip === null || at === null || (file.part.kind === 'app' && file.part.inMemory)) {
    return null;
  }
  try {
    return readFlashSettings(chip, readEspImage(file.bytes.subarray(at)).flash).size;
  } catch (error) {
    if (error instanceof ImageError) {
      return null;
    }
    throw error;
  }
}
