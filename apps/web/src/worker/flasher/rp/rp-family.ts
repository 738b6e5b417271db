/** The worker's part of RP2040 and RP2350: their files, and the words of the log. */
import type { RpTypes } from '@wirebench/flasher/rp';
import { createRpFamily } from '@wirebench/flasher/rp/family';
import { rpFiles } from '@wirebench/flasher/rp/files';
import { memoryText } from '../../../shared/format/bytes.ts';
import type { Line } from '../flash-lines.ts';
import type { FamilyParts } from '../worker-family.ts';

/** Log texts for events at a board with an RP2040 or RP2350. */
function boardLines({ info }: Pick<RpTypes['facts'], 'info' | 'baudRate'>): Line[] {
  const { link, chip, revision, flashSize, uniqueId, users, secureBoot } = info;
  const facts = [
    `Chip is ${chip}${revision === null ? '' : ` ${revision}`}`,
    ...(link === 'drive' ? ['through its drive'] : []),
    ...(flashSize === null ? [] : [`${memoryText(flashSize)} flash`]),
    ...(uniqueId === null ? [] : [`unique ID ${uniqueId}`]),
  ];
  return [
    { level: 'success', text: facts.join(', ') },
    ...users.map(({ name, size }): Line => ({ level: 'info', text: `Its flash holds ${name}, ${memoryText(size)}` })),
    ...(secureBoot === true ? [secureLine] : []),
  ];
}

const secureLine: Line = {
  level: 'warning',
  text: 'Secure boot is enabled: this chip starts only programs that are signed with its key',
};

export const rpFamilyParts = (): FamilyParts<RpTypes> => ({
  family: createRpFamily(),
  files: rpFiles,
  boardLines,
  readProof: 'without a hash to compare',
});
