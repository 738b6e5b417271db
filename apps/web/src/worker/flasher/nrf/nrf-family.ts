/** The worker's part of Nordic's chips: their files, and the words of the log. */
import type { NrfBootloader, NrfTypes } from '@wirebench/flasher/nrf';
import { createNrfFamily } from '@wirebench/flasher/nrf/family';
import { nrfFiles } from '@wirebench/flasher/nrf/files';
import { memoryText, sizeText } from '../../../shared/format/bytes.ts';
import type { Line } from '../flash-lines.ts';
import type { FamilyParts } from '../worker-family.ts';

const bootloaderText = {
  'secure-dfu': 'nRF5 SDK secure DFU',
  'adafruit-dfu': 'Adafruit nRF52 bootloader',
  mcuboot: 'MCUboot serial recovery',
} satisfies Record<NrfBootloader, string>;

/** Log texts for events at a Nordic board. */
function boardLines({ info, baudRate }: Pick<NrfTypes['facts'], 'info' | 'baudRate'>): Line[] {
  const { bootloader, part, flashSize, unfinished } = info;
  const facts = [
    `${bootloaderText[bootloader]} answered`,
    ...(part === null ? [] : [part]),
    ...(flashSize === null ? [] : [`${memoryText(flashSize)} flash`]),
    ...(baudRate === null ? [] : [`${baudRate} baud`]),
    ...(unfinished === null ? [] : [`${sizeText(unfinished.offset)} of an unfinished transfer`]),
  ];
  return [{ level: 'success', text: facts.join(', ') }];
}

export const nrfFamilyParts = (): FamilyParts<NrfTypes> => ({
  family: createNrfFamily(),
  files: nrfFiles,
  boardLines,
  readProof: '',
});
