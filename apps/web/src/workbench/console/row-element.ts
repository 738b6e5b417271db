/**
 * One row on the screen: a handful of elements that are made once and written anew for whichever line they show. Writes
 * text only, never markup. Knows nothing of scrolling.
 */
import type { NoticeLevel } from '@wirebench/serial';
import { DumpStripElement, sameStrip } from './dump-strip.ts';
import { type ByteRange, bytesBetween, digitsOfBytes } from './inspected-bytes.ts';
import type { PaintedRow } from './painted-row.ts';
import styles from './row-element.module.css';
import { attributes, colours, type StyleRun } from './styled-text.ts';

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
  /** Made once the row is that of a core dump. */
  #dump: DumpStripElement | null = null;
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

  /** One stands at this line, of all that were found. */
  setCurrent(current: boolean): void {
    this.root.toggleAttribute('data-current', current);
  }

  setSelected(selected: boolean): void {
    this.root.toggleAttribute('data-selected', selected);
  }

  /** The first stretch that is looked for. */
  get mark(): Element | null {
    return this.#content.querySelector(`.${styles['found']}`);
  }

  get row(): PaintedRow | null {
    return this.#row;
  }

  /** Hex layout: which of the row's bytes lie in `range`, by their digits or, where it begins among these, by their characters. */
  bytesIn(range: Range, byCharacters: boolean): ByteRange {
    const target = byCharacters ? this.#characters : this.#content;
    if (!range.intersectsNode(target)) {
      return { from: 0, to: 0 };
    }
    const start = placeIn(target, range.startContainer, range.startOffset) ?? 0;
    const end = placeIn(target, range.endContainer, range.endOffset) ?? target.textContent.length;
    return byCharacters ? { from: start, to: end } : bytesBetween(start, end);
  }

  /** These bytes in the other column than the one where they are marked; null for none. */
  mirrorOf(bytes: ByteRange, byCharacters: boolean): Range | null {
    if (bytes.to <= bytes.from) {
      return null;
    }
    const { start, end } = byCharacters ? digitsOfBytes(bytes) : { start: bytes.from, end: bytes.to };
    return rangeIn(byCharacters ? this.#content : this.#characters, start, end);
  }

  /** `node` stands among the bytes as characters. */
  hasCharacters(node: Node): boolean {
    return this.#characters.contains(node);
  }

  /** Writes `row` unless it is there already. @param time what is in front of it. */
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
    setOrDelete(dataset, 'crash', row.crash ?? null);
    setOrDelete(dataset, 'author', row.part === 0 ? (row.author ?? null) : null);
    setOrDelete(dataset, 'hex', row.offset === null ? null : row.part === 0 ? 'first' : '');
    this.#showDump(row.dump ?? null);
    this.#showFault(row);
    this.#showHead(row);
    setText(this.#offset, row.offset ?? '');
    setRuns(this.#characters, row.characters ?? '', row.characterRuns);
    this.#showContent(row);
  }

  /** Its colour goes to the two cells that have it: from the row all cells would take it, and be styled anew. */
  #showPort(port: string | null): void {
    setOrDelete(this.root.dataset, 'port', port);
    setOrDelete(this.#bar.dataset, 'portColour', port);
    setOrDelete(this.#port.dataset, 'portColour', port);
  }

  /** Port and direction stand on the first row of a line only. */
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

  /** Beside what the row says, not in it: what is selected and copied stays the bytes of the frame. */
  #showFault({ fault, offset }: PaintedRow): void {
    const words = fault ?? null;
    setOrDelete(this.#content.dataset, 'fault', offset === null ? words : null);
    setOrDelete(this.#characters.dataset, 'fault', offset === null ? null : words);
  }

  #showContent({ text, runs, cut, ending }: PaintedRow): void {
    const shown = cut ? `${text} …` : text;
    setOrDelete(this.#content.dataset, 'ending', ending === '' ? null : ending);
    const [only] = runs;
    if (only === undefined || (runs.length === 1 && only.start === 0 && only.end === shown.length)) {
      this.#setContentClass(only === undefined ? contentClass : `${contentClass} ${runClass(only.style)}`);
      setText(this.#content, shown);
      return;
    }
    this.#setContentClass(contentClass);
    setRuns(this.#content, shown, runs);
  }

  /** Written only when it changes: the browser would style the cell anew for the same class, too. */
  #setContentClass(name: string): void {
    if (this.#content.className !== name) {
      this.#content.className = name;
    }
  }
}

/** Characters of `target` before a place in it; null when the place is elsewhere. */
function placeIn(target: Element, node: Node, offset: number): number | null {
  if (!target.contains(node)) {
    return null;
  }
  const before = document.createRange();
  before.selectNodeContents(target);
  before.setEnd(node, offset);
  return before.toString().length;
}

/** The characters of `target` from one place to another, as far as there are any. */
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
    a.lineLength === b.lineLength &&
    a.open === b.open &&
    a.fault === b.fault &&
    a.ending === b.ending &&
    a.offset === b.offset &&
    a.text === b.text &&
    (a.crash ?? null) === (b.crash ?? null) &&
    (a.author ?? null) === (b.author ?? null) &&
    sameStrip(a.dump, b.dump) &&
    sameRuns(a.runs, b.runs)
  );
}

/** What is looked for may be another thing. */
function sameRuns(a: readonly StyleRun[], b: readonly StyleRun[]): boolean {
  return (
    a.length === b.length &&
    a.every((run, index) => {
      const other = b[index];
      return run.start === other?.start && run.end === other.end && run.style === other.style;
    })
  );
}

function* pieces(text: string, runs: readonly StyleRun[]): Generator<Node> {
  let at = 0;
  for (const { start, end, style } of runs) {
    if (start > at) {
      yield document.createTextNode(text.slice(at, start));
    }
    const piece = document.createElement('span');
    piece.className = runClass(style);
    piece.textContent = text.slice(start, end);
    yield piece;
    at = end;
  }
  if (at < text.length) {
    yield document.createTextNode(text.slice(at));
  }
}

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

/** Keeps the one text node where there is one: a selection in it survives, and nothing is laid out that did not change. */
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
