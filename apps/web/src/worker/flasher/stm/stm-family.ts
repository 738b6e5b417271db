/** The worker's part of STM32: their files, and the words of the log. */
import type { StmTypes } from '@wirebench/flasher/stm';
import { createStmFamily } from '@wirebench/flasher/stm/family';
import { stmFiles } from '@wirebench/flasher/stm/files';
import { memoryText } from '../../../shared/format/bytes.ts';
import type { Line } from '../flash-lines.ts';
import type { FamilyParts } from '../worker-family.ts';

const protectedLine: Line = {
  level: 'warning',
  text: 'The flash of this board is read-protected: it can be neither read nor written',
};

/** Log texts for events at an STM32. */
function boardLines({ info, baudRate }: Pick<StmTypes['facts'], 'info' | 'baudRate'>): Line[] {
  const { name, bootloaderVersion, flashSize, uniqueId, protection } = info;
  const facts = [
    `Part is ${name}, bootloader ${bootloaderVersion}`,
    ...(flashSize === null ? [] : [`${memoryText(flashSize)} flash`]),
    ...(uniqueId === null ? [] : [`unique ID ${uniqueId}`]),
    baudRate === null ? 'over USB' : `${baudRate} baud`,
  ];
  const line: Line = { level: 'success', text: facts.join(', ') };
  return protection === 'read-protected' ? [line, protectedLine] : [line];
}

export const stmFamilyParts = (): FamilyParts<StmTypes> => ({
  family: createStmFamily(),
  files: stmFiles,
  boardLines,
  readProof: 'without a hash to compare',
});
