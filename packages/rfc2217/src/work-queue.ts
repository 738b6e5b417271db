/** What a client wants done, in the order in which it came, and how much of it waits. Knows no port. */
import type { Clock } from '@wirebench/clock';
import type { PortSettings } from '@wirebench/serial/port';
import type { LineChange } from './line-changes.ts';

/** Bytes and pieces that wait before the client has to. */
const mostBytes = 65_536;
const mostItems = 1_024;

export type WorkItem =
  | { readonly kind: 'data'; readonly bytes: Uint8Array }
  | { readonly kind: 'settings'; readonly change: Partial<PortSettings>; readonly answer: () => void }
  | { readonly kind: 'line'; readonly change: LineChange }
  | { readonly kind: 'break'; readonly on: boolean }
  /** A break that ends by itself. */
  | { readonly kind: 'pulse' }
  /** Tell the state of the modem lines. */
  | { readonly kind: 'modem' }
  /** Something that has taken effect already, and ends a sequence of line changes all the same. */
  | { readonly kind: 'mark' };

export type WorkItemOf<Kind extends WorkItem['kind']> = Extract<WorkItem, { readonly kind: Kind }>;

export class WorkQueue {
  readonly #clock: Clock;
  readonly #ready: (isReady: boolean) => void;
  #items: WorkItem[] = [];
  #bytes = 0;
  #isReady = true;
  #wake: () => void = () => undefined;

  /** @param ready is told whether more may come. */
  constructor(clock: Clock, ready: (isReady: boolean) => void) {
    this.#clock = clock;
    this.#ready = ready;
  }

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  add(item: WorkItem): void {
    this.#bytes += item.kind === 'data' ? item.bytes.length : 0;
    this.#items.push(item);
    this.#balance();
    this.#wake();
  }

  take(): WorkItem | null {
    const item = this.#items.shift() ?? null;
    this.#bytes -= item?.kind === 'data' ? item.bytes.length : 0;
    this.#balance();
    return item;
  }

  /** The next one if it is of this kind. */
  takeIf<Kind extends WorkItem['kind']>(kind: Kind): WorkItemOf<Kind> | null {
    return this.#items[0]?.kind === kind ? (this.take() as WorkItemOf<Kind>) : null;
  }

  dropData(): void {
    this.#items = this.#items.filter(({ kind }) => kind !== 'data');
    this.#bytes = 0;
    this.#balance();
  }

  clear(): void {
    this.#items = [];
    this.#bytes = 0;
    this.wake();
  }

  wake(): void {
    this.#wake();
  }

  /** Resolves when something has come, somebody has called `wake`, or `limit` milliseconds are over. One may wait at a time. */
  more(limit?: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = limit === undefined ? () => undefined : this.#clock.schedule(limit, () => this.#wake());
      this.#wake = () => {
        this.#wake = () => undefined;
        cancel();
        resolve();
      };
    });
  }

  #balance(): void {
    const share = this.#isReady ? 1 : 0.5;
    const isReady = this.#bytes < mostBytes * share && this.#items.length < mostItems * share;
    if (isReady !== this.#isReady) {
      this.#isReady = isReady;
      this.#ready(isReady);
    }
  }
}
