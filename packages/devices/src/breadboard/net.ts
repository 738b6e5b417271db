/**
 * A net: everything that one wire connects. Sources drive it and the strongest wins. Among equally strong sources the
 * lowest wins, as for open-drain outputs on one pull-up (wired AND).
 *
 * A source knows the time of its next change. A net computes its edges from these times only on request, so a fast
 * signal without listeners costs nothing. Times are milliseconds of the breadboard's clock, with fractions.
 */

export type Level = 0 | 1;

/** Voltage of the supply and of a high output, in volts. */
export const supply = 3.3;

/**
 * Strengths of drives: a pad's own pull of some 45 kΩ, a resistor on the board, an output, a wire to ground or the
 * supply.
 */
export const strengths = { padPull: 1, resistor: 2, output: 3, wire: 4 } as const;

export interface Drive {
  readonly volts: number;
  readonly strength: (typeof strengths)[keyof typeof strengths];
}

/** The usual drives. */
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
  /** Returns the drive at `time`; null: high impedance. */
  drive(time: number): Drive | null;
  /** Returns the first time after `time` at which the source changes its drive by itself; Infinity: never. */
  next(time: number): number;
  /** Returns the milliseconds after which the drive repeats. Infinity, or no such method: it does not repeat. */
  period?(): number;
  /**
   * Returns true if the drive changes only within `Net.change`, so that the net may keep its voltage until then. No
   * such method: false.
   */
  isSteady?(): boolean;
}

/** Receives the edges of a net in order. */
export type EdgeListener = (time: number, level: Level) => void;

/**
 * Receives whole periods of a repeating signal at once.
 * @param pairs Number of pairs of one rising and one falling edge.
 * @param duration Length of these periods in milliseconds.
 */
export type PeriodsListener = (pairs: number, duration: number) => void;

/** Changes that one `settle` examines one by one, before it reports whole periods at once. */
const singleChanges = 256;

export class Net {
  readonly name: string;
  readonly #sources = new Set<Source>();
  readonly #listeners = new Map<EdgeListener, PeriodsListener | null>();
  /** This net and all nets that a wire connects to it. */
  #joined: ReadonlySet<Net> = new Set([this]);
  /** Time up to which the listeners have received all edges. */
  #settledAt = Number.NEGATIVE_INFINITY;
  #level: Level = 0;
  /** The voltage until the next change; null while it is unknown, or a source changes by itself. */
  #steadyVolts: number | null = null;

  constructor(name: string) {
    this.name = name;
  }

  isJoinedTo(other: Net): boolean {
    return this.#joined.has(other);
  }

  /** Returns the volts against ground; 0 for a net without a drive. */
  volts(time: number): number {
    if (this.#steadyVolts !== null) {
      return this.#steadyVolts;
    }
    let strongest: Drive | null = null;
    let steady = true;
    for (const net of this.#joined) {
      for (const source of net.#sources) {
        const drive = source.drive(time);
        if (drive !== null && (strongest === null || isStronger(drive, strongest))) {
          strongest = drive;
        }
        steady &&= source.isSteady?.() === true;
      }
    }
    const volts = strongest?.volts ?? 0;
    this.#steadyVolts = steady ? volts : null;
    return volts;
  }

  level(time: number): Level {
    return this.volts(time) >= supply / 2 ? 1 : 0;
  }

  /**
   * Returns the fraction of the time from `start` to `end` during which the net is high, 0 to 1, for the present
   * sources.
   */
  duty(start: number, end: number): number {
    let high = 0;
    for (let at = start; at < end; ) {
      const until = Math.min(end, this.#next(at));
      high += this.level(at) * (until - at);
      at = until;
    }
    return end > start ? high / (end - start) : this.level(end);
  }

  /** Adds a source. The returned function removes it; its argument is the time of the removal. */
  add(source: Source, time: number): (time: number) => void {
    this.change(time, () => this.#sources.add(source));
    return (removal) => this.change(removal, () => this.#sources.delete(source));
  }

  /**
   * Changes the sources by `apply`. Listeners first receive all edges before the change, then the edge at `time` if
   * it causes one.
   */
  change(time: number, apply: () => void): void {
    const nets = this.#joined;
    for (const net of nets) {
      net.settle(time);
    }
    apply();
    const changed = new Set([...nets, ...this.#joined]);
    for (const net of changed) {
      net.#steadyVolts = null;
    }
    for (const net of changed) {
      net.#tell(Math.max(time, net.#settledAt));
    }
  }

  /** Reports all edges up to `time` to the listeners. */
  settle(time: number): void {
    if (time <= this.#settledAt) {
      return;
    }
    if (this.#listeners.size > 0) {
      let reported = 0;
      for (let at = this.#next(this.#settledAt); at <= time; at = this.#next(at)) {
        this.#tell(at);
        if (++reported === singleChanges) {
          at = this.#tellPeriods(at, time);
        }
      }
    }
    this.#settledAt = time;
  }

  /**
   * Calls `listener` at each edge from `time` on, in order. The calls come when the net is settled, thus later than
   * the edges.
   * @param passed Receives whole periods of a fast signal instead of each edge. Null: the listener needs each edge.
   * @returns A function that removes the listener.
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

  /** Removes all wires to other nets. */
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

  /**
   * Reports whole periods from the edge at `from` on, if all listeners accept them. Returns the end of the last one,
   * or `from`.
   */
  #tellPeriods(from: number, time: number): number {
    const period = this.#period();
    const periods = Math.floor((time - from) / period) - 1;
    const listeners = [...this.#listeners.values()];
    if (!(periods > 0) || listeners.includes(null)) {
      return from;
    }
    // Starts between two edges, so that each edge of a period is counted once.
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

  /** Returns the period of the source that changes by itself. Infinity unless exactly one source does. */
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

/** A source that changes only by `set`: a resistor, a rail, a switch, a wire. */
export class SteadySource implements Source {
  #drive: Drive | null;

  constructor(drive: Drive | null = null) {
    this.#drive = drive;
  }

  /** Call only within `Net.change`. */
  set(drive: Drive | null): void {
    this.#drive = drive;
  }

  drive(): Drive | null {
    return this.#drive;
  }

  next(): number {
    return Infinity;
  }

  isSteady(): boolean {
    return true;
  }
}
