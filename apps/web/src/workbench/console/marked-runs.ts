/** Stretches that are to be marked, laid over those that have a colour already. */
import { attributes, plain, type StyleRun } from './styled-text.ts';

/** From a place up to another, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** @param runs and @param spans in order, neither overlapping among themselves; `spans` are marked in the answer. */
export function markedRuns(runs: readonly StyleRun[], spans: readonly Span[]): readonly StyleRun[] {
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
    const colour = styled !== undefined && styled.start <= start ? styled.style : plain;
    const style = colour | (marked ? attributes.found : 0);
    if (style !== plain && end > start) {
      pieces.push({ start, end, style });
    }
  }
  return pieces;
}

/** Of a row's bytes → of its text `B5 62 …`, with a wider gap after eight. */
export function hexSpan({ start, end }: Span): Span {
  return { start: hexPlace(start), end: hexPlace(end - 1) + 2 };
}

/** Where the digits of a byte of a row begin. */
function hexPlace(index: number): number {
  return index * 3 + (index >= 8 ? 1 : 0);
}
