/**
 * Reads what firmware files are with the flasher's package: their kind and their offsets. The package is loaded with
 * the first file.
 */
import { familyTraits, specifiedModels } from '@wirebench/boards';
import { releaseLimits } from '@wirebench/contract';
import type { FileFacts, FilesRead } from './file-facts.ts';
import type { FlashTarget } from './suggest-offsets.ts';
import { statesAddresses } from './version-draft.ts';

/**
 * Reads facts from the bytes of files that belong to one version. Files of families other than Espressif give no
 * facts.
 */
export async function readFileFacts(files: readonly File[], target: FlashTarget): Promise<FilesRead> {
  if (!familyTraits[target.deviceFamily].hasPartitions) {
    return { byFile: new Map(), warnings: [] };
  }
  const { placeFiles, chipNames, chipFacts } = await import('@wirebench/flasher/esp');
  const chip = chipNames.find((name) => name === target.deviceModel) ?? null;
  // Two files may have the same name, so their index makes the names unique.
  const placed = files.filter((file) => !statesAddresses(file));
  const dropped = await Promise.all(
    placed.map(async (file, index) => ({ name: `${index}/${file.name}`, bytes: await bytesOf(file) })),
  );
  const placement = placeFiles(dropped, { chip });
  const byFile = new Map<File, FileFacts>();
  for (const { name, what, why, offset } of placement.files) {
    const file = placed[Number.parseInt(name, 10)];
    if (file !== undefined) {
      byFile.set(file, { what, why, offset });
    }
  }
  // In the simple form, `release-check.ts` refuses files for another of these chips. Others get a warning only.
  const refused: readonly string[] = specifiedModels.esp;
  const { chip: built } = placement;
  const warnings =
    built === null || built === chip || refused.includes(built)
      ? []
      : [
          `The files were built for ${chipFacts[built].label}, but this project is for ${chip === null ? target.deviceModel : chipFacts[chip].label}.`,
        ];
  return { byFile, warnings };
}

/** Reads only the beginning of files that are too large in any case. */
export async function bytesOf(file: File): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(0, releaseLimits.fileSize).arrayBuffer());
}
