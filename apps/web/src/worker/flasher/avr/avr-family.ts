/** The worker's part of boards with an AVR: their files, and the words of the log. */
import type { AvrTypes } from '@wirebench/flasher/avr';
import { createAvrFamily } from '@wirebench/flasher/avr/family';
import { avrFiles } from '@wirebench/flasher/avr/files';
import { memoryText } from '../../../shared/format/bytes.ts';
import type { Line } from '../flash-lines.ts';
import type { FamilyParts } from '../worker-family.ts';

const oldBootloaderLine: Line = {
  level: 'info',
  text: 'This is an old bootloader, which answers at 57600 baud alone: writing takes twice as long as with a new one',
};

/** Log texts for events at a board with an AVR. */
function boardLines({ info, baudRate }: Pick<AvrTypes['facts'], 'info' | 'baudRate'>): Line[] {
  const { part, signature, bootloaderName, bootloaderVersion, application } = info;
  const facts = [
    `Part is ${part}, signature ${signature}`,
    `bootloader ${bootloaderName}${bootloaderVersion === null ? '' : ` ${bootloaderVersion}`}`,
    ...(application.length === 0 ? [] : [`${memoryText(application.length)} for the sketch`]),
    baudRate === null ? 'over USB' : `${baudRate} baud`,
  ];
  const line: Line = { level: 'success', text: facts.join(', ') };
  return info.isOldBootloader ? [line, oldBootloaderLine] : [line];
}

export const avrFamilyParts = (): FamilyParts<AvrTypes> => ({
  family: createAvrFamily(),
  files: avrFiles,
  boardLines,
  readProof: 'without a hash to compare',
});
