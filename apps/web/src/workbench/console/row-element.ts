/**
 * Elements of one row on the screen. They are created once and rewritten for each line. Writes text only, never
 * markup.
 */
import type { NoticeLevel } from '@wirebench/serial';
import type { FrameDetail } from '../../protocol/bench/frame-part.ts';
import type { PaintedRow } from '../../protocol/rows/painted-row.ts';
import { attributes, colours, type StyleRun } from '../../protocol/rows/styled-text.ts';
import { count } from '../../shared/format/numbers.ts';
import { sameShallow } from '../../shared/same-shallow.ts';
import { columnAt, type PointedColumn } from './column-at.ts';
import { DumpStripElement, sameStrip } from './dump-strip.ts';
import { FrameDetailElement } from './frame-detail.ts';
import { byteAt, bytesBefore, digitsOfBytes } from './inspected-bytes.ts';
import type { ColumnRange, SelectedField } from './log-selection.ts';
import styles from './row-element.module.css';

export type NoticeIcons = Readonly<Record<NoticeLevel, Element>>;

const contentClass = styles['content'] ?? '';

const arrows = { received: '←', sent: '→', notice: '' } as const;

function element<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, name: string, parent: Element) {
  const made = document.createElement(tag);
  made.className = styles[name] ?? '';
  parent.append(made);
  return made;
}

export class RowElement {
  readonly root = document.createElement('div');
  readonly #bar: HTMLElement;
  readonly #time: HTMLElement;
  readonly #port: HTMLElement;
  readonly #mark: HTMLElement;
  readonly #offset: HTMLElement;
  readonly #content: HTMLElement;
  readonly #characters: HTMLElement;
  readonly #icons: NoticeIcons;
  /** Created when the row first represents a core dump. */
  #dump: DumpStripElement | null = null;
  /** Created when the row is first an opened frame. */
  #detail: FrameDetailElement | null = null;
  /** Button that unfolds a long line. Created when the row is first folded. */
  #more: HTMLButtonElement | null = null;
  /** Last result of `fitsIn`, and what it was asked for. */
  #fits: { readonly row: PaintedRow; readonly columns: number; readonly fits: boolean } | null = null;
  #row: PaintedRow | null = null;

  constructor(icons: NoticeIcons) {
    this.#icons = icons;
    const { root } = this;
    root.className = styles['row'] ?? '';
    this.#bar = element('i', 'bar', root);
    this.#time = element('time', 'time', root);
    this.#port = element('b', 'port', root);
    this.#mark = element('span', 'mark', root);
    this.#offset = element('span', 'offset', root);
    this.#content = element('span', 'content', root);
    this.#characters = element('span', 'characters', root);
  }

  /** Marks the row as the current match. */
  setCurrent(current: boolean): void {
    this.root.toggleAttribute('data-current', current);
  }

  /** @param selected `rows`: the whole row is selected. `text`: a part of it, which is highlighted. Null: nothing. */
  setSelected(selected: 'rows' | 'text' | null): void {
    setOrDelete(this.root.dataset, 'selected', selected);
  }

  /** @param flag Short text in the place of the direction. Missing: none. */
  setFlag(flag: string | null | undefined): void {
    setOrDelete(this.root.dataset, 'flag', flag ?? null);
  }

  /** Element of the first match, or null. */
  get mark(): Element | null {
    return this.#content.querySelector(`.${styles['found']}`);
  }

  /**
   * Returns true if the row surely takes one text line, so that it needs no measuring. Such a row keeps its fixed height.
   *
   * @param columns Number of characters that fit beside each other. 0: unknown.
   */
  fitsIn(columns: number): boolean {
    const row = this.#row;
    if (row === null) {
      return false;
    }
    if (this.#fits?.row !== row || this.#fits.columns !== columns) {
      this.#fits = { row, columns, fits: fits(row, columns) };
      this.root.toggleAttribute('data-fits', this.#fits.fits);
    }
    return this.#fits.fits;
  }

  /** Width of the text's column, in px. */
  get contentWidth(): number {
    return this.#content.getBoundingClientRect().width;
  }

  /** Shows the row with all of its text lines (true), or with the first ones. */
  setWhole(isWhole: boolean): void {
    this.root.toggleAttribute('data-whole', isWhole);
  }

  /** Returns the number of characters that the style sheet folds away at the end of the text. */
  folded(): number {
    const { scrollHeight, clientHeight } = this.#content;
    if (this.#row === null || scrollHeight <= clientHeight + 1) {
      return 0;
    }
    const { text } = this.#row;
    const { right, bottom } = this.#content.getBoundingClientRect();
    return text.length - columnAt(this.#content, text, right, bottom - 2).column;
  }

  /** Shows the button that unfolds the row, or hides it. @param folded Number of characters that are folded away. */
  showMore(folded: number): void {
    if (folded === 0 || this.#row === null) {
      this.#more?.remove();
      return;
    }
    if (this.#more === null) {
      this.#more = element('button', 'more', this.root);
      this.#more.type = 'button';
      this.#more.dataset['more'] = '';
    } else if (this.#more.parentElement === null) {
      this.root.append(this.#more);
    }
    setText(this.#more, moreText(this.#row, folded));
  }

  /** True: the first match is folded away. */
  get hidesMark(): boolean {
    const top = this.mark?.getBoundingClientRect().top;
    return top !== undefined && top >= this.#content.getBoundingClientRect().bottom - 1;
  }

  get row(): PaintedRow | null {
    return this.#row;
  }

  /**
   * Returns the part of the row at a horizontal position: `rows` left of its text.
   *
   * @param x In px, in the viewport.
   * @param target Target of the event.
   */
  fieldAt(x: number, target: EventTarget | null): SelectedField {
    const before = [this.#bar, this.#time, this.#port, this.#mark, this.#offset];
    const isBefore = target instanceof Node && before.some((cell) => cell.contains(target));
    if (isBefore || this.#row?.dump != null || x < this.#content.getBoundingClientRect().left) {
      return 'rows';
    }
    return this.#isHex && x >= this.#characters.getBoundingClientRect().left ? 'characters' : 'content';
  }

  /** Returns the column of the row under a pointer, in bytes for a row of bytes. */
  columnAt(field: SelectedField, x: number, y: number): PointedColumn {
    if (this.#row === null || field === 'rows') {
      return { column: 0, at: 0 };
    }
    const { text, characters } = this.#row;
    if (!this.#isHex) {
      return columnAt(this.#content, text, x, y);
    }
    if (field === 'characters') {
      return columnAt(this.#characters, characters ?? '', x, y);
    }
    const { column, at } = columnAt(this.#content, text, x, y);
    return { column: bytesBefore(column), at: byteAt(at) };
  }

  /**
   * Returns the document's range of the selected columns. Null: no text is selected.
   *
   * @param field `rows` stands for the content.
   */
  rangeOf(field: SelectedField, { start, end }: ColumnRange): Range | null {
    if (end <= start || this.#row === null || this.#row.dump?.shown === false) {
      return null;
    }
    if (!this.#isHex) {
      return rangeIn(this.#content, start, Math.min(end, this.#row.text.length));
    }
    const to = Math.min(end, this.#row.characters?.length ?? 0);
    if (to <= start) {
      return null;
    }
    if (field === 'characters') {
      return rangeIn(this.#characters, start, to);
    }
    const digits = digitsOfBytes({ from: start, to });
    return rangeIn(this.#content, digits.start, digits.end);
  }

  get #isHex(): boolean {
    return this.#row !== null && this.#row.offset !== null;
  }

  /**
   * Writes a row if it looks different from the current one.
   *
   * @param time Text of the time column.
   */
  show(row: PaintedRow, time: string): void {
    setText(this.#time, time);
    const last = this.#row;
    if (last !== null && looksSame(last, row)) {
      return;
    }
    this.#row = row;
    const { dataset } = this.root;
    setOrDelete(dataset, 'direction', row.direction);
    this.#showPort(row.port === null ? null : String(row.port));
    setOrDelete(dataset, 'level', row.level);
    setOrDelete(dataset, 'build', row.kind === 'build' ? '' : null);
    setOrDelete(dataset, 'crash', row.crash ?? null);
    setOrDelete(dataset, 'rule', row.rule?.line ?? null);
    setOrDelete(dataset, 'match', row.rule?.match ?? null);
    setOrDelete(dataset, 'marked', row.rule?.isMarked && row.part === 0 ? '' : null);
    setOrDelete(dataset, 'open', row.open ? '' : null);
    setOrDelete(dataset, 'author', row.part === 0 ? (row.author ?? null) : null);
    setOrDelete(dataset, 'hex', row.offset === null ? null : row.part === 0 ? 'first' : '');
    this.#showDump(row.dump ?? null);
    this.#showFault(row);
    this.#showHead(row);
    setOrDelete(dataset, 'frame', row.frame?.state ?? null);
    setText(this.#offset, row.frame?.who ?? row.offset ?? '');
    setRuns(this.#characters, row.frame?.aside ?? row.characters ?? '', row.characterRuns);
    this.#showDetail(row.frame?.detail ?? null, row.port);
    this.#showContent(row);
  }

  /**
   * Sets the port's colour on the two cells that use it. Set on the row, it would be inherited and restyle all cells.
   */
  #showPort(port: string | null): void {
    setOrDelete(this.root.dataset, 'port', port);
    setOrDelete(this.#bar.dataset, 'portColour', port);
    setOrDelete(this.#port.dataset, 'portColour', port);
  }

  /** Shows port and direction on the first row of a line only. */
  #showHead(row: PaintedRow): void {
    const first = row.part === 0;
    setText(this.#port, first && row.direction !== 'notice' && row.port !== null ? String(row.port) : '');
    if (row.level === null) {
      setText(this.#mark, first ? arrows[row.direction] : '');
    } else {
      this.#mark.replaceChildren(this.#icons[row.level].cloneNode(true));
    }
  }

  #showDump(strip: PaintedRow['dump']): void {
    setOrDelete(this.root.dataset, 'dump', strip == null ? null : strip.shown ? 'shown' : 'folded');
    if (strip == null) {
      this.#dump?.root.remove();
      return;
    }
    this.#dump ??= new DumpStripElement();
    this.#dump.show(strip);
    if (this.#dump.root.parentElement === null) {
      this.root.append(this.#dump.root);
    }
  }

  #showDetail(detail: FrameDetail | null, port: number | null): void {
    setOrDelete(this.root.dataset, 'opened', detail === null ? null : '');
    if (detail === null) {
      this.#detail?.root.remove();
      return;
    }
    this.#detail ??= new FrameDetailElement();
    this.#detail.show(detail, port);
    if (this.#detail.root.parentElement === null) {
      this.root.append(this.#detail.root);
    }
  }

  /**
   * Shows the fault by CSS next to the text, not in it, so that selecting and copying yields only the frame's bytes.
   */
  #showFault({ fault, offset }: PaintedRow): void {
    const words = fault ?? null;
    setOrDelete(this.#content.dataset, 'fault', offset === null ? words : null);
    setOrDelete(this.#characters.dataset, 'fault', offset === null ? null : words);
  }

  #showContent({ text, runs, cut, ending }: PaintedRow): void {
    const shown = cut ? `${text} …` : text;
    setOrDelete(this.#content.dataset, 'ending', ending === '' ? null : ending);
    const [only] = runs;
    const isOneStyle = runs.length === 1 && only?.start === 0 && only.end === shown.length && isNamed(only);
    if (only === undefined || isOneStyle) {
      this.#setContentClass(only === undefined ? contentClass : `${contentClass} ${runClass(only.style)}`);
      setText(this.#content, shown);
      return;
    }
    this.#setContentClass(contentClass);
    setRuns(this.#content, shown, runs);
  }

  /** Writes the class only if it changes. Browsers restyle an element even if the class stays the same. */
  #setContentClass(name: string): void {
    if (this.#content.className !== name) {
      this.#content.className = name;
    }
  }
}

/** Characters of one column each in the log's font. */
const plainText = /^[ -~]*$/;

function fits({ direction, text, cut, ending, fault, dump, frame }: PaintedRow, columns: number): boolean {
  if (frame !== undefined) {
    return false;
  }
  const length = text.length + (cut ? 2 : 0) + ending.length;
  return direction !== 'notice' && length <= columns && fault === undefined && dump == null && plainText.test(text);
}

/** Formats what is folded away. Bytes that the row does not have yet are counted as bytes. */
function moreText({ text, rest = 0 }: PaintedRow, folded: number): string {
  if (rest === 0) {
    return folded === 1 ? '1 more character' : `${count(folded)} more characters`;
  }
  return `${count(rest + new TextEncoder().encode(text.slice(-folded)).length)} more bytes`;
}

/** Returns a range of `target`'s characters, clamped to its text. Null: it has no text there. */
function rangeIn(target: Element, start: number, end: number): Range | null {
  const range = document.createRange();
  const texts = document.createTreeWalker(target, NodeFilter.SHOW_TEXT);
  let at = 0;
  let begun = false;
  for (let node = texts.nextNode(); node instanceof Text; node = texts.nextNode()) {
    const { length } = node;
    if (!begun && start < at + length) {
      range.setStart(node, start - at);
      begun = true;
    }
    if (begun) {
      range.setEnd(node, Math.min(length, end - at));
    }
    at += length;
    if (at >= end) {
      break;
    }
  }
  return begun ? range : null;
}

function looksSame(a: PaintedRow, b: PaintedRow): boolean {
  return (
    a.sequence === b.sequence &&
    a.part === b.part &&
    a.direction === b.direction &&
    a.lineLength === b.lineLength &&
    a.open === b.open &&
    a.fault === b.fault &&
    a.ending === b.ending &&
    a.offset === b.offset &&
    a.text === b.text &&
    (a.crash ?? null) === (b.crash ?? null) &&
    (a.author ?? null) === (b.author ?? null) &&
    sameShallow(a.rule ?? {}, b.rule ?? {}) &&
    sameFrame(a.frame, b.frame) &&
    sameStrip(a.dump, b.dump) &&
    sameRuns(a.runs, b.runs)
  );
}

function sameFrame(a: PaintedRow['frame'], b: PaintedRow['frame']): boolean {
  return (
    a?.who === b?.who &&
    a?.aside === b?.aside &&
    a?.state === b?.state &&
    JSON.stringify(a?.detail) === JSON.stringify(b?.detail)
  );
}

/** Compares runs, which change with the search while the text stays the same. */
function sameRuns(a: readonly StyleRun[], b: readonly StyleRun[]): boolean {
  return (
    a.length === b.length &&
    a.every((run, index) => {
      const other = b[index];
      return (
        run.start === other?.start &&
        run.end === other.end &&
        run.style === other.style &&
        run.paper === other.paper &&
        run.ink?.dark === other.ink?.dark &&
        run.ink?.light === other.ink?.light
      );
    })
  );
}

function* pieces(text: string, runs: readonly StyleRun[]): Generator<Node> {
  let at = 0;
  for (const run of runs) {
    const { start, end } = run;
    if (start > at) {
      yield document.createTextNode(text.slice(at, start));
    }
    const piece = document.createElement('span');
    piece.className = runClass(run.style);
    paintColours(piece, run);
    if ((run.style & attributes.link) !== 0) {
      piece.dataset['link'] = '';
    }
    piece.textContent = text.slice(start, end);
    yield piece;
    at = end;
  }
  if (at < text.length) {
    yield document.createTextNode(text.slice(at));
  }
}

/** Returns true if a class is enough for the run. */
const isNamed = ({ style, ink, paper }: StyleRun): boolean =>
  ink === undefined && paper === undefined && (style & attributes.link) === 0;

/** Sets colours that have no class. The style sheet picks the ink of the theme. */
function paintColours(piece: HTMLElement, { ink, paper }: StyleRun): void {
  if (ink !== undefined) {
    piece.classList.add(styles['inked'] ?? '');
    piece.style.setProperty('--ink-dark', cssColour(ink.dark));
    piece.style.setProperty('--ink-light', cssColour(ink.light));
  }
  if (paper !== undefined) {
    piece.classList.add(styles['papered'] ?? '');
    piece.style.setProperty('--paper', cssColour(paper));
  }
}

const cssColour = (colour: number): string => `#${colour.toString(16).padStart(6, '0')}`;

const runClasses = new Map<number, string>();

function runClass(style: number): string {
  let name = runClasses.get(style);
  if (name === undefined) {
    const set = Object.entries(attributes).filter(([, bit]) => (style & bit) !== 0);
    const names = [colours[style & 7] ?? 'text', ...set.map(([attribute]) => attribute)];
    name = names.map((part) => styles[part]).join(' ');
    runClasses.set(style, name);
  }
  return name;
}

/**
 * Updates an existing text node instead of replacing it. This keeps a selection in it and avoids an unnecessary
 * layout.
 */
function setText(target: Element, text: string): void {
  const node = target.firstChild;
  if (node instanceof Text && node === target.lastChild) {
    if (node.data !== text) {
      node.data = text;
    }
  } else {
    target.textContent = text;
  }
}

function setRuns(target: Element, text: string, runs: readonly StyleRun[]): void {
  if (runs.length === 0) {
    setText(target, text);
  } else {
    target.replaceChildren(...pieces(text, runs));
  }
}

function setOrDelete(dataset: DOMStringMap, key: string, value: string | null): void {
  if (value === null) {
    delete dataset[key];
  } else if (dataset[key] !== value) {
    dataset[key] = value;
  }
}
