/** Log texts for events at an STM32. */
import { type StmConnectStep, type StmInfo, stmStepText } from '@wirebench/flasher/stm32';
import { memoryText } from '../../../shared/format/bytes.ts';
import type { Line } from '../flash-lines.ts';

/** Returns null if the next line contains all information. */
export function stepLine(step: StmConnectStep): Line | null {
  return step === 'ready' ? null : { level: 'info', text: stmStepText[step] };
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
