/**
 * COBS (Cheshire and Baker, IEEE/ACM Transactions on Networking 7, 1999): frames of any bytes, each ended by a 0. The
 * fields are those of a person's own struct; this decoder has none.
 */
import type { DecoderDraft } from '../decoder-content.ts';

export const cobs: DecoderDraft = {
  name: 'cobs',
  title: 'COBS',
  source: 'Cheshire and Baker, Consistent Overhead Byte Stuffing, 1999',
  framing: { kind: 'cobs' },
  order: 'little',
  fields: [{ name: 'payload', type: 'bytes', length: 'rest' }],
};
