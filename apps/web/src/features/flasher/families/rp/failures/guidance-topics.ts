/** Guidance topics for the failures of RP2040 and RP2350 boards, and for the findings of their plans. */
import type { GuidanceTopic } from '@wirebench/contract/constants';
import type { RpFailure } from '@wirebench/flasher/rp';
import { commonGuidanceTopics } from '../../../failures/common-guidance-topics.ts';

/** Null: the failure's card contains all that there is to say. */
export const failureTopics = {
  ...commonGuidanceTopics,
  'not-in-bootsel': 'boot-mode-required',
  'button-not-pressed': 'boot-mode-required',
  'several-boards': null,
  'usb-not-picoboot': 'boot-mode-required',
  'usb-driver': 'permission-denied',
  'unknown-chip': 'wrong-chip-type',
  refused: 'flash-write-failed',
  'out-of-step': 'connection-timeout',
  stuck: 'connection-timeout',
  'outside-flash': 'invalid-address',
  'too-large': 'file-too-large',
  'flash-size-unknown': null,
  'verify-mismatch': 'verification-failed',
  'not-the-drive': 'boot-mode-required',
  'drive-permission': 'permission-denied',
  'drive-copy-failed': 'flash-write-failed',
  'drive-cannot': null,
  'drive-not-taken': 'flash-write-failed',
} as const satisfies Record<RpFailure, GuidanceTopic | null>;

/** A finding without an entry has no guidance beyond its own text. */
export const findingTopics: Readonly<Record<string, GuidanceTopic>> = {
  overlap: 'invalid-address',
  'outside-flash': 'invalid-address',
  'does-not-fit': 'file-too-large',
  'guard-flash': 'flash-size-mismatch',
  'guard-model': 'wrong-chip-type',
  'other-chip': 'wrong-chip-type',
  'other-image': 'wrong-chip-type',
};
