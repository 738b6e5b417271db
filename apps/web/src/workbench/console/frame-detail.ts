/** An opened frame below its row: its bytes in boxes by field, and a table of the fields. Writes text only. */
import type { FrameDetail } from '../../protocol/bench/frame-part.ts';
import type { PaintedRow } from '../../protocol/rows/painted-row.ts';
import type { ByteSelectingParts } from './frame-bytes.ts';
import styles from './frame-detail.module.css';
import { isLit, litChange } from './lit-field.ts';

/** Parts of an opened frame that can be pressed, without *Close*. */
const framePresses = '[data-copy-frame], [data-describe-frame], [data-plot-field], [data-from]';

const heads = ['Field', 'Place', 'Bytes', 'Raw', 'Value', 'How'] as const;

function element<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, name: string, parent: Element, text = '') {
  const made = document.createElement(tag);
  made.className = styles[name] ?? '';
  made.textContent = text;
  parent.append(made);
  return made;
}

export class FrameDetailElement {
  readonly root = document.createElement('div');
  /** Detail that is shown, as JSON: the answer to each request for rows is another object. */
  #shown = '';
  #port: number | null = null;
  #rows: FrameDetail['rows'] = [];

  constructor() {
    this.root.className = styles['detail'] ?? '';
    this.root.dataset['frameDetail'] = '';
    const light = ({ target }: Event, isOn: boolean) => {
      const part = target instanceof Element ? target.closest('[data-field]') : null;
      this.#light(isOn && part instanceof HTMLElement ? (part.dataset['field'] ?? null) : null);
    };
    this.root.addEventListener(litChange, () => this.#light(null));
    this.root.addEventListener('pointerover', (event) => light(event, true));
    this.root.addEventListener('pointerleave', (event) => light(event, false));
    this.root.addEventListener('focusin', (event) => light(event, true));
    this.root.addEventListener('focusout', (event) => light(event, false));
  }

  show(detail: FrameDetail, port: number | null): void {
    this.#port = port;
    this.root.dataset['portColour'] = String(port);
    const shown = JSON.stringify(detail);
    if (shown === this.#shown) {
      return;
    }
    this.#shown = shown;
    this.#rows = detail.rows;
    this.root.replaceChildren();
    const head = element('div', 'head', this.root);
    element('b', 'title', head, detail.title);
    element('span', 'facts', head, detail.facts);
    const actions = element('span', 'actions', head);
    for (const [action, words] of [
      ['copyFrame', 'Copy'],
      ['describeFrame', 'Registers and bytes'],
      ['closeFrame', 'Close'],
    ] as const) {
      const button = element('button', 'action', actions, words);
      button.type = 'button';
      button.dataset[action] = '';
    }
    const boxes = element('div', 'boxes', this.root);
    boxes.dataset['frameBytes'] = '';
    let from = 0;
    for (const { bytes, name, row } of detail.boxes) {
      const box = element('div', 'box', boxes);
      element('b', 'bytes', box, bytes);
      element('span', 'name', box, name);
      box.dataset['from'] = String(from);
      from += (bytes.length + 1) / 3;
      if (row !== null) {
        box.dataset['field'] = String(row);
      }
    }
    if (detail.rows.length > 0) {
      this.#showTable(detail.rows);
    }
    this.#light(null);
  }

  /** Leaves out columns in which no field has anything. */
  #showTable(rows: FrameDetail['rows']): void {
    const cellsOf = ({ name, place, bytes, raw, value, how }: FrameDetail['rows'][number]) =>
      [name, place, bytes, raw, value, how] as const;
    const used = heads.flatMap((_, column) => (rows.some((row) => cellsOf(row)[column] !== '') ? [column] : []));
    const table = element('table', 'table', this.root);
    const top = element('tr', 'heads', element('thead', 'top', table));
    for (const column of used) {
      const head = element('th', 'head-cell', top, heads[column]);
      head.scope = 'col';
      head.dataset['column'] = heads[column]?.toLowerCase() ?? '';
    }
    const last = element('th', 'head-cell', top, 'Plot');
    last.scope = 'col';
    last.dataset['column'] = 'plot';
    const body = element('tbody', 'body', table);
    for (const [index, row] of rows.entries()) {
      const line = element('tr', 'field', body);
      line.dataset['field'] = String(index);
      line.tabIndex = -1;
      for (const column of used) {
        const cell = element('td', 'cell', line, cellsOf(row)[column]);
        cell.dataset['column'] = heads[column]?.toLowerCase() ?? '';
      }
      this.#addPlot(row, element('td', 'cell', line));
    }
  }

  #addPlot({ name, series }: FrameDetail['rows'][number], cell: HTMLElement): void {
    cell.dataset['column'] = 'plot';
    if (series !== null) {
      const button = element('button', 'action', cell, 'Plot');
      button.type = 'button';
      button.setAttribute('aria-label', `Plot ${name}`);
      button.dataset['plotField'] = series;
    }
  }

  /** Lights the box and row of a pointed field, and of the one that a tool points at. Null: none is pointed at. */
  #light(pointed: string | null): void {
    const lit = String(this.#rows.findIndex(({ series }) => isLit(this.#port, series)));
    for (const part of this.root.querySelectorAll<HTMLElement>('[data-field]')) {
      const { field } = part.dataset;
      part.toggleAttribute('data-lit', field === pointed || field === lit);
    }
  }
}

export interface FrameOpeningParts {
  readonly scroller: HTMLElement;
  readonly rowOf: (element: Element) => PaintedRow | undefined;
  /** False: text is selected, so that a click ends the selection. */
  readonly isFree: () => boolean;
  /** Called with the line whose frame is to be opened, or closed if it is open. */
  readonly onOpen: (sequence: number) => void;
  readonly signal: AbortSignal;
}

/** Opens a frame by a click on its words. */
export function addFrameOpening({ scroller, rowOf, isFree, onOpen, signal }: FrameOpeningParts): void {
  scroller.addEventListener(
    'click',
    ({ target, detail, shiftKey }) => {
      if (!(target instanceof Element)) {
        return;
      }
      const row = rowOf(target);
      const isInside = target.closest('[data-frame-detail]') !== null;
      const isClose = target.closest('[data-close-frame]') !== null;
      const isWords =
        detail === 1 && !shiftKey && isFree() && !isInside && target.closest('button, [data-link]') === null;
      if (row?.frame !== undefined && (isClose || isWords)) {
        onOpen(row.sequence);
        if (isClose) {
          scroller.focus({ preventScroll: true });
        }
      }
    },
    { signal },
  );
}

/**
 * Returns a function that loads once what the parts of an opened frame do. A press on bytes or on a button is carried out when
 * the code has arrived. If it does not arrive, the frame stays shown and the next call tries again.
 */
export function laterByteSelecting(
  parts: ByteSelectingParts,
  load: () => Promise<typeof import('./frame-bytes.ts')>,
): () => void {
  let isLoading = false;
  return () => {
    if (isLoading) {
      return;
    }
    isLoading = true;
    let pressed: HTMLElement | null = null;
    const waiting = new AbortController();
    parts.scroller.addEventListener(
      'click',
      ({ target }) => {
        pressed = target instanceof Element ? target.closest(framePresses) : null;
      },
      { signal: waiting.signal },
    );
    load().then(
      ({ addByteSelecting }) => {
        waiting.abort();
        addByteSelecting(parts);
        pressed?.click();
      },
      () => {
        waiting.abort();
        isLoading = false;
      },
    );
  };
}
