/**
 * The console's rows on the screen. One element scrolls and holds a spacer as tall as all rows; the few rows that are seen
 * stand in a layer that does not move with it, and are written anew on the page's own frame. Nothing of a row is kept in
 * React, and nothing is asked for while nothing changes.
 */
import type { RowLayout, RowQuery } from '@wirebench/serial';
import { untilStep } from '../paint-step.ts';
import { ByteInspector } from './byte-inspector.ts';
import { FramePulls, type PullOutcome } from './frame-pulls.ts';
import type { InspectedBytes } from './inspected-bytes.ts';
import styles from './log-view.module.css';
import type { AnsweredPage, PaintedRow } from './painted-row.ts';
import type { NoticeIcons } from './row-element.ts';
import { MeasuredHeights, uniformHeights } from './row-heights.ts';
import { RowList } from './row-list.ts';
import type { RowName, RowSpan } from './row-selection.ts';
import type { TimeMode } from './row-times.ts';
import { type Anchor, RowWindow } from './row-window.ts';
import { ScrollBar } from './scroll-bar.ts';
import { lastTop } from './scroll-map.ts';
import { TextSelecting } from './text-selecting.ts';

/** Room above and below the text of a row that is wrapped, in px: what is left of its height is that of a line. */
const wrappedRoom = (rowHeight: number) => (rowHeight > 22 ? 6 : 2);
/** How often a console that is being read looks at what happens out of sight, in milliseconds. */
const idleInterval = 250;

export interface LogViewOptions {
  readonly scroller: HTMLElement;
  readonly layout: RowLayout;
  /** In px. */
  readonly rowHeight: number;
  /** Lines of text that are longer than the log is wide go on below. */
  readonly wrap: boolean;
  readonly icons: NoticeIcons;
  readonly pull: (query: RowQuery) => Promise<AnsweredPage>;
  readonly onFollowing: (following: boolean) => void;
  /** Hex layout: other bytes are marked, or none any more. */
  readonly onInspected: (inspected: InspectedBytes | null) => void;
}

export class LogView {
  readonly #options: LogViewOptions;
  readonly #scroller: HTMLElement;
  readonly #spacer = document.createElement('div');
  readonly #layer = document.createElement('div');
  readonly #list: RowList;
  readonly #window: RowWindow<PaintedRow>;
  readonly #bar: ScrollBar;
  readonly #inspector: ByteInspector;
  readonly #pulls: FramePulls;
  readonly #selecting: TextSelecting;
  readonly #ending = new AbortController();
  #rowHeight: number;
  #wrap: boolean;
  /** Heights of the rows where they are wrapped; null where all are the same. */
  #measured: MeasuredHeights | null = null;
  /** The layout of the rows that are there. */
  #shownLayout: RowLayout;
  #width = 0;
  /** The line whose marks are to be seen once it is there. */
  #sought: number | null = null;
  #following = true;
  #columns = 0;
  /** The last page had not one row of the page before it: nobody reads that, so it changes in step with all the rest. */
  #flooded = false;

  constructor(options: LogViewOptions) {
    this.#options = options;
    this.#scroller = options.scroller;
    this.#rowHeight = options.rowHeight;
    this.#wrap = options.wrap;
    this.#shownLayout = options.layout;
    this.#list = new RowList(options.icons);
    this.#inspector = new ByteInspector(this.#layer, this.#list, options.onInspected);
    this.#window = new RowWindow(options.layout, options.rowHeight);
    this.#bar = new ScrollBar({ scroller: this.#scroller, spacer: this.#spacer, rows: () => this.#window });
    this.#pulls = new FramePulls({
      place: () => this.#place(),
      pull: () => this.#pull(),
      held: () => this.#held,
    });
    this.#selecting = new TextSelecting(
      this.#layer,
      () => this.#selected(),
      () => this.#pulls.requestFrame(),
      this.#ending.signal,
    );
    this.#spacer.className = styles['spacer'] ?? '';
    this.#layer.className = styles['layer'] ?? '';
    this.#layer.append(this.#list.root);
    this.#spacer.append(this.#layer);
    this.#scroller.append(this.#spacer);
    this.#applyHeights();
    this.#listen();
  }

  /** The row that `element` belongs to, as long as it is there. */
  rowOf(element: Element): PaintedRow | undefined {
    return this.#list.rowOf(element);
  }

  /** Something on the timeline has changed. */
  invalidate(): void {
    this.#pulls.invalidate();
  }

  /** What rows say is another thing now. */
  refresh(): void {
    this.#want();
  }

  /** Also gives up what is selected: its rows are about to go. */
  follow(): void {
    this.#selecting.selection?.removeAllRanges();
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

  /** What is beside the text has another width: rows that are wrapped may be of another height. */
  reflow(): void {
    if (this.#measured !== null) {
      this.#measured.clear();
      this.#measure();
      this.#want();
    }
  }

  /** @param sequence of the line that one stands at, of all that were found. */
  setCurrent(sequence: number | null): void {
    this.#list.setCurrent(sequence);
  }

  /** Stops following and shows the line `sequence`. @param marks what is marked in it is to be seen, too. */
  reveal(sequence: number, marks = false): void {
    this.#sought = marks ? sequence : null;
    this.#window.reveal(sequence);
    this.#want();
  }

  /** What is read, for another view to go on with; null while the newest lines are followed. */
  get place(): Anchor | null {
    return this.#window.place;
  }

  /** Stops following and shows what another view has left. */
  takeUp(place: Anchor): void {
    this.#window.takeUp(place);
    this.#want();
  }

  /** The newest line that is seen; null while there is none. */
  get bottomSequence(): number | null {
    return this.#window.bottomRow?.sequence ?? null;
  }

  /** Rows selected, also beyond the screen; they must not run away. */
  setSelected(span: RowSpan | null): void {
    this.#list.setSelected(span);
    if (span !== null) {
      // Either rows are selected or text within them.
      this.#selecting.selection?.removeAllRanges();
      this.pause();
    }
    this.#inspector.look(this.#shownLayout);
  }

  /** The row after (1) or before (−1) `row`, as far as it is known; the last one that is seen when `row` is not there. */
  neighbour(row: RowName | null, step: 1 | -1): RowName | undefined {
    const { rows } = this.#window.page;
    const index = rows.findIndex(({ sequence, part }) => sequence === row?.sequence && part === row.part);
    return index < 0 ? this.#window.bottomRow : rows[index + step];
  }

  setTimes(times: TimeMode): void {
    this.#list.setTimes(times);
  }

  dispose(): void {
    this.#ending.abort();
    this.#bar.dispose();
    this.#pulls.dispose();
    this.#spacer.remove();
  }

  #listen(): void {
    const { signal } = this.#ending;
    this.#scroller.addEventListener('scroll', () => this.#scrolled(), { signal, passive: true });
    this.#scroller.addEventListener('keydown', (event) => this.#pressed(event), { signal });
    const resized = new ResizeObserver(() => this.#resized());
    resized.observe(this.#scroller);
    signal.addEventListener('abort', () => resized.disconnect());
    document.fonts.addEventListener('loadingdone', () => this.reflow(), { signal });
  }

  #resized(): void {
    const { clientHeight, clientWidth } = this.#scroller;
    this.#layer.style.setProperty('height', `${clientHeight}px`);
    this.#window.resize(clientHeight);
    if (clientWidth !== this.#width) {
      this.#width = clientWidth;
      this.reflow();
    }
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

  /** The newest rows would replace what is under a button that is down. */
  get #held(): boolean {
    return this.#selecting.pressed && this.#window.following;
  }

  /** What is selected must not run away from under the pointer. */
  #selected(): void {
    if (this.#selecting.selection !== null) {
      this.pause();
    }
    this.#inspector.look(this.#shownLayout);
  }

  #scrolled(): void {
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
        this.#window.scrollTo(lastTop(this.#window.extent), this.#selecting.selection === null);
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
    const query = this.#window.query();
    const page = await this.#options.pull(query);
    if (this.#ending.signal.aborted) {
      return { rest: 0, again: false };
    }
    if (this.#held) {
      return { rest: 0, again: true };
    }
    this.#list.setStart(page.startedAt);
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
      // The row with the focus is gone: the keyboard goes on in the log.
      this.#scroller.focus({ preventScroll: true });
    }
    this.#inspector.look(this.#shownLayout);
    this.#measure();
    this.#flooded = following && fresh === page.rows.length && page.total > page.rows.length;
    if (this.#list.columns !== this.#columns) {
      this.#columns = this.#list.columns;
      this.#spacer.style.setProperty('--columns', String(this.#columns));
    }
    this.#seek();
    this.#place();
    this.#tellFollowing();
    this.#bar.follow();
  }

  /** Rows are wrapped in the text layout only; how tall they are is known once they are there. */
  #applyHeights(): void {
    const { style } = this.#scroller;
    style.setProperty('--row-height', `${this.#rowHeight}px`);
    style.setProperty('--wrapped-line', `${this.#rowHeight - wrappedRoom(this.#rowHeight)}px`);
    const wrapped = this.#wrap && this.#window.layout === 'text';
    this.#measured = wrapped ? new MeasuredHeights(this.#rowHeight) : null;
    this.#window.setHeights(this.#measured ?? uniformHeights(this.#rowHeight));
    // Rows of another layout stay as they are until those that are wanted come.
    if (this.#shownLayout === this.#window.layout) {
      this.#scroller.toggleAttribute('data-wrap', wrapped);
      this.#measure();
    }
    this.#want();
  }

  #measure(): void {
    if (this.#measured !== null && this.#shownLayout === 'text' && this.#scroller.clientHeight > 0) {
      this.#list.measure(this.#measured);
    }
    this.#window.remeasure();
  }

  /** Brings what is marked in the sought line into view where the line is longer than what is seen of it. */
  #seek(): void {
    if (this.#sought === null || !this.#window.covered) {
      return;
    }
    const mark = this.#list.markIn(this.#sought);
    this.#sought = null;
    if (mark === null) {
      return;
    }
    const { scrollLeft, clientWidth, clientHeight } = this.#scroller;
    if (mark.left < scrollLeft || mark.right > scrollLeft + clientWidth) {
      this.#scroller.scrollLeft = Math.max(0, mark.left - clientWidth / 3);
    }
    const below = mark.top - this.#window.within;
    if (below + this.#rowHeight > clientHeight) {
      this.#window.scrollBy(below - Math.floor(clientHeight / 3));
      this.#want();
    }
  }

  /** As long as rows are missing for where one is, the old ones stay where they were: no blank, for a frame at most. */
  #place(): void {
    if (this.#window.covered) {
      this.#list.moveUp(this.#window.within);
    }
  }
}
