/** Log texts for events at a Nordic board. */
import {
  type NordicBootloader,
  type NordicConnectStep,
  type NordicInfo,
  nordicStepText,
} from '@wirebench/flasher/nordic';
import { memoryText, sizeText } from '../../../shared/format/bytes.ts';
import type { Line } from '../flash-lines.ts';

/** Returns null if the next line contains all information. */
export function stepLine(step: NordicConnectStep): Line | null {
  return step === 'ready' ? null : { level: 'info', text: nordicStepText[step] };
}

const bootloaderText = {
  'secure-dfu': 'nRF5 SDK secure DFU',
  'adafruit-dfu': 'Adafruit nRF52 bootloader',
  mcuboot: 'MCUboot serial recovery',
} satisfies Record<NordicBootloader, string>;

export function boardLine({ bootloader, part, flashSize, unfinished }: NordicInfo, baudRate: number | null): Line {
  const facts = [
    `${bootloaderText[bootloader]} answered`,
    ...(part === null ? [] : [part]),
    ...(flashSize === null ? [] : [`${memoryText(flashSize)} flash`]),
    ...(baudRate === null ? [] : [`${baudRate} baud`]),
    ...(unfinished === null ? [] : [`${sizeText(unfinished.offset)} of an unfinished transfer`]),
  ];
  return { level: 'success', text: facts.join(', ') };
}
