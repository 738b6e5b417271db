/** Reads expressions as people write them, `/source/flags`: in the find field, in rules and in the answers of a run. */

export interface ReadLiteral {
  readonly source: string;
  /** The flags i, s and u, each at most once. Null: a flag is unknown. */
  readonly flags: string | null;
  /** Offset of the flags, and of the end, in UTF-16 units. */
  readonly flagsStart: number;
  readonly end: number;
}

const SOURCE = /\/((?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[])+)\/(\S*)/sy;

/**
 * Reads the expression at `start`. A slash of the source is escaped, or in brackets.
 *
 * @returns Null if none begins there, or if it is not closed.
 */
export function readLiteral(text: string, start: number): ReadLiteral | null {
  SOURCE.lastIndex = start;
  const found = SOURCE.exec(text);
  if (found === null) {
    return null;
  }
  const [{ length }, source = '', typedFlags = ''] = found;
  const end = start + length;
  // The flag `g` has no effect, but people type it by habit.
  const isKnown = /^[gisu]*$/.test(typedFlags);
  const flags = isKnown ? ['i', 's', 'u'].filter((flag) => typedFlags.includes(flag)).join('') : null;
  return { source, flags, flagsStart: end - typedFlags.length, end };
}
