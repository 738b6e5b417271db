/** Ranges of a board's flash as command lines name them. */
import { type FamilyId, familyIds } from '@wirebench/boards';
import { addressText, type FlashRange, rangeFault } from '@wirebench/flasher/core';
import type { FamilyBoard } from '@wirebench/flasher/family';
import type { OptionValues } from '../commands/command.ts';
import { CommandError, exitCodes } from '../exit-code.ts';
import { undecided } from '../flash/given-build.ts';
import { oneOf } from '../port-options.ts';

/** A stretch of flash with the name of its contents. */
export interface NamedRange {
  readonly name: string;
  readonly range: FlashRange;
}

/** @throws CommandError if neither an option nor the port tells the family. */
export function familyOf({ family }: OptionValues, ofPort: FamilyId | null): FamilyId {
  const found = oneOf(family, '--family', familyIds) ?? ofPort;
  if (found === null) {
    throw undecided(familyIds);
  }
  return found;
}

/**
 * Reads `--range`: `0x10000+0x1000`, or the name of an area. Null without it.
 *
 * @throws CommandError for a range that the board does not have.
 */
export function wantedRange({ facts, rangeStep }: FamilyBoard, wanted: OptionValues[string]): NamedRange | null {
  const { start, size } = facts.flash;
  if (wanted === undefined) {
    return null;
  }
  const [, offset, length] = /^(0x[\da-f]+|\d+)\+(0x[\da-f]+|\d+)$/i.exec(String(wanted)) ?? [];
  if (offset === undefined || length === undefined) {
    const area = facts.areas.find(({ name }) => name === wanted);
    if (area === undefined) {
      const names = facts.areas.map(({ name }) => name).join(', ');
      const others = names === '' ? '' : `, or an area of the board: ${names}`;
      throw new CommandError(
        exitCodes.usage,
        `--range takes ${addressText(start + 0x9000)}+0x1000${others}, and not ${wanted}.`,
      );
    }
    return { name: area.name, range: { offset: area.offset, length: area.length } };
  }
  const range = { offset: Number(offset), length: Number(length) };
  const fault = rangeFault(range, { start, size, multipleOf: rangeStep ?? 1 });
  if (fault !== null) {
    throw new CommandError(exitCodes.refused, fault);
  }
  return { name: 'region', range };
}

/** @throws CommandError if the size of the flash is unknown. */
export function wholeFlash({ facts: { flash }, rangeStep }: FamilyBoard): NamedRange {
  if (rangeStep === null && flash.size === null) {
    throw new CommandError(exitCodes.refused, 'what answers here can neither read nor erase the flash of the board.');
  }
  if (flash.size === null) {
    throw new CommandError(exitCodes.refused, 'the size of its flash is unknown: give a --range.');
  }
  return { name: 'flash', range: { offset: flash.start, length: flash.size } };
}
