/**
 * What the byte of flags of a received or sent line says: in bits 0 to 4 the length of its line ending, or with bit 5 the number of
 * the decoder for its content; in bits 6 and 7 what is wrong with it. Those of a notice are `notice-flags.ts`.
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
/** Number of the decoder; null for a line that shows its bytes as they are. */
export const decoderIn = (flags: number): number | null => ((flags & DECODED) === 0 ? null : flags & NUMBER_MASK);
export const faultIn = (flags: number): FrameFault | null => faults[flags >> 6] ?? null;
