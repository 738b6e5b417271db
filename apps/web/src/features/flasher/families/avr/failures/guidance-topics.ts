/** Guidance topics for the failures of boards with an AVR, and for the findings of their plans. */
import type { GuidanceTopic } from '@wirebench/contract/constants';
import type { AvrFailure, AvrRefusal, AvrWarning } from '@wirebench/flasher/avr';
import { commonGuidanceTopics } from '../../../failures/common-guidance-topics.ts';

/** Null: the failure's card contains all that there is to say. */
export const failureTopics = {
  ...commonGuidanceTopics,
  'no-answer': 'connection-timeout',
  'no-auto-reset': 'boot-mode-required',
  'sketch-floods': 'boot-mode-required',
  'no-bootloader': 'boot-mode-required',
  'touch-ignored': 'boot-mode-required',
  programmer: null,
  'unknown-part': 'wrong-chip-type',
  refused: 'flash-write-failed',
  'too-large': 'file-too-large',
  'reaches-bootloader': 'invalid-address',
  'eeprom-unsupported': null,
  'eeprom-too-large': 'file-too-large',
  'verify-mismatch': 'verification-failed',
} as const satisfies Record<AvrFailure, GuidanceTopic | null>;

/** A finding without an entry has no guidance beyond its own text. */
export const findingTopics: Partial<Record<AvrRefusal | AvrWarning, GuidanceTopic>> = {
  overlap: 'invalid-address',
  'reaches-bootloader': 'invalid-address',
  'with-bootloader': 'invalid-address',
  'outside-flash': 'invalid-address',
  'no-vector-table': 'invalid-address',
  'does-not-fit': 'file-too-large',
  'eeprom-too-large': 'file-too-large',
  'guard-model': 'wrong-chip-type',
  'unknown-part': 'wrong-chip-type',
  'other-processor': 'wrong-chip-type',
};
