/**
 * Recognises what builds for RP2040 and RP2350 leave behind: the Pico SDK (`build/app.uf2`, with `.elf`, `.bin` and `.hex` beside
 * it), arduino-cli and PlatformIO (`firmware.uf2`), MicroPython and CircuitPython.
 */
import { type DeviceModel, familyOf } from '@wirebench/boards';
import { firmwareFormatOf } from '@wirebench/contract';
import { baseName } from '@wirebench/flasher/core';

export const isRpModel = (model: DeviceModel | null): boolean => model !== null && familyOf(model) === 'rp';

/** Returns the chips that a file names; none for files of other families. A UF2 file may be for both. */
export async function rpModelsOf(path: string, bytes: Uint8Array): Promise<readonly DeviceModel[]> {
  const { flashersOf, ImageError } = await import('@wirebench/flasher/images');
  const isSecondStage = /(?:^|\/)bs2_\w+\.\w+$/i.test(path);
  if (isSecondStage || !flashersOf(path, bytes).includes('rp')) {
    return [];
  }
  const { flashStart, readRpFirmware } = await import('@wirebench/flasher/rp');
  try {
    const { programs } = readRpFirmware(baseName(path), bytes, flashStart);
    const chips = programs.flatMap(({ chips: named, image }) => (named.length > 0 ? named : (image?.chip ?? [])));
    // A second stage alone shows the RP2040: programs for the other chip have an image definition.
    const found = chips.length > 0 ? chips : firmwareFormatOf(path) === 'bin' ? ['RP2040'] : [];
    const models = [...new Set(found)].map((chip) => chip.toLowerCase() as DeviceModel);
    return models.filter(isRpModel);
  } catch (error) {
    if (error instanceof ImageError) {
      // The list of files names the fault.
      return [];
    }
    throw error;
  }
}
