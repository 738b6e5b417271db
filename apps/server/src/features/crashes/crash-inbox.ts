/**
 * Collects crashes in memory and writes them a moment later, in the same way as flash counts (decision 33). A flood
 * costs one write per second and does not clear cached answers.
 */
import type { Clock } from '@wirebench/clock';
import { crashLimits, type NewCrashReport } from '@wirebench/contract';
import { BoundedMap } from '../../bounded-map.ts';
import { DelayedWrites } from '../../delayed-writes.ts';
import type { CrashRepository, NewCrash, NewExample } from './crashes.repository.ts';

export interface CrashInboxOptions {
  readonly repository: Pick<CrashRepository, 'add'>;
  readonly clock: Clock;
  /** Called with the reason when crashes could not be written. They are kept and retried. */
  readonly onFailure: (error: unknown) => void;
}

/** Crashes per statement. Other writers get their turn between two statements. */
const SLICE = 20;

/** UTF-16 code units of all waiting examples. Beyond that, a sender waits for the write. */
const MAX_WAITING = 8 * 1_024 * 1_024;

/** Ids of recently received crashes. A crash that is sent again after a lost answer does not count twice. */
const MAX_KNOWN = 10_000;

interface Waiting extends Omit<NewCrash, 'examples' | 'chips' | 'builds' | 'count' | 'lastSeenAt'> {
  count: number;
  lastSeenAt: string;
  readonly chips: Map<string, number>;
  readonly builds: Map<string, number>;
  examples: NewExample[];
}

export class CrashInbox implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #writes: DelayedWrites<NewCrash>;
  #waiting = new Map<string, Waiting>();
  #length = 0;
  readonly #known = new BoundedMap<string, true>({ capacity: MAX_KNOWN });

  constructor({ repository, clock, onFailure }: CrashInboxOptions) {
    this.#clock = clock;
    this.#writes = new DelayedWrites({
      clock,
      isEmpty: () => this.#waiting.size === 0,
      take: () => this.#take(),
      putBack: (crashes) => this.#putBack(crashes),
      write: (crashes) => repository.add(crashes),
      slice: SLICE,
      onFailure,
    });
  }

  /**
   * Adds a crash.
   *
   * @throws DatabaseUnavailableError while earlier crashes cannot be written.
   */
  async add(versionId: string, report: NewCrashReport): Promise<void> {
    if (this.#length >= MAX_WAITING) {
      await this.#writes.write();
    }
    this.#writes.check();
    const key = `${versionId} ${report.id}`;
    if (this.#known.get(key)) {
      return;
    }
    this.#known.set(key, true);
    this.#keep(crashOf(versionId, report, new Date(this.#clock.wallTime()).toISOString()));
    this.#writes.schedule();
  }

  /** Writes all crashes received so far, so that the owner sees all of them. Resolves even if the write fails. */
  settle(): Promise<void> {
    return this.#writes.settle();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#writes[Symbol.asyncDispose]();
  }

  #keep(crash: NewCrash): void {
    const { versionId, fingerprint, cause, count, firstSeenAt, lastSeenAt, chips, builds, examples } = crash;
    const key = `${versionId} ${fingerprint}`;
    const waiting: Waiting = this.#waiting.get(key) ?? {
      versionId,
      fingerprint,
      cause,
      count: 0,
      firstSeenAt,
      lastSeenAt,
      chips: new Map(),
      builds: new Map(),
      examples: [],
    };
    this.#waiting.set(key, waiting);
    waiting.count += count;
    waiting.lastSeenAt = lastSeenAt;
    for (const [chip, more] of chips) {
      waiting.chips.set(chip, (waiting.chips.get(chip) ?? 0) + more);
    }
    for (const [build, more] of builds) {
      waiting.builds.set(build, (waiting.builds.get(build) ?? 0) + more);
    }
    const before = lengthOf(waiting.examples);
    waiting.examples = [...waiting.examples, ...examples].slice(-crashLimits.examples);
    this.#length += lengthOf(waiting.examples) - before;
  }

  /** Removes and returns all waiting crashes. */
  #take(): NewCrash[] {
    const crashes = [...this.#waiting.values()].map((one) => ({
      ...one,
      chips: [...one.chips],
      builds: [...one.builds],
    }));
    this.#waiting = new Map();
    this.#length = 0;
    return crashes;
  }

  /** Puts crashes back before the later ones, so that the newest examples stay the newest. */
  #putBack(crashes: readonly NewCrash[]): void {
    for (const crash of [...crashes, ...this.#take()]) {
      this.#keep(crash);
    }
  }
}

function crashOf(versionId: string, report: NewCrashReport, at: string): NewCrash {
  const { id, fingerprint, chip, chipRevision, build, buildId, cause, details, tasks, memory } = report;
  return {
    versionId,
    fingerprint,
    cause,
    count: 1,
    firstSeenAt: at,
    lastSeenAt: at,
    chips: [[chip, 1]],
    builds: buildId === undefined ? [] : [[buildId, 1]],
    examples: [
      {
        id,
        receivedAt: at,
        chip,
        chipRevision,
        build,
        buildId: buildId ?? null,
        details,
        tasks: JSON.stringify(tasks),
        memory,
        memorySize: memory === null ? 0 : Buffer.byteLength(memory, 'base64'),
      },
    ],
  };
}

function lengthOf(examples: readonly NewExample[]): number {
  return examples.reduce((sum, { tasks, memory }) => sum + tasks.length + (memory?.length ?? 0) + 1_024, 0);
}
