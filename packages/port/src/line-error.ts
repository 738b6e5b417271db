/** Errors of the line that a driver reports. Reading continues with a new stream (W3C Web Serial, `readable`). */
import { errorName } from './error-name.ts';

export type LineErrorKind = 'framing' | 'parity' | 'break';

const kinds: Readonly<Record<string, LineErrorKind | undefined>> = {
  FramingError: 'framing',
  ParityError: 'parity',
  BreakError: 'break',
};

/** Returns the kind of a line error; null for any other error. */
export function lineErrorOf(error: unknown): LineErrorKind | null {
  return kinds[errorName(error)] ?? null;
}
