/**
 * Guidance topics for failures and findings of Nordic boards. A code without an entry has no guidance beyond its own
 * text.
 */
import type { GuidanceTopic } from '@wirebench/contract/constants';
import type { NrfFailure, NrfRefusal, NrfWarning } from '@wirebench/flasher/nrf';

export const topics: Readonly<Partial<Record<NrfFailure | NrfRefusal | NrfWarning, GuidanceTopic>>> = {
  'nothing-at-all': 'connection-timeout',
  'no-bootloader': 'boot-mode-required',
  'stopped-answering': 'connection-timeout',
  'port-busy': 'port-access-denied',
  'open-failed': 'port-access-denied',
  'permission-denied': 'permission-denied',
  'port-gone': 'device-not-found',
  unplugged: 'device-not-found',
  'came-back-different': 'device-not-found',
  'wrong-hardware': 'wrong-chip-type',
  'no-room': 'file-too-large',
  'too-large': 'file-too-large',
  'image-damaged': 'verification-failed',
};
