/**
 * A net: everything that one wire connects. Sources drive it, the strongest one wins, and of equally strong ones the lowest, which is
 * what open-drain outputs on one pull-up do (wired AND). A source knows itself when it changes next; a net works out its edges from
 * that when somebody asks, so that a fast signal to which nobody listens costs nothing.
 *
 * Times are milliseconds of the board's clock, with fractions.
 */

export type Level = 0 | 1;

/** Volts of the supply, and of a high output. */
export const supply = 3.3;

/** From a pad's own pull of some 45 kΩ over a resistor on the board and an output to a wire to ground or the supply. */
export const strengths = { padPull: 1, resistor: 2, output: 3, wire: 4 } as const;

export interface Drive {
  readonly volts: number;
  readonly strength: (typeof strengths)[keyof typeof strengths];
}

/** What can be done to a net without a measure: the usual drives. */
export const drives = {
  low: { volts: 0, strength: strengths.output },
  high: { volts: supply, strength: strengths.output },
  padPullUp: { volts: supply, strength: strengths.padPull },
  padPullDown: { volts: 0, strength: strengths.padPull },
  pullUp: { volts: supply, strength: strengths.resistor },
  ground: { volts: 0, strength: strengths.wire },
  supply: { volts: supply, strength: strengths.wire },
} as const satisfies Record<string, Drive>;

export interface Source {
  /** What it does to the net at `time`; null: nothing. */
  drive(time: number): Drive | null;
  /** The first time after `time` at which `drive` gives something else, if nobody interferes; Infinity: never. */
  next(time: number): number;
  /** Milliseconds after which it does the same again, if nobody interferes; Infinity, or left out: never. */
  period?(): number;
}

/** Hears of the edges of a net in order. */
export type EdgeListener = (time: number, level: Level) => void;

/** Hears that so many rising and as many falling edges of a signal that repeats itself went by in so many milliseconds. */
export type PeriodsListener = (pairs: number, duration: number) => void;

/** Changes of the sources in a settling that are looked at one by one, before whole periods are told at once. */
const singleChanges = 256;

export class Net {
  readonly name: string;
  readonly #sources = new Set<Source>();
  readonly #listeners = new Map<EdgeListener, PeriodsListener | null>();
  /** The nets that a wire connects to this one, and itself. */
  #joined: ReadonlySet<Net> = new Set([this]);
  /** Up to when the listeners have heard of all edges. */
  #settledAt = Number.NEGATIVE_INFINITY;
  #level: Level = 0;

  constructor(name: string) {
    this.name = name;
  }

  isJoinedTo(other: Net): boolean {
    return this.#joined.has(other);
  }

  /** Volts against ground; a net that nobody drives is at 0. */
  volts(time: number): number {
    let strongest: Drive | null = null;
    for (const net of this.#joined) {
      for (const source of net.#sources) {
        const drive = source.drive(time);
        if (drive !== null && (strongest === null || isStronger(drive, strongest))) {
          strongest = drive;
        }
      }
    }
    return strongest?.volts ?? 0;
  }

  level(time: number): Level {
    return this.volts(time) >= supply / 2 ? 1 : 0;
  }

  /** The part of the time from `start` to `end` during which the net is high, 0 to 1, as its sources are now. */
  duty(start: number, end: number): number {
    let high = 0;
    for (let at = start; at < end; ) {
      const until = Math.min(end, this.#next(at));
      high += this.level(at) * (until - at);
      at = until;
    }
    return end > start ? high / (end - start) : this.level(end);
  }

  /** Adds a source for good or until the returned function is called with the time of its removal. */
  add(source: Source, time: number): (time: number) => void {
    this.change(time, () => this.#sources.add(source));
    return (removal) => this.change(removal, () => this.#sources.delete(source));
  }

  /** Changes what the sources do: edges before it are told first, and one at `time` if there is one. */
  change(time: number, apply: () => void): void {
    const nets = this.#joined;
    for (const net of nets) {
      net.settle(time);
    }
    apply();
    for (const net of new Set([...nets, ...this.#joined])) {
      net.#tell(Math.max(time, net.#settledAt));
    }
  }

  /** Tells the listeners of all edges up to `time`. */
  settle(time: number): void {
    if (time <= this.#settledAt) {
      return;
    }
    if (this.#listeners.size > 0) {
      let told = 0;
      for (let at = this.#next(this.#settledAt); at <= time; at = this.#next(at)) {
        this.#tell(at);
        if (++told === singleChanges) {
          at = this.#tellPeriods(at, time);
        }
      }
    }
    this.#settledAt = time;
  }

  /**
   * Calls `listener` at each edge from `time` on, late and in order. Returns what ends it.
   * @param passed where it does not need each edge of a fast signal
   */
  listen(time: number, listener: EdgeListener, passed: PeriodsListener | null = null): () => void {
    this.settle(time);
    if (this.#listeners.size === 0) {
      this.#level = this.level(Math.max(time, this.#settledAt));
    }
    this.#listeners.set(listener, passed);
    return () => this.#listeners.delete(listener);
  }

  /** Connects this net to `other` by a wire. */
  join(other: Net, time: number): void {
    const all = new Set([...this.#joined, ...other.#joined]);
    other.change(time, () => undefined);
    this.change(time, () => {
      for (const net of all) {
        net.settle(time);
        net.#joined = all;
      }
    });
  }

  /** Takes all wires to other nets away. */
  part(time: number): void {
    const joined = this.#joined;
    this.change(time, () => {
      for (const net of joined) {
        net.#joined = new Set([net]);
      }
    });
  }

  #tell(time: number): void {
    if (this.#listeners.size === 0) {
      return;
    }
    const level = this.level(time);
    if (level !== this.#level) {
      this.#level = level;
      for (const listener of [...this.#listeners.keys()]) {
        listener(time, level);
      }
    }
  }

  /** Tells of whole periods from the edge at `from` on, where that is possible. Gives when the last one of them ended. */
  #tellPeriods(from: number, time: number): number {
    const period = this.#period();
    const periods = Math.floor((time - from) / period) - 1;
    const listeners = [...this.#listeners.values()];
    if (!(periods > 0) || listeners.includes(null)) {
      return from;
    }
    // Between two edges, so that each edge of a period is counted once.
    const begin = (from + this.#next(from)) / 2;
    let level = this.#level;
    let edges = 0;
    for (let at = this.#next(begin); at <= begin + period; at = this.#next(at)) {
      const now = this.level(at);
      edges += now === level ? 0 : 1;
      level = now;
    }
    for (const passed of listeners) {
      passed?.((periods * edges) / 2, periods * period);
    }
    return from + periods * period;
  }

  /** Of the one source that changes by itself; Infinity when there is none, or more. */
  #period(): number {
    const changing = [...this.#joined].flatMap((net) =>
      [...net.#sources].filter((source) => Number.isFinite(source.next(this.#settledAt))),
    );
    return changing.length === 1 ? (changing[0]?.period?.() ?? Infinity) : Infinity;
  }

  #next(time: number): number {
    let next = Infinity;
    for (const net of this.#joined) {
      for (const source of net.#sources) {
        next = Math.min(next, source.next(time));
      }
    }
    return next;
  }
}

function isStronger(one: Drive, other: Drive): boolean {
  return one.strength === other.strength ? one.volts < other.volts : one.strength > other.strength;
}

/** A source that stays as it is: a resistor, a rail, a switch, a hand with a wire. */
export class SteadySource implements Source {
  #drive: Drive | null;

  constructor(drive: Drive | null = null) {
    this.#drive = drive;
  }

  /** Call within `Net.change`. */
  set(drive: Drive | null): void {
    this.#drive = drive;
  }

  drive(): Drive | null {
    return this.#drive;
  }

  next(): number {
    return Infinity;
  }
}
