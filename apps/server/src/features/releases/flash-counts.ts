/** Counts reported flashes in memory and writes them a moment later, so that a report needs no write of its own. */
import type { Clock } from '@wirebench/clock';
import { BoundedMap } from '../../bounded-map.ts';
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
  /** Called with the reason when counts could not be written. They are kept and retried. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Milliseconds for which a count read from the database is valid. Together with the delay of the write, other
 * processes see a report within a second.
 */
const GOOD_FOR = 250;

/** Counts per statement. Other writers get their turn between two statements. */
const SLICE = 500;

/** Distinct unwritten counts of all versions. Beyond that, reports wait for the write. */
const MAX_UNWRITTEN = 10_000;

/** Maximum number of versions with cached counts. */
const MAX_READ = 10_000;

/** Versions per query. */
const AT_ONCE = 256;

interface Unwritten {
  /** Counts by kind and build. */
  readonly counts: Map<string, FlashCount>;
  readonly kinds: Set<string>;
  successes: number;
}

interface StoredCount {
  successes: number;
}

export class FlashCounts implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #writes: DelayedWrites<FlashCount>;
  readonly #read: (versionId: string) => Promise<number | undefined>;
  /** Unwritten counts by version. */
  #unwritten = new Map<string, Unwritten>();
  /** Unwritten successes by build. */
  #unwrittenOfBuilds = new Map<string, number>();
  #size = 0;
  /** Counts last read from the database, plus those written by this process since. */
  readonly #stored: BoundedMap<string, StoredCount>;

  constructor({ repository, clock, onFailure }: FlashCountOptions) {
    this.#clock = clock;
    this.#stored = new BoundedMap({ capacity: MAX_READ, clock });
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
   * Counts one flash of a version.
   *
   * @param buildId One of the version's builds; null if none was reported.
   *
   * @throws DatabaseUnavailableError while earlier counts cannot be written, so that a crash never loses more than a
   *   second of them.
   */
  async add(versionId: string, kind: FlashKind, buildId: string | null = null): Promise<void> {
    if (this.#size >= MAX_UNWRITTEN) {
      await this.#writes.write();
    }
    this.#writes.check();
    this.#keep({ versionId, buildId, ...kind, count: 1 });
    this.#writes.schedule();
  }

  /**
   * Returns the numbers of successful flashes of these versions and builds. Those reported to other processes may be
   * missing for a second.
   */
  successes(ids: readonly string[]): Promise<readonly number[]> {
    return Promise.all(ids.map((id) => this.#successesOf(id)));
  }

  /**
   * Writes all counts reported so far, so that their reader sees all of them. Resolves even if the write fails; the
   * reader then sees the database's counts.
   */
  settle(): Promise<void> {
    return this.#writes.settle();
  }

  /** Writes the remaining counts. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#writes[Symbol.asyncDispose]();
  }

  async #successesOf(id: string): Promise<number> {
    const stored = this.#stored.get(id) ?? (await this.#readStored(id));
    return stored.successes + (this.#unwritten.get(id)?.successes ?? this.#unwrittenOfBuilds.get(id) ?? 0);
  }

  async #readStored(id: string): Promise<StoredCount> {
    const readAt = this.#clock.now();
    const stored = { successes: (await this.#read(id)) ?? 0 };
    this.#stored.set(id, stored, readAt + GOOD_FOR);
    return stored;
  }

  #keep(flashes: FlashCount): void {
    const { versionId, buildId } = flashes;
    const ofVersion: Unwritten = this.#unwritten.get(versionId) ?? {
      counts: new Map(),
      kinds: new Set(),
      successes: 0,
    };
    this.#unwritten.set(versionId, ofVersion);
    const counted = countedAs(flashes, ofVersion.kinds);
    const key = `${kindKey(counted)}\n${buildId ?? ''}`;
    const before = ofVersion.counts.get(key);
    ofVersion.counts.set(key, { ...counted, count: counted.count + (before?.count ?? 0) });
    this.#size += before === undefined ? 1 : 0;
    const successes = flashes.result === 'success' ? flashes.count : 0;
    ofVersion.successes += successes;
    if (buildId !== null) {
      this.#unwrittenOfBuilds.set(buildId, successes + (this.#unwrittenOfBuilds.get(buildId) ?? 0));
    }
  }

  #take(): readonly FlashCount[] {
    const counts = [...this.#unwritten.values()].flatMap(({ counts: ofVersion }) => [...ofVersion.values()]);
    this.#unwritten = new Map();
    this.#unwrittenOfBuilds = new Map();
    this.#size = 0;
    // Readers see these counts as written while the write runs.
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
    for (const { versionId, buildId, result, count } of counts) {
      for (const id of buildId === null ? [versionId] : [versionId, buildId]) {
        const stored = this.#stored.peek(id);
        if (stored !== undefined && result === 'success') {
          stored.successes += sign * count;
        }
      }
    }
  }
}
