/** Counts reported flashes in memory, and writes them a moment later: a report costs no write of its own. */
import type { Clock } from '@wirebench/clock';
import { DelayedWrites } from '../../delayed-writes.ts';
import { batched } from './batched.ts';
import {
  countedAs,
  type FlashCount,
  type FlashCountRepository,
  type FlashKind,
  kindKey,
} from './flash-counts.repository.ts';

export interface FlashCountOptions {
  readonly repository: FlashCountRepository;
  readonly clock: Clock;
  /** Called with the reason when counts could not be written. They are kept and tried again. */
  readonly onFailure: (error: unknown) => void;
}

/** Milliseconds for which a count that was read is good. With the time until it is written, others see a report within a second. */
const GOOD_FOR = 250;

/** Counts of one statement: the writer is free again in between. */
const SLICE = 500;

/** Different counts that wait to be written, of all versions; with more, reports wait for the write. */
const MOST_UNWRITTEN = 10_000;

/** Versions whose counts are remembered after they were read. */
const MOST_READ = 10_000;

/** Versions that are asked for at once. */
const AT_ONCE = 256;

interface Unwritten {
  /** By `kindKey`. */
  readonly counts: Map<string, FlashCount>;
  readonly kinds: Set<string>;
  successes: number;
}

interface StoredCount {
  successes: number;
  readonly readAt: number;
}

export class FlashCounts implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #writes: DelayedWrites<FlashCount>;
  readonly #read: (versionId: string) => Promise<number | undefined>;
  /** By version. */
  #unwritten = new Map<string, Unwritten>();
  #size = 0;
  /** What the database held when it was asked last, and what this process has written since. */
  readonly #stored = new Map<string, StoredCount>();

  constructor({ repository, clock, onFailure }: FlashCountOptions) {
    this.#clock = clock;
    this.#writes = new DelayedWrites({
      clock,
      isEmpty: () => this.#size === 0,
      take: () => this.#take(),
      putBack: (counts) => this.#putBack(counts),
      write: (counts) => repository.add(counts),
      slice: SLICE,
      onFailure,
    });
    this.#read = batched((ids) => repository.successes(ids), AT_ONCE);
  }

  /**
   * Counts one flash of a version. Throws `DatabaseUnavailableError` while what was counted before cannot be written: there is
   * never more than a second of it that a crash would lose.
   */
  async add(versionId: string, kind: FlashKind): Promise<void> {
    if (this.#size >= MOST_UNWRITTEN) {
      await this.#writes.write();
    }
    this.#writes.check();
    this.#keep({ versionId, ...kind, count: 1 });
    this.#writes.schedule();
  }

  /** Flashes of these versions that were reported as successful: to this process until now, to others until a second ago. */
  successes(versionIds: readonly string[]): Promise<readonly number[]> {
    return Promise.all(versionIds.map((id) => this.#successesOf(id)));
  }

  /**
   * Writes what was reported until now, for those who are to see all of it. Resolves also when it could not be written: then they
   * see what the database has.
   */
  settle(): Promise<void> {
    return this.#writes.settle();
  }

  /** Writes what is left. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#writes[Symbol.asyncDispose]();
  }

  async #successesOf(versionId: string): Promise<number> {
    const known = this.#stored.get(versionId);
    const stored =
      known !== undefined && this.#clock.now() - known.readAt < GOOD_FOR ? known : await this.#readStored(versionId);
    return stored.successes + (this.#unwritten.get(versionId)?.successes ?? 0);
  }

  async #readStored(versionId: string): Promise<StoredCount> {
    const readAt = this.#clock.now();
    const stored = { successes: (await this.#read(versionId)) ?? 0, readAt };
    if (this.#stored.size >= MOST_READ) {
      this.#stored.clear();
    }
    this.#stored.set(versionId, stored);
    return stored;
  }

  #keep(flashes: FlashCount): void {
    const { versionId } = flashes;
    const ofVersion: Unwritten = this.#unwritten.get(versionId) ?? {
      counts: new Map(),
      kinds: new Set(),
      successes: 0,
    };
    this.#unwritten.set(versionId, ofVersion);
    const counted = countedAs(flashes, ofVersion.kinds);
    const key = kindKey(counted);
    const before = ofVersion.counts.get(key);
    ofVersion.counts.set(key, { ...counted, count: counted.count + (before?.count ?? 0) });
    this.#size += before === undefined ? 1 : 0;
    ofVersion.successes += flashes.result === 'success' ? flashes.count : 0;
  }

  #take(): readonly FlashCount[] {
    const counts = [...this.#unwritten.values()].flatMap(({ counts: ofVersion }) => [...ofVersion.values()]);
    this.#unwritten = new Map();
    this.#size = 0;
    // Whoever reads meanwhile sees them as if they were written.
    this.#addToStored(counts, 1);
    return counts;
  }

  #putBack(counts: readonly FlashCount[]): void {
    this.#addToStored(counts, -1);
    for (const flashes of counts) {
      this.#keep(flashes);
    }
  }

  #addToStored(counts: readonly FlashCount[], sign: 1 | -1): void {
    for (const { versionId, result, count } of counts) {
      const stored = this.#stored.get(versionId);
      if (stored !== undefined && result === 'success') {
        stored.successes += sign * count;
      }
    }
  }
}
