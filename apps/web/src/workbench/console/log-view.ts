/**
 * Paints the console's rows. A scrolling element contains a spacer as tall as all rows. The visible rows are in a
 * sticky layer and are rewritten in animation frames. Rows are not kept in React, and nothing is requested without a
 * change.
 */
import type { RowLayout, RowQuery } from '@wirebench/serial';
import type { AnsweredPage, PaintedRow } from '../../protocol/rows/painted-row.ts';
import { paintStep, untilStep } from '../../shared/paint-step.ts';
import { ByteInspector } from './byte-inspector.ts';
import { FramePulls, type PullOutcome } from './frame-pulls.ts';
import type { InspectedBytes } from './inspected-bytes.ts';
import type { LogSpan, RowName, SelectedField } from './log-selection.ts';
import styles from './log-view.module.css';
import type { NoticeIcons } from './row-element.ts';
import { MeasuredHeights, uniformHeights } from './row-heights.ts';
import { RowList } from './row-list.ts';
import type { TimeMode } from './row-times.ts';
import { type Anchor, overscan, RowWindow } from './row-window.ts';
import { ScrollBar } from './scroll-bar.ts';
import { lastTop } from './scroll-map.ts';
import type { Pointed, SelectableView } from './selecting-parts.ts';

/**
 * Sum of the padding above and below a wrapped row's text, in px. The rest of the row height is the height of a text
 * line.
 */
const wrappedRoom = (rowHeight: number) => (rowHeight > 22 ? 6 : 2);
/** Interval of requests while the log is paused, in milliseconds. Changes are out of sight then. */
const idleInterval = 250;

export interface LogViewOptions {
  readonly scroller: HTMLElement;
  readonly layout: RowLayout;
  /** Height of a row, in px. */
  readonly rowHeight: number;
  /** True: long lines wrap in the text layout. */
  readonly wrap: boolean;
  readonly icons: NoticeIcons;
  readonly pull: (query: RowQuery) => Promise<AnsweredPage>;
  readonly onFollowing: (following: boolean) => void;
  /** Hex layout: receives the selected bytes, or null if the selection is cleared. */
  readonly onInspected: (inspected: InspectedBytes | null) => void;
  /** Called when the lines have been replaced: the log was cleared, or the clear was undone. */
  readonly onReplaced: () => void;
}

export class LogView implements SelectableView {
  readonly #options: LogViewOptions;
  readonly #scroller: HTMLElement;
  readonly #spacer = document.createElement('div');
  readonly #layer = document.createElement('div');
  readonly #list: RowList;
  readonly #window: RowWindow<PaintedRow>;
  readonly #bar: ScrollBar;
  readonly #inspector: ByteInspector;
  readonly #pulls: FramePulls;
  readonly #ending = new AbortController();
  #rowHeight: number;
  #wrap: boolean;
  /** Heights of wrapped rows. Null: all rows have the same height. */
  #measured: MeasuredHeights | null = null;
  /** Layout of the rows on the screen. It differs from the window's layout until the new rows arrive. */
  #shownLayout: RowLayout;
  #width = 0;
  /** Height of the strips over the last rows, in px. */
  #covered = 0;
  /** Characters of a wrapped text line. Null: not measured since the width or the font changed. */
  #lineColumns: number | null = null;
  readonly #ruler = document.createElement('span');
  /** Sequence numbers of the long lines that were unfolded. */
  readonly #whole = new Set<number>();
  /** Sequence number of the line whose match is scrolled into view after the line is painted. */
  #sought: number | null = null;
  /** Sequence number of the line that is scrolled into view as a whole after it is painted. */
  #grown: number | null = null;
  #following = true;
  #columns = 0;
  /** True: the main button of a mouse or pen is down on the rows. */
  #isPressed = false;
  /** Arrival of the first line since the log was cleared. Null: no line yet. */
  #startedAt: number | null = null;
  /**
   * True: pages that are one shared paint step apart have no visible row in common. Such a flood is unreadable, so it is updated
   * at that step.
   */
  #flooded = false;
  readonly #rowRate = new RowRate();
  /** True: the log has a height. Asking the document for it after each change would lay out the rows once more. */
  #isShown = false;

  constructor(options: LogViewOptions) {
    this.#options = options;
    this.#scroller = options.scroller;
    this.#rowHeight = options.rowHeight;
    this.#wrap = options.wrap;
    this.#shownLayout = options.layout;
    this.#list = new RowList(options.icons);
    this.#inspector = new ByteInspector(this.#list, options.onInspected);
    this.#window = new RowWindow(options.layout, options.rowHeight);
    this.#bar = new ScrollBar({ scroller: this.#scroller, spacer: this.#spacer, rows: () => this.#window });
    this.#pulls = new FramePulls({
      place: () => this.#place(),
      pull: () => this.#pull(),
      held: () => this.#held,
    });
    this.#spacer.className = styles['spacer'] ?? '';
    this.#layer.className = styles['layer'] ?? '';
    this.#ruler.className = styles['ruler'] ?? '';
    this.#layer.append(this.#list.root, this.#ruler);
    this.#spacer.append(this.#layer);
    this.#scroller.append(this.#spacer);
    this.#applyHeights();
    this.#listen();
  }

  /** Returns the row that contains `element`, or undefined if the row is gone. */
  rowOf(element: Element): PaintedRow | undefined {
    return this.#list.rowOf(element);
  }

  /** Reports that the timeline has changed. */
  invalidate(): void {
    this.#pulls.invalidate();
  }

  /** Repaints: the content of the rows has changed. */
  refresh(): void {
    this.#want();
  }

  /** Follows the newest lines. */
  follow(): void {
    this.#window.follow();
    this.#want();
  }

  pause(): void {
    if (this.#window.following) {
      this.#window.pause();
      this.#want();
    }
  }

  setLayout(layout: RowLayout): void {
    if (layout !== this.#window.layout) {
      this.#window.setLayout(layout);
      this.#applyHeights();
    }
  }

  setRowHeight(rowHeight: number): void {
    if (rowHeight !== this.#rowHeight) {
      this.#rowHeight = rowHeight;
      this.#applyHeights();
    }
  }

  setWrap(wrap: boolean): void {
    if (wrap !== this.#wrap) {
      this.#wrap = wrap;
      this.#applyHeights();
    }
  }

  /** @param covered Height of the strips over the lower edge, in px. While it follows, the log shows its rows above them. */
  setCovered(covered: number): void {
    if (covered !== this.#covered) {
      this.#covered = covered;
      this.#resized();
    }
  }

  /** Measures wrapped rows again: the width available for their text has changed. */
  reflow(): void {
    this.#lineColumns = null;
    if (this.#measured !== null) {
      this.#measured.clear();
      this.#measure();
      this.#want();
    }
  }

  /** @param sequence Line of the current match. Null: no current match. */
  setCurrent(sequence: number | null): void {
    this.#list.setCurrent(sequence);
  }

  /**
   * Stops following and scrolls to a line.
   *
   * @param marks True: also scroll to the first match in the line.
   */
  reveal(sequence: number, marks = false): void {
    this.#sought = marks ? sequence : null;
    this.#window.reveal(sequence);
    this.#want();
  }

  /** The reading position, so that another view can restore it. Null: following the newest lines. */
  get place(): Anchor | null {
    return this.#window.place;
  }

  /** Stops following and restores the position of another view. */
  takeUp(place: Anchor): void {
    this.#window.takeUp(place);
    this.#want();
  }

  /** Sequence number of the newest fully visible line. Null: no line is visible. */
  get bottomSequence(): number | null {
    return this.#window.bottomRow?.sequence ?? null;
  }

  /**
   * Sets the selected range, which may extend beyond the screen. A selection pauses the log, so that its text does not
   * scroll away.
   */
  setSelected(span: LogSpan | null): void {
    this.#list.setSelected(span);
    if (span !== null) {
      this.pause();
    }
    this.#inspector.look(this.#shownLayout);
  }

  setPressed(pressed: boolean): void {
    this.#isPressed = pressed;
    if (!pressed) {
      this.#pulls.requestFrame();
    }
  }

  placeAt({ clientX, clientY, target }: MouseEvent, field: SelectedField | null): Pointed | undefined {
    const { top } = this.#scroller.getBoundingClientRect();
    const y = Math.min(Math.max(clientY, top + 1), top + Math.max(2, this.#scroller.clientHeight) - 1);
    const pointed = target instanceof Element ? this.#list.elementOf(target) : undefined;
    const element = pointed ?? this.#list.elementAt(y);
    const row = element?.row ?? null;
    if (element === undefined || row === null) {
      return undefined;
    }
    const part = field ?? element.fieldAt(clientX, target);
    const below = y > element.root.getBoundingClientRect().bottom;
    // Below the last row, everything up to its end is meant.
    return { row, field: part, ...element.columnAt(part, below ? Number.MAX_SAFE_INTEGER : clientX, y) };
  }

  rowNamed({ sequence, part }: RowName): PaintedRow | undefined {
    const { rows } = this.#window.page;
    return (
      rows.find((row) => row.sequence === sequence && row.part === part) ??
      // The end of a line is named without knowing its number of rows.
      rows.findLast((row) => row.sequence === sequence)
    );
  }

  scrollBy(right: number, down: number): void {
    if (right !== 0) {
      this.#scroller.scrollLeft += right;
    }
    if (down !== 0) {
      this.#window.scrollBy(down);
      // Reaching the newest row must not let the others go on scrolling.
      this.#window.pause();
      this.#want();
    }
  }

  get pageRows(): number {
    return Math.max(1, Math.floor((this.#scroller.clientHeight - this.#covered) / this.#rowHeight) - 1);
  }

  /**
   * Returns the row after (1) or before (−1) `row` if it is loaded. If `row` is not loaded, returns the last fully
   * visible row.
   */
  neighbour(row: RowName | null, step: 1 | -1): PaintedRow | undefined {
    const { rows } = this.#window.page;
    const named = row === null ? undefined : this.rowNamed(row);
    return named === undefined ? this.#window.bottomRow : rows[rows.indexOf(named) + step];
  }

  setTimes(times: TimeMode): void {
    this.#list.setTimes(times);
  }

  dispose(): void {
    this.#ending.abort();
    this.#inspector.dispose();
    this.#bar.dispose();
    this.#pulls.dispose();
    this.#spacer.remove();
  }

  #listen(): void {
    const { signal } = this.#ending;
    this.#scroller.addEventListener('scroll', () => this.#scrolled(), { signal, passive: true });
    this.#scroller.addEventListener('keydown', (event) => this.#pressed(event), { signal });
    this.#scroller.addEventListener('click', ({ target }) => this.#unfoldBy(target), { signal });
    const resized = new ResizeObserver(() => this.#resized());
    resized.observe(this.#scroller);
    signal.addEventListener('abort', () => resized.disconnect());
    document.fonts.addEventListener('loadingdone', () => this.reflow(), { signal });
  }

  #resized(): void {
    const { clientHeight, clientWidth } = this.#scroller;
    this.#isShown = clientHeight > 0;
    this.#layer.style.setProperty('height', `${clientHeight}px`);
    this.#window.resize(Math.max(0, clientHeight - this.#covered), Math.min(clientHeight, this.#covered));
    if (clientWidth !== this.#width) {
      this.#width = clientWidth;
      this.reflow();
    }
    this.#want();
    this.#bar.follow();
  }

  /** Unfolds the line whose button was pressed. The log pauses, so that the line stays in place. */
  #unfoldBy(target: EventTarget | null): void {
    const button = target instanceof Element ? target.closest('[data-more]') : null;
    const row = button === null ? undefined : this.rowOf(button);
    if (row !== undefined) {
      this.pause();
      // The button goes, so that the log takes its focus.
      this.#scroller.focus({ preventScroll: true });
      this.#unfold(row.sequence);
    }
  }

  /**
   * Measures a line again, because its row shows more or less than before. The log pauses, so that it stays in place.
   *
   * @param isOpened True: it shows more, and is scrolled into view as a whole.
   */
  resizeLine(sequence: number, isOpened: boolean): void {
    this.pause();
    this.#measured?.forget(sequence);
    this.#grown = isOpened ? sequence : null;
    this.#want();
  }

  #unfold(sequence: number): void {
    this.#whole.add(sequence);
    this.#list.setWhole(this.#whole);
    this.#measured?.forget(sequence);
    this.#want();
  }

  #pressed(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) {
      return;
    }
    if (event.key === 'End') {
      event.preventDefault();
      this.follow();
    } else if (event.key === 'Home') {
      event.preventDefault();
      this.#window.scrollTo(0, false);
      this.#want();
    }
  }

  /** True: a pointer button is down while the log follows. New rows would replace the row under the pointer. */
  get #held(): boolean {
    return this.#isPressed && this.#window.following;
  }

  #scrolled(): void {
    this.#scroller.toggleAttribute('data-sideways', this.#scroller.scrollLeft > 0);
    const scrolled = this.#bar.take();
    switch (scrolled?.kind) {
      case undefined:
        return;
      case 'by':
        this.#window.scrollBy(scrolled.pixels);
        break;
      case 'to':
        this.#window.scrollTo(scrolled.top, scrolled.downwards);
        break;
      case 'start':
        this.#window.scrollTo(0, false);
        break;
      case 'end':
        this.#window.scrollTo(lastTop(this.#window.extent), !this.#isPressed);
        break;
    }
    this.#want();
  }

  #want(): void {
    this.#tellFollowing();
    this.#pulls.want();
  }

  #tellFollowing(): void {
    if (this.#following !== this.#window.following) {
      this.#following = this.#window.following;
      this.#options.onFollowing(this.#following);
    }
  }

  async #pull(): Promise<PullOutcome> {
    const asked = Date.now();
    const query = { ...this.#window.query(), ...(this.#whole.size > 0 && { whole: [...this.#whole] }) };
    const page = await this.#options.pull(query);
    if (this.#ending.signal.aborted) {
      return { rest: 0, again: false };
    }
    if (this.#held) {
      return { rest: 0, again: true };
    }
    this.#list.setStart(page.startedAt);
    if (this.#startedAt !== null && page.startedAt !== this.#startedAt) {
      this.#options.onReplaced();
    }
    this.#startedAt = page.startedAt;
    if (!this.#window.accept(page, query)) {
      return { rest: 0, again: false };
    }
    this.#show();
    return { rest: this.#flooded ? untilStep(asked) : this.#following ? 0 : idleInterval, again: !page.complete };
  }

  #show(): void {
    const { page, following } = this.#window;
    this.#shownLayout = this.#window.layout;
    this.#scroller.toggleAttribute('data-wrap', this.#measured !== null);
    const focused = this.#layer.contains(document.activeElement);
    const fresh = this.#list.show(page);
    if (focused && !this.#layer.contains(document.activeElement)) {
      // The row with the focus is gone. Focus the log, so that the keyboard still works.
      this.#scroller.focus({ preventScroll: true });
    }
    this.#inspector.look(this.#shownLayout);
    this.#measure();
    const visible = page.rows.length - overscan;
    const isReplaced = this.#rowRate.add(fresh, performance.now()) >= visible || fresh === page.rows.length;
    this.#flooded = following && isReplaced && page.total > page.rows.length;
    if (this.#list.columns !== this.#columns) {
      this.#columns = this.#list.columns;
      this.#spacer.style.setProperty('--columns', String(this.#columns));
    }
    this.#seek();
    this.#place();
    this.#showGrown();
    this.#tellFollowing();
    this.#bar.follow();
  }

  /** Sets the row heights. Rows wrap in the text layout only, and their heights are measured after painting. */
  #applyHeights(): void {
    const { style } = this.#scroller;
    style.setProperty('--row-height', `${this.#rowHeight}px`);
    style.setProperty('--wrapped-line', `${this.#rowHeight - wrappedRoom(this.#rowHeight)}px`);
    const wrapped = this.#wrap && this.#window.layout === 'text';
    this.#measured = wrapped ? new MeasuredHeights(this.#rowHeight) : null;
    this.#window.setHeights(this.#measured ?? uniformHeights(this.#rowHeight));
    // Rows of the previous layout stay unchanged until the rows of the new layout arrive.
    if (this.#shownLayout === this.#window.layout) {
      this.#scroller.toggleAttribute('data-wrap', wrapped);
      this.#measure();
    }
    this.#want();
  }

  #measure(): void {
    if (this.#measured !== null && this.#shownLayout === 'text' && this.#isShown) {
      this.#lineColumns ??= this.#measureColumns();
      this.#list.measure(this.#measured, this.#lineColumns ?? 0);
    }
    this.#window.remeasure();
  }

  /** Returns the number of characters of a wrapped text line. Null: there is no layout yet. */
  #measureColumns(): number | null {
    // The ruler is 100 characters wide.
    const { width } = this.#ruler.getBoundingClientRect();
    const { contentWidth } = this.#list;
    return width > 0 && contentWidth > 0 ? Math.floor((contentWidth * 100) / width) : null;
  }

  /** Scrolls down as far as the line that has grown needs, but not past its beginning. */
  #showGrown(): void {
    const place = this.#grown === null ? null : this.#list.placeOf(this.#grown);
    if (place === null || !place.isOpened) {
      return;
    }
    this.#grown = null;
    const bottom = this.#scroller.getBoundingClientRect().top + this.#scroller.clientHeight - this.#covered;
    const needed = Math.min(place.bottom - bottom, place.top - this.#scroller.getBoundingClientRect().top);
    if (needed > 0) {
      this.#window.scrollBy(needed);
      this.#want();
    }
  }

  /** Scrolls to the match in the sought line if the line is longer than the view. */
  #seek(): void {
    if (this.#sought === null || !this.#window.covered) {
      return;
    }
    if (this.#measured !== null && this.#list.hidesMark(this.#sought)) {
      this.#unfold(this.#sought);
      return;
    }
    const mark = this.#list.markIn(this.#sought);
    this.#sought = null;
    if (mark === null) {
      return;
    }
    const { scrollLeft, clientWidth } = this.#scroller;
    const clientHeight = this.#scroller.clientHeight - this.#covered;
    if (mark.left < scrollLeft || mark.right > scrollLeft + clientWidth) {
      this.#scroller.scrollLeft = Math.max(0, mark.left - clientWidth / 3);
    }
    const below = mark.top - this.#window.within;
    if (below + this.#rowHeight > clientHeight) {
      this.#window.scrollBy(below - Math.floor(clientHeight / 3));
      this.#want();
    }
  }

  /**
   * Positions the rows. While rows for the position are missing, the old ones stay in place. This avoids a blank view
   * and takes about one frame.
   */
  #place(): void {
    if (this.#window.covered) {
      this.#list.moveUp(this.#window.within);
    }
  }
}

/** Time over which rows are averaged, in milliseconds: the output of one command is no flood. */
const averagedTime = 400;

/** Average of the new rows in a step. */
export class RowRate {
  /** Rows in a millisecond. */
  #rate = 0;
  #at = Number.NEGATIVE_INFINITY;

  /**
   * Adds the new rows of an update.
   *
   * @param at Time in milliseconds.
   * @returns The new rows that come in a step.
   */
  add(rows: number, at: number): number {
    const passed = Math.max(1, at - this.#at);
    this.#at = at;
    this.#rate += (rows / passed - this.#rate) * Math.min(1, passed / averagedTime);
    return this.#rate * paintStep;
  }
}
