/** Log texts for events at an STM32. */
import type { StmConnectStep, StmInfo } from '@wirebench/flasher/stm32';
import { memoryText } from '../../../shared/format/bytes.ts';
import type { Line } from '../flash-lines.ts';

const stepText = {
  opening: 'Opening the port',
  resetting: 'Resetting the board into its bootloader',
  synchronising: 'Waiting for the bootloader to answer',
  identifying: 'Identifying the part',
  ready: null,
} satisfies Record<StmConnectStep, string | null>;

/** Returns null if the next line contains all information. */
export function stepLine(step: StmConnectStep): Line | null {
  const text = stepText[step];
  return text === null ? null : { level: 'info', text };
}

export function boardLine({ name, bootloaderVersion, flashSize, uniqueId }: StmInfo, baudRate: number | null): Line {
  const facts = [
    `Part is ${name}, bootloader ${bootloaderVersion}`,
    ...(flashSize === null ? [] : [`${memoryText(flashSize)} flash`]),
    ...(uniqueId === null ? [] : [`unique ID ${uniqueId}`]),
    baudRate === null ? 'over USB' : `${baudRate} baud`,
  ];
  return { level: 'success', text: facts.join(', ') };
}

export const protectedLine: Line = {
  level: 'warning',
  text: 'The flash of this board is read-protected: it can be neither read nor written',
};
