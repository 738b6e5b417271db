/** Which guidance topic says more about a failure of an STM32, and about what a plan finds. */
import type { GuidanceTopic } from '@wirebench/contract/constants';
import type { StmFailure, StmRefusal, StmWarning } from '@wirebench/flasher/stm32';
import { commonGuidanceTopics } from '../../../workbench/flasher/failures/common-guidance-topics.ts';

/** Null: the failure's own card says all that there is. */
export const failureTopics = {
  ...commonGuidanceTopics,
  'no-answer': 'boot-mode-required',
  'in-application': 'boot-mode-required',
  'unknown-part': 'wrong-chip-type',
  'read-protected': null,
  'write-protected': 'flash-write-failed',
  refused: 'flash-write-failed',
  'too-large': 'file-too-large',
  'outside-flash': 'invalid-address',
  'verify-mismatch': 'verification-failed',
  'usb-not-dfu': 'boot-mode-required',
  'usb-driver': 'permission-denied',
} as const satisfies Record<StmFailure, GuidanceTopic | null>;

/** What a finding without an entry says is all that there is. */
export const findingTopics: Partial<Record<StmRefusal | StmWarning, GuidanceTopic>> = {
  overlap: 'invalid-address',
  'outside-flash': 'invalid-address',
  'no-vector-table': 'invalid-address',
  'linked-elsewhere': 'invalid-address',
  'does-not-fit': 'file-too-large',
  'guard-flash': 'flash-size-mismatch',
  'guard-model': 'wrong-chip-type',
  'not-an-image': 'wrong-chip-type',
};
