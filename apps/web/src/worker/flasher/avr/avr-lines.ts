/** Log texts for events at a board with an AVR. */
import { type AvrConnectStep, type AvrInfo, avrStepText } from '@wirebench/flasher/avr';
import { memoryText } from '../../../shared/format/bytes.ts';
import type { Line } from '../flash-lines.ts';

/** Returns null if the next line contains all information. */
export function stepLine(step: AvrConnectStep): Line | null {
  return step === 'ready' ? null : { level: step === 'press-reset' ? 'warning' : 'info', text: avrStepText[step] };
}

export function boardLine(info: AvrInfo, baudRate: number | null): Line {
  const { part, signature, bootloaderName, bootloaderVersion, application } = info;
  const facts = [
    `Part is ${part}, signature ${signature}`,
    `bootloader ${bootloaderName}${bootloaderVersion === null ? '' : ` ${bootloaderVersion}`}`,
    ...(application.length === 0 ? [] : [`${memoryText(application.length)} for the sketch`]),
    baudRate === null ? 'over USB' : `${baudRate} baud`,
  ];
  return { level: 'success', text: facts.join(', ') };
}

export const oldBootloaderLine: Line = {
  level: 'info',
  text: 'This is an old bootloader, which answers at 57600 baud alone: writing takes twice as long as with a new one',
};
