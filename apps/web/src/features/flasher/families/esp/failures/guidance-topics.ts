/** Guidance topics for the failures of Espressif boards, and for the findings of their plans. */
import type { GuidanceTopic } from '@wirebench/contract/constants';
import type { EspFailure, EspRefusal, EspWarning } from '@wirebench/flasher/esp';
import { commonGuidanceTopics } from '../../../failures/common-guidance-topics.ts';

/** Null: the failure's card contains all that there is to say. */
export const failureTopics = {
  ...commonGuidanceTopics,
  'no-answer': 'boot-mode-required',
  'nothing-at-all': 'connection-timeout',
  'normal-boot': 'boot-mode-required',
  'boot-loop': 'boot-mode-required',
  'empty-flash': 'boot-mode-required',
  'nothing-to-start': 'boot-mode-required',
  'no-sync-reply': 'connection-timeout',
  'unknown-chip': 'wrong-chip-type',
  'brown-out': 'brown-out-reset',
  'baud-refused': 'connection-timeout',
  'stub-failed': 'connection-timeout',
  'flash-not-found': 'flash-write-failed',
  'flash-too-small': 'flash-size-mismatch',
  'flash-encryption': null,
  'secure-boot': null,
  'secure-download': null,
  'not-in-rom': null,
  'md5-mismatch': 'verification-failed',
  'neighbour-changed': 'verification-failed',
} as const satisfies Record<EspFailure, GuidanceTopic | null>;

/** A finding without an entry has no guidance beyond its own text. */
export const findingTopics: Partial<Record<EspRefusal | EspWarning, GuidanceTopic>> = {
  'offset-not-aligned': 'invalid-address',
  overlap: 'invalid-address',
  'bootloader-misplaced': 'invalid-address',
  'table-misplaced': 'invalid-address',
  'app-misplaced': 'invalid-address',
  'app-not-aligned': 'invalid-address',
  'data-misplaced': 'invalid-address',
  'not-at-a-partition': 'invalid-address',
  'not-a-bootloader': 'invalid-address',
  'not-a-table': 'invalid-address',
  'not-an-app': 'invalid-address',
  'not-ota-data': 'invalid-address',
  'does-not-fit': 'file-too-large',
  'larger-than-partition': 'file-too-large',
  'partitions-beyond-flash': 'flash-size-mismatch',
  'partitions-beyond-setting': 'flash-size-mismatch',
  'flash-size-setting': 'flash-size-mismatch',
  'guard-flash': 'flash-size-mismatch',
  'wrong-chip': 'wrong-chip-type',
  'chips-differ': 'wrong-chip-type',
  'wrong-revision': 'wrong-chip-type',
  'guard-chip': 'wrong-chip-type',
};
