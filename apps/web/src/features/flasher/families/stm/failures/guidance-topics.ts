/** Guidance topics for the failures of STM32 boards, and for the findings of their plans. */
import type { GuidanceTopic } from '@wirebench/contract/constants';
import type { StmFailure, StmRefusal, StmWarning } from '@wirebench/flasher/stm';
import { commonGuidanceTopics } from '../../../failures/common-guidance-topics.ts';

/** Null: the failure's card contains all that there is to say. */
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

/** A finding without an entry has no guidance beyond its own text. */
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
