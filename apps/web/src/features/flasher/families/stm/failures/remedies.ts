/** Components for the failures that only STM32 boards have. */
import type { CommonFailure } from '@wirebench/flasher/core';
import type { StmFailure } from '@wirebench/flasher/stm32';
import type { Remedies } from '../../../failures/failure-view.tsx';
import { LowerBaud } from '../../../failures/lower-baud.tsx';
import { PlainFailure } from '../../../failures/plain-failure.tsx';
import { BootZero } from './boot-zero.tsx';
import { UsbDriver } from './usb-driver.tsx';

export const stmRemedies: Remedies<Exclude<StmFailure, CommonFailure>> = {
  'no-answer': BootZero,
  'in-application': BootZero,
  'unknown-part': PlainFailure,
  'read-protected': PlainFailure,
  'write-protected': PlainFailure,
  refused: PlainFailure,
  'too-large': PlainFailure,
  'outside-flash': PlainFailure,
  'verify-mismatch': LowerBaud,
  'usb-not-dfu': PlainFailure,
  'usb-driver': UsbDriver,
};
