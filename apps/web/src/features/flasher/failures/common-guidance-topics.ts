/**
 * Guidance topics for the failures that every family has. Null: the failure's card contains all that there is to say.
 */
import type { GuidanceTopic } from '@wirebench/contract/constants';
import type { CommonFailure } from '@wirebench/flasher/core';

export const commonGuidanceTopics = {
  'port-busy': 'port-access-denied',
  'permission-denied': 'permission-denied',
  'port-gone': 'device-not-found',
  'open-failed': 'port-access-denied',
  'port-failed': 'connection-timeout',
  unplugged: 'device-not-found',
  'came-back-different': 'device-not-found',
  garbage: 'connection-timeout',
  'stopped-answering': 'connection-timeout',
  'size-unusable': null,
  'wrong-chip': 'wrong-chip-type',
  'other-board': null,
  'write-failed': 'flash-write-failed',
  'read-failed': 'connection-timeout',
  'erase-failed': 'flash-write-failed',
  cancelled: null,
} as const satisfies Record<CommonFailure, GuidanceTopic | null>;
