/**
 * NMEA 0183 version 4.11 with tag blocks, and AIS (IEC 61993-2, Recommendation ITU-R M.1371-5) in its sentences. The step
 * `nmea` reads them: the tables of sentences and messages are in `packages/frames/src/nmea`.
 */
import type { DecoderDraft } from '../decoder-content.ts';

export const nmea: DecoderDraft = {
  name: 'nmea',
  title: 'NMEA 0183',
  source: 'NMEA 0183 version 4.11; AIS: Recommendation ITU-R M.1371-5',
  framing: { kind: 'step', ms: 500, longest: 1_400 },
  steps: ['nmea'],
};
