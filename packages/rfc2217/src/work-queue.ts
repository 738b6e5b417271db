/** Queues a client's work in the order of arrival and stops the client when too much waits. */
import type { Clock } from '@wirebench/clock';
import type { PortSettings } from '@wirebench/port';
import type { LineChange } from './line-changes.ts';

/** Bytes and items that may wait before the client must stop sending. */
const maxBytes = 65_536;
const maxItems = 1_024;

export type WorkItem =
  | { readonly kind: 'data'; readonly bytes: Uint8Array }
  | { readonly kind: 'settings'; readonly change: Partial<PortSettings>; readonly answer: () => void }
  | { readonly kind: 'line'; readonly change: LineChange }
  | { readonly kind: 'break'; readonly on: boolean }
  /** A break that ends by itself. */
  | { readonly kind: 'pulse' }
  /** Report the state of the modem lines. */
  | { readonly kind: 'modem' }
  /** A command that has already taken effect. It only ends a sequence of line changes. */
  | { readonly kind: 'mark' };

export type WorkItemOf<Kind extends WorkItem['kind']> = Extract<WorkItem, { readonly kind: Kind }>;

export class WorkQueue {
  readonly #clock: Clock;
  readonly #ready: (isReady: boolean) => void;
  #items: WorkItem[] = [];
  #bytes = 0;
  #isReady = true;
  #wake: () => void = () => undefined;

  /** @param ready Called when the client must stop (false) or may continue (true). */
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

  /** Takes the next item if it is of this kind. */
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

  /**
   * Resolves when an item arrives, when `wake` is called, or after `limit` milliseconds. Only one caller may wait at
   * a time.
   */
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
    const isReady = this.#bytes < maxBytes * share && this.#items.length < maxItems * share;
    if (isReady !== this.#isReady) {
      this.#isReady = isReady;
      this.#ready(isReady);
    }
  }
}
