/** Components for the failures that only boards with an AVR have. */
import type { AvrFailure } from '@wirebench/flasher/avr';
import type { CommonFailure } from '@wirebench/flasher/core';
import type { Remedies } from '../../../failures/failure-view.tsx';
import { PlainFailure } from '../../../failures/plain-failure.tsx';
import { NoReset } from './no-reset.tsx';
import { RefusedFile } from './refused-file.tsx';

export const avrRemedies: Remedies<Exclude<AvrFailure, CommonFailure>> = {
  'no-answer': NoReset,
  'no-auto-reset': NoReset,
  'sketch-floods': NoReset,
  'no-bootloader': NoReset,
  'touch-ignored': NoReset,
  programmer: PlainFailure,
  'unknown-part': PlainFailure,
  refused: PlainFailure,
  'too-large': RefusedFile,
  'reaches-bootloader': RefusedFile,
  'eeprom-unsupported': RefusedFile,
  'eeprom-too-large': RefusedFile,
  'verify-mismatch': PlainFailure,
};
