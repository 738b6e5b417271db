/** Adds search marks to styled text. */
import { attributes, plain, type StyleRun } from './styled-text.ts';

/** Range of text, in UTF-16 units. `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns `runs` with an attribute added in `spans`. Both inputs must be sorted and free of overlaps among themselves.
 *
 * @param attribute Bit of `attributes`. Default: found by the search.
 */
export function markedRuns(
  runs: readonly StyleRun[],
  spans: readonly Span[],
  attribute: number = attributes.found,
): readonly StyleRun[] {
  if (spans.length === 0) {
    return runs;
  }
  const edges = [...new Set([...runs, ...spans].flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  const pieces: StyleRun[] = [];
  let run = 0;
  let span = 0;
  for (const [index, start] of edges.entries()) {
    const end = edges[index + 1] ?? start;
    run += (runs[run]?.end ?? Number.POSITIVE_INFINITY) <= start ? 1 : 0;
    span += (spans[span]?.end ?? Number.POSITIVE_INFINITY) <= start ? 1 : 0;
    const styled = runs[run];
    const marked = (spans[span]?.start ?? Number.POSITIVE_INFINITY) <= start;
    const under = styled !== undefined && styled.start <= start ? styled : null;
    if (end > start && (under !== null || marked)) {
      pieces.push({ ...under, start, end, style: (under?.style ?? plain) | (marked ? attribute : 0) });
    }
  }
  return pieces;
}

/** Converts a range of a row's bytes to the range of its text `B5 62 …`, which has a wider gap after eight bytes. */
export function hexSpan({ start, end }: Span): Span {
  return { start: hexPlace(start), end: hexPlace(end - 1) + 2 };
}

/** Returns the position of a byte's digits in a hex row. */
function hexPlace(index: number): number {
  return index * 3 + (index >= 8 ? 1 : 0);
}
