import type { RegionProof } from '../core/board.ts';

/** Names of the kinds of proof, for receipts and the log. */
export const proofNames = {
  md5: 'MD5',
  sha256: 'SHA-256',
  crc32: 'CRC-32',
  crc16: 'CRC-16',
  sha384: 'SHA-384',
  sha512: 'SHA-512',
  'read-back': 'read back, SHA-256',
} satisfies Record<RegionProof['kind'], string>;
