/**
 * The byte of flags of a received or sent line. Bits 0 to 4: length of the line ending, or with bit 5 the number of
 * the content's decoder. Bits 6 and 7: fault of the frame. The flags of notices are in `notice-flags.ts`.
 */
import type { FrameFault } from './splitter.ts';

const DECODED = 0x20;
const NUMBER_MASK = 0x1f;

const faultBits = { incomplete: 0x40, invalid: 0x80, 'too-long': 0xc0 } satisfies Record<FrameFault, number>;
const faults: readonly (FrameFault | null)[] = [null, 'incomplete', 'invalid', 'too-long'];

export const endingFlags = (length: number): number => length;
export const decodedFlags = (decoder: number): number => DECODED | decoder;
export const faultFlags = (fault: FrameFault): number => faultBits[fault];

export const endingIn = (flags: number): number => (flags < DECODED ? flags : 0);
/** Returns the number of the decoder; null if the line shows its bytes as they are. */
export const decoderIn = (flags: number): number | null => ((flags & DECODED) === 0 ? null : flags & NUMBER_MASK);
export const faultIn = (flags: number): FrameFault | null => faults[flags >> 6] ?? null;
