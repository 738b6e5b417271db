/** Everything that passed in a conversation, in order: the source of a transcript. */

export type LogEntry =
  /**
   * @property bytes Null: they were hidden.
   * @property name Name of hidden bytes; missing for shown bytes, and for hidden bytes without a name.
   */
  | {
      readonly kind: 'sent';
      readonly at: number;
      readonly bytes: Uint8Array | null;
      readonly length: number;
      readonly name?: string;
    }
  | { readonly kind: 'received'; readonly at: number; readonly bytes: Uint8Array }
  /** An exchange has ended. Their order is that of the exchanges. */
  | { readonly kind: 'ended'; readonly at: number };

export interface ConversationLog {
  /** Time of the beginning, in milliseconds since the Unix epoch. */
  readonly startedAt: number;
  readonly entries: readonly LogEntry[];
  /** Oldest received bytes that were left out because the log was full. */
  readonly leftOut: number;
}

/** Most received bytes, and most entries, that a log keeps. */
const MAX_BYTES = 1 << 20;
const MAX_ENTRIES = 50_000;

export class ConversationLogger {
  readonly #startedAt: number;
  readonly #entries: LogEntry[] = [];
  /** Index of the oldest received entry that still has its bytes. */
  #oldest = 0;
  #bytes = 0;
  #leftOut = 0;

  constructor(startedAt: number) {
    this.#startedAt = startedAt;
  }

  add(entry: LogEntry): void {
    if (entry.kind !== 'received') {
      if (this.#entries.length < 2 * MAX_ENTRIES) {
        this.#entries.push(entry);
      }
      return;
    }
    const last = this.#entries.at(-1);
    if (last?.kind === 'received' && (last.at === entry.at || this.#entries.length >= MAX_ENTRIES)) {
      const bytes = new Uint8Array(last.bytes.length + entry.bytes.length);
      bytes.set(last.bytes);
      bytes.set(entry.bytes, last.bytes.length);
      this.#entries[this.#entries.length - 1] = { ...last, bytes };
    } else {
      this.#entries.push(entry);
    }
    this.#bytes += entry.bytes.length;
    this.#shorten();
  }

  close(): ConversationLog {
    return { startedAt: this.#startedAt, entries: this.#entries, leftOut: this.#leftOut };
  }

  /** Empties the oldest received entries until the rest fits. */
  #shorten(): void {
    for (; this.#bytes > MAX_BYTES && this.#oldest < this.#entries.length; this.#oldest++) {
      const entry = this.#entries[this.#oldest];
      if (entry?.kind === 'received') {
        this.#entries[this.#oldest] = { ...entry, bytes: new Uint8Array() };
        this.#bytes -= entry.bytes.length;
        this.#leftOut += entry.bytes.length;
      }
    }
  }
}
