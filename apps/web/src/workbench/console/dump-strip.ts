/** Row of the console that represents a core dump, with its summary and buttons. */

import type { DumpStrip } from '../../protocol/rows/dump-folds.ts';
import type { PaintedRow } from '../../protocol/rows/painted-row.ts';
import { sizeText } from '../../shared/format/bytes.ts';
import { lines } from '../../shared/format/numbers.ts';
import styles from './dump-strip.module.css';

const endings = {
  receiving: () => 'receiving…',
  whole: (bytes) => sizeText(bytes),
  unfinished: (bytes) => `${sizeText(bytes)}, unfinished`,
} satisfies Record<DumpStrip['state'], (bytes: number) => string>;

/** Returns the summary: `Core dump · 64 lines · receiving…`. */
export function dumpStripText({ state, lines: count, bytes }: DumpStrip): string {
  return `Core dump · ${lines(count)} · ${endings[state](bytes)}`;
}

type DumpAction = 'open' | 'lines';

export class DumpStripElement {
  readonly root = document.createElement('span');
  readonly #text = document.createElement('span');
  readonly #open = button('open', 'Open', 'Open the core dump');
  readonly #lines = button('lines', '', '');

  constructor() {
    this.root.className = styles['strip'] ?? '';
    this.#text.className = styles['text'] ?? '';
    this.root.append(this.#text, this.#open, this.#lines);
  }

  show(strip: DumpStrip): void {
    const text = strip.shown ? '' : dumpStripText(strip);
    if (this.#text.textContent !== text) {
      this.#text.textContent = text;
    }
    this.#open.hidden = strip.state !== 'whole';
    const action = strip.shown ? 'Hide lines' : 'Show lines';
    if (this.#lines.textContent !== action) {
      this.#lines.textContent = action;
      this.#lines.setAttribute('aria-label', `${action} of the core dump`);
    }
  }
}

/** Returns true if both strips look the same. */
export function sameStrip(a: DumpStrip | null | undefined, b: DumpStrip | null | undefined): boolean {
  return (
    a?.from === b?.from &&
    a?.state === b?.state &&
    a?.lines === b?.lines &&
    a?.bytes === b?.bytes &&
    a?.shown === b?.shown
  );
}

export interface DumpActionParts {
  readonly scroller: HTMLElement;
  readonly rowOf: (element: Element) => PaintedRow | undefined;
  /** Called when a strip's button gets the focus. The log must pause, so that the strip does not scroll away. */
  readonly onReach: () => void;
  readonly onAct: (action: DumpAction, row: PaintedRow) => void;
  readonly signal: AbortSignal;
}

/**
 * Handles the buttons of all strips. `LogView` keeps rows in place while a pointer button is down, so a click hits
 * the pressed strip.
 */
export function addDumpActions({ scroller, rowOf, onReach, onAct, signal }: DumpActionParts): void {
  const buttonOf = ({ target }: Event) =>
    target instanceof Element ? target.closest<HTMLElement>('[data-dump-action]') : null;
  scroller.addEventListener('focusin', (event) => buttonOf(event) !== null && onReach(), { signal });
  scroller.addEventListener(
    'click',
    (event) => {
      const pressed = buttonOf(event);
      const row = pressed === null ? undefined : rowOf(pressed);
      if (pressed !== null && row !== undefined) {
        onAct(pressed.dataset['dumpAction'] === 'open' ? 'open' : 'lines', row);
      }
    },
    { signal },
  );
}

function button(action: DumpAction, text: string, label: string): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = styles['action'] ?? '';
  made.dataset['dumpAction'] = action;
  made.textContent = text;
  made.setAttribute('aria-label', label);
  return made;
}
