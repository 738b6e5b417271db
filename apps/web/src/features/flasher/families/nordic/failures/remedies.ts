/** Components for the failures that only Nordic boards have. */
import type { CommonFailure } from '@wirebench/flasher/core';
import type { NordicFailure } from '@wirebench/flasher/nordic';
import type { Remedies } from '../../../failures/failure-view.tsx';
import { LowerBaud } from '../../../failures/lower-baud.tsx';
import { PlainFailure } from '../../../failures/plain-failure.tsx';
import { BootloaderStuck } from './bootloader-stuck.tsx';
import { NoBootloader } from './no-bootloader.tsx';
import { NotAccepted } from './not-accepted.tsx';
import { RefusedPackage } from './refused-package.tsx';
import { SignatureRefused } from './signature-refused.tsx';

export const nordicRemedies: Remedies<Exclude<NordicFailure, CommonFailure>> = {
  'nothing-at-all': NoBootloader,
  'no-bootloader': NoBootloader,
  'wrong-bootloader': RefusedPackage,
  'type-unsupported': RefusedPackage,
  'init-packet-invalid': RefusedPackage,
  'version-too-low': RefusedPackage,
  'wrong-hardware': RefusedPackage,
  'wrong-softdevice': RefusedPackage,
  'hash-type': RefusedPackage,
  'no-room': RefusedPackage,
  'wrong-key': SignatureRefused,
  'signature-missing': SignatureRefused,
  'signature-type': SignatureRefused,
  'image-not-accepted': NotAccepted,
  'image-damaged': LowerBaud,
  'request-unknown': BootloaderStuck,
  'request-invalid': BootloaderStuck,
  'object-invalid': BootloaderStuck,
  'not-permitted': BootloaderStuck,
  'operation-failed': BootloaderStuck,
  'command-format': BootloaderStuck,
  'command-unknown': BootloaderStuck,
  'hash-failed': BootloaderStuck,
  refused: BootloaderStuck,
  'already-there': PlainFailure,
  'cannot-activate': PlainFailure,
  'cannot-restart': PlainFailure,
};
