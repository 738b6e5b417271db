/** Indentation by Tab in the editor of a board's files: four spaces, as Python's style guide asks (PEP 8). */

const step = '    ';

export interface Indentation {
  /** Part of the text that is replaced, by offsets. */
  readonly from: number;
  readonly to: number;
  readonly by: string;
  /** Selection afterwards, by offsets. */
  readonly start: number;
  readonly end: number;
}

/**
 * Inserts spaces at the caret, or indents each line that the selection touches.
 *
 * @param isOut True: takes up to four spaces, or a tab, from the start of each line.
 */
export function indentation(text: string, start: number, end: number, isOut: boolean): Indentation {
  if (!isOut && !text.slice(start, end).includes('\n')) {
    return { from: start, to: end, by: step, start: start + step.length, end: start + step.length };
  }
  const from = text.lastIndexOf('\n', start - 1) + 1;
  // A selection that ends at the start of a line does not touch that line.
  const last = end > start && text[end - 1] === '\n' ? end - 1 : end;
  const next = text.indexOf('\n', last);
  const to = next === -1 ? text.length : next;
  const lines = text.slice(from, to).split('\n');
  const moved = lines.map((line) => {
    if (isOut) {
      return line.replace(/^(?:\t| {1,4})/, '');
    }
    return line === '' ? '' : step + line;
  });
  const by = moved.join('\n');
  const first = (moved[0]?.length ?? 0) - (lines[0]?.length ?? 0);
  return {
    from,
    to,
    by,
    start: Math.max(from, start + first),
    end: Math.max(from, end + by.length - (to - from)),
  };
}
