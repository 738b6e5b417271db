/** The guidance topics: headed sections of the flasher guide that the remedies of failures link to. */

/** Topic → its heading, in the order of the guide. The key is the anchor of the section. */
export const guidanceTopics = {
  'connection-timeout': 'Connection timeout',
  'permission-denied': 'Permission denied',
  'device-not-found': 'Device not found',
  'port-access-denied': 'Port access denied',
  'flash-write-failed': 'Flash write failed',
  'verification-failed': 'Verification failed',
  'invalid-address': 'Invalid address',
  'file-too-large': 'File too large',
  'wrong-chip-type': 'Wrong chip type',
  'flash-size-mismatch': 'Flash size mismatch',
  'boot-mode-required': 'Boot mode required',
  'brown-out-reset': 'Brown-out reset',
  'serial-access-blocked': 'Serial access blocked',
  'extension-conflicts': 'Extension conflicts',
  'memory-errors': 'Memory errors',
} as const;

export type GuidanceTopic = keyof typeof guidanceTopics;
