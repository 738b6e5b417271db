/**
 * Modbus RTU (MODBUS Application Protocol Specification V1.1b3; MODBUS over Serial Line V1.02). Registers with names are
 * those of a person's own devices; this decoder has none.
 */
import type { DecoderDraft } from '../decoder-content.ts';

export const modbus: DecoderDraft = {
  name: 'modbus',
  title: 'Modbus RTU',
  source: 'MODBUS Application Protocol Specification V1.1b3; MODBUS over Serial Line V1.02',
  framing: { kind: 'step', longest: 256, ms: 100 },
  pairing: { limit: 1_000 },
  steps: ['modbus'],
};
