/**
 * Paints the selection over the rows with CSS highlights, which change no element. Their styles are in the style sheet
 * of the rows. Browsers without them show each row of the selection as a whole.
 */

/** Highlights by name, shared by all logs of the page. */
const names = ['wirebench-selection', 'wirebench-bytes'] as const;
type HighlightName = (typeof names)[number];

const highlights = makeHighlights();

function makeHighlights(): Readonly<Record<HighlightName, Highlight>> | null {
  if (typeof Highlight === 'undefined' || typeof CSS === 'undefined' || !('highlights' in CSS)) {
    return null;
  }
  const made = { 'wirebench-selection': new Highlight(), 'wirebench-bytes': new Highlight() };
  for (const name of names) {
    CSS.highlights.set(name, made[name]);
  }
  return made;
}

export const canHighlight = highlights !== null;

/** Ranges of one log under one name. */
export class SelectionPainter {
  readonly #highlight: Highlight | null;
  #ranges: readonly Range[] = [];

  constructor(name: HighlightName) {
    this.#highlight = highlights?.[name] ?? null;
  }

  paint(ranges: readonly Range[]): void {
    if (this.#highlight === null || (ranges.length === 0 && this.#ranges.length === 0)) {
      return;
    }
    for (const old of this.#ranges) {
      this.#highlight.delete(old);
    }
    for (const fresh of ranges) {
      this.#highlight.add(fresh);
    }
    this.#ranges = ranges;
  }
}
