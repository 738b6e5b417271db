/** Errors that a driver reports and that a new stream cures (W3C Web Serial, `readable`). */
import { errorName } from './error-name.ts';

export type LineErrorKind = 'framing' | 'parity' | 'break';

const kinds: Readonly<Record<string, LineErrorKind | undefined>> = {
  FramingError: 'framing',
  ParityError: 'parity',
  BreakError: 'break',
};

/** Null when the error is none of the line. */
export function lineErrorOf(error: unknown): LineErrorKind | null {
  return kinds[errorName(error)] ?? null;
}
