/**
 * Search state of a console: one search for marked hits, and one for the shown lines if they differ. With a pane for
 * each port, each pane has its own search for shown lines. Searches run in slices, so that the ports are read in
 * between.
 */
import type { Clock } from '@wirebench/clock';
import { type Bench, type Hit, type LineQuery, type LineSearch, portNumbers, type RowView } from '@wirebench/serial';
import type { FindRequest, FindStatus } from '../../protocol/bench/find-part.ts';
import type { LogPart } from '../../protocol/bench/row-part.ts';

export interface ConsoleSearchParts {
  readonly bench: Bench;
  readonly clock: Clock;
  /** Called when lines were found or the search is complete. */
  readonly onProgress: () => void;
}

export class ConsoleSearch {
  readonly #parts: ConsoleSearchParts;
  #request: FindRequest | null = null;
  #marked: LineSearch | null = null;
  #shown: LineSearch | null = null;
  /**
   * Query for the lines of a pane: a pane of one port ignores the port term. Its search is created with the first request for the
   * pane's rows.
   */
  #paneQuery: LineQuery = { terms: [] };
  readonly #panes = new Map<LogPart, LineSearch>();
  /** Line of the current hit. */
  #current: number | null = null;
  #requests = 0;
  #run: AbortController | null = null;

  constructor(parts: ConsoleSearchParts) {
    this.#parts = parts;
  }

  /**
   * Starts a new search.
   * @throws SearchQueryError if the request is invalid. The previous search then continues.
   */
  find(request: FindRequest): void {
    this.#begin(request);
    this.#current = null;
    this.#parts.onProgress();
  }

  /** Restarts both searches after cleared lines were restored. */
  restart(): void {
    if (this.#request === null) {
      this.#panes.clear();
    } else {
      this.#begin(this.#request);
    }
    this.#parts.onProgress();
  }

  #begin(request: FindRequest): void {
    const { scope, terms, matchesOnly } = request;
    const { bench } = this.#parts;
    const marked = terms.length === 0 ? null : bench.search({ ...scope, terms });
    const scoped = Object.values(scope).some((part) => part !== undefined);
    this.#shown = marked !== null && matchesOnly ? marked : scoped ? bench.search({ ...scope, terms: [] }) : null;
    this.#marked = marked;
    this.#paneQuery = { ...scope, terms: matchesOnly ? terms : [] };
    this.#panes.clear();
    this.#request = request;
    this.#requests++;
    this.#run?.abort();
    this.#run = null;
    this.advance();
  }

  /**
   * Returns the view of the rows.
   * @param pane Rows of this part only. Null: of all ports.
   */
  viewOf(pane: LogPart | null): RowView {
    const shown = pane === null ? this.#shown : this.#shownIn(pane);
    return {
      ...(shown !== null && { filter: shown }),
      ...(this.#marked !== null && { marks: this.#marked }),
    };
  }

  /** Drops the search of a pane that was closed. */
  closePane(pane: LogPart): void {
    this.#panes.delete(pane);
  }

  #shownIn(pane: LogPart): LineSearch {
    let shown = this.#panes.get(pane);
    if (shown === undefined) {
      const { ports: wanted = portNumbers } = this.#paneQuery;
      const ports = typeof pane === 'number' ? [pane] : wanted.filter((port) => pane !== `without-${port}`);
      shown = this.#parts.bench.search({ ...this.#paneQuery, ports });
      this.#panes.set(pane, shown);
      this.advance();
      this.#parts.onProgress();
    }
    return shown;
  }

  /** Searches the shown lines to the end, for callers that need all of them. Undefined if all lines are shown. */
  async wholeFilter(signal?: AbortSignal): Promise<LineSearch | undefined> {
    const shown = this.#shown;
    await shown?.run(() => this.#parts.clock.sleep(0), signal);
    return shown ?? undefined;
  }

  /** Null while no search and no filter is active. */
  get status(): FindStatus | null {
    const searches = this.#searches;
    if (this.#marked === null && this.#shown === null) {
      return null;
    }
    const index = this.#index;
    return {
      request: this.#requests,
      count: this.#marked?.count ?? null,
      shown: this.#shown?.count ?? null,
      complete: searches.every(({ complete }) => complete),
      index,
      sequence: index === null ? null : this.#current,
    };
  }

  /** Index of the current hit; null once its line has left the ring. */
  get #index(): number | null {
    const current = this.#current;
    const index = current === null ? null : (this.#marked?.rank(current) ?? null);
    return index !== null && this.#marked?.sequenceAt(index) === current ? index : null;
  }

  /**
   * Moves to another hit; null without hits.
   *
   * @param from Start line if no hit is current. The newest hit at or before it comes first.
   */
  step(direction: 'next' | 'previous', from: number): Hit | null {
    const marked = this.#marked;
    if (marked === null) {
      return null;
    }
    const current = this.#current;
    const hit =
      current === null
        ? marked.previous(from + 1)
        : direction === 'next'
          ? marked.next(current)
          : marked.previous(current);
    this.#current = hit?.sequence ?? null;
    this.#parts.onProgress();
    return hit;
  }

  /** Searches the lines that were not searched yet, unless a search is running. */
  advance(): void {
    const waiting = this.#searches.filter(({ complete }) => !complete);
    if (this.#run === null && waiting.length > 0) {
      const run = new AbortController();
      this.#run = run;
      void this.#work(waiting, run);
    }
  }

  get #searches(): LineSearch[] {
    return [...new Set([this.#marked, this.#shown, ...this.#panes.values()])].filter((search) => search !== null);
  }

  async #work(searches: readonly LineSearch[], run: AbortController): Promise<void> {
    const pause = () => {
      this.#parts.onProgress();
      return this.#parts.clock.sleep(0);
    };
    for (const search of searches) {
      await search.run(pause, run.signal).catch((error: unknown) => {
        if (!run.signal.aborted) {
          throw error;
        }
      });
    }
    if (this.#run === run) {
      this.#run = null;
      this.#parts.onProgress();
    }
  }
}
