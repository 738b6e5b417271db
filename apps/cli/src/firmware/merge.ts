/** `wirebench merge`: the files of an Espressif build as one file, as `esptool merge-bin` writes it. */

import { extname } from 'node:path';
import { families } from '@wirebench/boards';
import { shellText } from '@wirebench/flasher/callers';
import { addressText, sizeText } from '@wirebench/flasher/core';
import { chipFacts, chipNames, imagePartOf } from '@wirebench/flasher/esp';
import { type MergePart, mergeHex, mergeRaw, mergeUf2, paddingOf, uf2FamilyId } from '@wirebench/flasher/esp/merge';
import type { OptionValues } from '../commands/command.ts';
import { CommandError, type ExitCode, exitCodes } from '../exit-code.ts';
import { type FileChoice, readChoices, reasonsOf } from '../flash/given-build.ts';
import { oneOf } from '../port-options.ts';
import { isForced, refuseExisting, saveFile } from '../saved-file.ts';

const formats = ['bin', 'hex', 'uf2'] as const;
type MergeFormat = (typeof formats)[number];

export async function runMerge(given: readonly string[], options: OptionValues): Promise<ExitCode> {
  const [file = '', ...named] = given;
  const format = formatFor(file, options);
  await refuseExisting(file, isForced(options));
  const { found } = await readChoices(named, { ...options, family: 'esp' });
  const [choice] = found;
  if (choice === undefined || choice.chosen.files.length === 0) {
    const { name } = families.esp;
    const why = reasonsOf(found).slice(0, 8).join(' ');
    throw new CommandError(exitCodes.refused, `there are no files for boards of ${name} to merge. ${why}`.trim());
  }
  const parts = partsOf(choice);
  const content = merged(parts, format, choice, options);
  await saveFile(file, content, { replaces: isForced(options) });
  process.stdout.write(`${file}: ${parts.length} files, ${sizeText(content.length)}.\n`);
  if (format === 'bin') {
    warnOfPadding(parts);
  }
  return exitCodes.ok;
}

/** Returns the format of `--format`, or the one that the name of the file tells. */
function formatFor(file: string, { format }: OptionValues): MergeFormat {
  const wanted = oneOf(format, '--format', formats) ?? formats.find((one) => extname(file).toLowerCase() === `.${one}`);
  if (wanted === undefined) {
    throw new CommandError(
      exitCodes.usage,
      `name the file as in merged.bin, merged.hex or merged.uf2, or give --format.`,
    );
  }
  return wanted;
}

/** @throws CommandError for files that cannot be written together, and for one whose place nothing tells. */
function partsOf({ chosen: { files, conflicts }, forPlan }: FileChoice): readonly MergePart[] {
  const stop = conflicts.find(({ stops }) => stops);
  if (stop !== undefined) {
    throw new CommandError(exitCodes.refused, shellText(`nothing was written. ${stop.what} ${stop.remedy}`));
  }
  const placeless = files.find(({ offset }) => offset === null);
  if (placeless !== undefined) {
    throw new CommandError(
      exitCodes.refused,
      `nothing was written. Nothing tells the place of ${placeless.name}: give it as 0x10000=${placeless.name}.`,
    );
  }
  return forPlan() as readonly MergePart[];
}

function merged(
  parts: readonly MergePart[],
  format: MergeFormat,
  { chosen: { files } }: FileChoice,
  options: OptionValues,
): Uint8Array {
  try {
    if (format === 'uf2') {
      return mergeUf2(parts, uf2FamilyId(chipOf(files, options)));
    }
    return format === 'hex' ? new TextEncoder().encode(mergeHex(parts)) : mergeRaw(parts);
  } catch (error) {
    throw error instanceof RangeError
      ? new CommandError(exitCodes.refused, `nothing was written. ${error.message}`, { cause: error })
      : error;
  }
}

/** Returns the name of the chip in the list of UF2 families. */
function chipOf(files: FileChoice['chosen']['files'], { chip }: OptionValues) {
  const wanted = oneOf(chip, '--chip', chipNames);
  const told = [...new Set(files.flatMap((file) => file.chip ?? []))];
  const name = wanted ?? chipNames.find((one) => told.length === 1 && chipFacts[one].label === told[0]);
  if (name === undefined) {
    const why = told.length > 1 ? `The files are for ${told.join(' and ')}` : 'The files do not tell their chip';
    throw new CommandError(exitCodes.refused, `nothing was written. ${why}, which UF2 names: give --chip.`);
  }
  return chipFacts[name].label;
}

/** A raw file writes 0xFF between its parts, which clears what is there. */
function warnOfPadding(parts: readonly MergePart[]): void {
  const tables = parts.map(({ bytes }) => imagePartOf(bytes)).filter(({ kind }) => kind === 'partition-table');
  const partitions = tables.flatMap((part) => (part.kind === 'partition-table' ? part.table.partitions : []));
  const cleared = paddingOf(parts, partitions).map(({ name, offset }) => `${name} at ${addressText(offset)}`);
  if (cleared.length > 0) {
    process.stderr.write(
      `wirebench: gaps are filled with 0xFF, so that writing the file clears ${cleared.join(', ')}. A .hex or .uf2 file leaves gaps out.\n`,
    );
  }
}
