/** Components for the failures that only Espressif boards have. */
import type { CommonFailure } from '@wirebench/flasher/core';
import type { EspFailure } from '@wirebench/flasher/espressif';
import type { Remedies } from '../../../failures/failure-view.tsx';
import { LowerBaud } from '../../../failures/lower-baud.tsx';
import { PlainFailure } from '../../../failures/plain-failure.tsx';
import { BootMode } from './boot-mode.tsx';
import { BrownOut } from './brown-out.tsx';
import { DeafBoard } from './deaf-board.tsx';
import { LockedChip } from './locked-chip.tsx';
import { NoSignal } from './no-signal.tsx';
import { StubFailed } from './stub-failed.tsx';

export const espRemedies: Remedies<Exclude<EspFailure, CommonFailure>> = {
  'no-answer': BootMode,
  'nothing-at-all': NoSignal,
  'normal-boot': BootMode,
  'boot-loop': BootMode,
  'empty-flash': BootMode,
  'nothing-to-start': BootMode,
  'no-sync-reply': DeafBoard,
  'unknown-chip': PlainFailure,
  'brown-out': BrownOut,
  'baud-refused': LowerBaud,
  'stub-failed': StubFailed,
  'flash-not-found': PlainFailure,
  'flash-too-small': PlainFailure,
  'flash-encryption': LockedChip,
  'secure-boot': LockedChip,
  'secure-download': LockedChip,
  'not-in-rom': PlainFailure,
  'md5-mismatch': LowerBaud,
  'neighbour-changed': PlainFailure,
};
