/**
 * AT commands and their answers (ITU-T V.250; 3GPP 27.007 and 27.005). The step `at` reads them: its tables of results,
 * notices and parameters are in `packages/frames/src/at`.
 */
import type { DecoderDraft } from '../decoder-content.ts';

export const at: DecoderDraft = {
  name: 'at',
  title: 'AT commands',
  source: 'ITU-T V.250, 3GPP TS 27.007 and 27.005',
  framing: { kind: 'step', ms: 1_000, longest: 4_200 },
  steps: ['at'],
};
