/**
 * Evaluates the rules of a bench. Each line that arrives is looked at once, soon after it has an end. A line without an
 * end, such as a prompt, is looked at when nothing has come for a moment. Lines from before a rule are counted in
 * slices, without any other effect. Nothing here runs while bytes are stored.
 */
import type { Clock } from '@wirebench/clock';
import { blockOf } from '../line-bytes.ts';
import type { LineChannel } from '../line-channel.ts';
import { lineText, withoutColours } from '../line-text.ts';
import type { PortNumber } from '../port-number.ts';
import { linePort } from '../row-page.ts';
import type { LineSearch } from '../search.ts';
import { keyOf, LineRules, type WatchedRule } from './line-rules.ts';
import { endOf, sliceEnd } from './line-slices.ts';
import { OlderLines } from './older-lines.ts';
import { type RowName, type RuleLook, RuleLooks } from './rule-looks.ts';
import { Silences } from './silences.ts';

export type { RuleLook, WatchedRule };

/** A rule's condition is met now. */
export interface RuleHit {
  readonly id: string;
  /** Port of the line, or the silent port. Null for a notice of no port. */
  readonly port: PortNumber | null;
  /** Null for a silence. */
  readonly line: {
    readonly sequence: number;
    /** Arrival of the first byte, in milliseconds since the Unix epoch. */
    readonly at: number;
    readonly text: () => string;
  } | null;
  /** The value that crossed the limit; null for other conditions. */
  readonly value: number | null;
}

export interface RuleWatchParts {
  readonly clock: Clock;
  readonly channels: readonly LineChannel[];
  /** Returns true if the port is open, so that its silence counts. */
  readonly isOpen: (port: PortNumber) => boolean;
  /** Called for each line, silence and crossing, in order. */
  readonly onHit: (hit: RuleHit) => void;
  /** Called after counts or the look of lines have changed. */
  readonly onChange: () => void;
}

/** Shortest time between two looks at new lines, in milliseconds. */
const PACE = 10;
/** Silence after which a line without an end is looked at, in milliseconds. */
const OPEN_WAIT = 100;
/** Longest work before other work gets the thread, in milliseconds. */
const TURN = 8;

interface Reading {
  readonly channel: LineChannel;
  /** Line to look at next. */
  next: number;
  /** First line whose match may still depend on bytes to come. At most `next`. */
  undecided: number;
  /** Ids of the rules that were reported for lines from `undecided` on. */
  readonly reported: Map<number, Set<string>>;
  /** Bytes of the channel at the last look, and when they had changed. */
  seenEnd: number;
  seenAt: number;
  /** Bytes of the channel when its open line was looked at. */
  openSeen: number;
}

export class RuleWatch {
  readonly #parts: RuleWatchParts;
  readonly #readings: readonly Reading[];
  #rules: readonly WatchedRule[] = [];
  #lines = new LineRules([]);
  readonly #looks: RuleLooks;
  readonly #silences: Silences;
  #older: OlderLines | null = null;
  #counts = new Map<string, number>();
  /** By rule, the ports whose last value was beyond the limit. */
  readonly #beyond = new Map<string, Set<PortNumber | null>>();
  #isWorking = false;
  #lastLook = Number.NEGATIVE_INFINITY;
  #cancelLook: (() => void) | null = null;
  #cancelWait: (() => void) | null = null;
  #revision = 0;
  #lookRevision = 0;

  constructor(parts: RuleWatchParts) {
    this.#parts = parts;
    const { clock, channels, isOpen } = parts;
    this.#looks = new RuleLooks(clock, channels);
    this.#silences = new Silences({
      clock,
      isOpen,
      onSilence: (rule, port) => {
        this.#countOne(rule);
        parts.onHit({ id: rule.id, port, line: null, value: null });
      },
    });
    this.#readings = channels.map((channel) => ({
      channel,
      next: channel.endLine,
      undecided: channel.endLine,
      reported: new Map(),
      seenEnd: channel.ring.end,
      seenAt: 0,
      openSeen: channel.ring.end,
    }));
  }

  /** Increases with each change of a count. */
  get revision(): number {
    return this.#revision;
  }

  /** Increases when lines may look different by other rules. */
  get lookRevision(): number {
    return this.#lookRevision;
  }

  /** Number of lines, silences included, that each rule has matched: those held when it began, and all since. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** True while older lines are still to be counted or marked. */
  get isCatchingUp(): boolean {
    return this.#older !== null || this.marks?.complete === false;
  }

  /** The marked lines; null without a rule that marks. */
  get marks(): LineSearch | null {
    return this.#looks.marks;
  }

  /**
   * Replaces the rules. A rule with the same id, condition and ports keeps its count.
   *
   * @param rules With valid conditions. Those that are off are left out.
   */
  set(rules: readonly WatchedRule[]): void {
    const before = new Map(this.#rules.map((rule) => [rule.id, keyOf(rule)]));
    const unfinished = new Set(this.#older?.ids);
    const wasIdle = this.#rules.length === 0;
    const fresh = rules.filter((rule) => before.get(rule.id) !== keyOf(rule) || unfinished.has(rule.id));
    const counts = new Map(rules.map(({ id }) => [id, this.#counts.get(id) ?? 0]));
    for (const { id } of fresh) {
      counts.set(id, 0);
      this.#beyond.delete(id);
    }
    this.#counts = counts;
    this.#rules = rules;
    this.#lines = new LineRules(rules);
    for (const reading of this.#readings) {
      reading.undecided = reading.next;
      if (wasIdle) {
        this.#skipToEnd(reading);
      }
    }
    if (this.#looks.set(rules)) {
      this.#lookRevision++;
    }
    const older = new OlderLines(fresh, this.#readings);
    this.#older = older.isDone ? null : older;
    this.#silences.set(rules, this.#lines);
    this.#revision++;
    this.#parts.onChange();
    this.changed();
  }

  /** Restarts every count at 0. */
  resetCounts(): void {
    this.#older = null;
    this.#counts = new Map([...this.#counts.keys()].map((id) => [id, 0]));
    this.#revision++;
    this.#parts.onChange();
  }

  /** Restarts counts and values: all lines were deleted, and are read again. */
  startOver(): void {
    this.#beyond.clear();
    this.resetCounts();
  }

  /** Searches marks again after cleared lines were restored. */
  restoreCleared(): void {
    this.#looks.searchMarks();
    this.changed();
  }

  /** Call this after each change of the channels or of a port's state. It only schedules the work. */
  changed(): void {
    if (this.#rules.length === 0 || this.#isWorking || this.#cancelLook !== null) {
      return;
    }
    const { clock } = this.#parts;
    this.#cancelLook = clock.schedule(Math.max(0, this.#lastLook + PACE - clock.now()), () => {
      this.#cancelLook = null;
      void this.#work();
    });
  }

  /** Returns the look of rows, null for those that no rule matches. */
  looks(rows: readonly RowName[]): readonly (RuleLook | null)[] {
    return this.#looks.of(rows);
  }

  /** Stops all timers. */
  dispose(): void {
    this.#rules = [];
    this.#lines = new LineRules([]);
    this.#silences.set([], this.#lines);
    this.#older = null;
    this.#looks.dispose();
    this.#cancelLook?.();
    this.#cancelLook = null;
    this.#cancelWait?.();
  }

  #skipToEnd(reading: Reading): void {
    const { channel } = reading;
    reading.next = endOf(channel);
    reading.undecided = reading.next;
    reading.seenEnd = channel.ring.end;
    reading.openSeen = channel.ring.end;
  }

  async #work(): Promise<void> {
    const { clock, onChange } = this.#parts;
    this.#isWorking = true;
    const before = this.#revision;
    try {
      let turnEnds = clock.now() + TURN;
      while (this.#step()) {
        if (clock.now() >= turnEnds) {
          onChange();
          await clock.sleep(0);
          turnEnds = clock.now() + TURN;
        }
      }
    } finally {
      this.#isWorking = false;
      this.#lastLook = clock.now();
    }
    this.#waitOn();
    if (this.#revision !== before) {
      onChange();
    }
  }

  /** Does one piece of work, the newest lines first. Returns false if nothing is left. */
  #step(): boolean {
    for (const reading of this.#readings) {
      if (this.#readOn(reading)) {
        return true;
      }
    }
    if (this.#older !== null) {
      this.#countOlder(this.#older);
      return true;
    }
    const { marks } = this;
    if (marks === null || marks.complete) {
      return false;
    }
    marks.step();
    this.#revision++;
    return true;
  }

  #hasNew({ channel, next }: Reading): boolean {
    return next < endOf(channel) && this.#lines.concerns(channel);
  }

  /** Looks at the next lines of a channel. Returns false if there are none. */
  #readOn(reading: Reading): boolean {
    const { channel } = reading;
    if (channel.isOfOlderCut(reading.next)) {
      this.#recount();
      return true;
    }
    if (channel.ring.end !== reading.seenEnd) {
      reading.seenEnd = channel.ring.end;
      reading.seenAt = this.#parts.clock.now();
      this.#silences.heardBytes(channel);
    }
    if (!this.#hasNew(reading)) {
      reading.next = Math.max(reading.next, endOf(channel));
      return false;
    }
    const from = Math.max(reading.next, channel.firstLine);
    this.#lookAtNew(reading, sliceEnd(channel, from, endOf(channel)));
    return true;
  }

  /**
   * Counts the held lines again, because those of a port were cut again. It has no other effect: lines that were looked at
   * before are not reported again.
   */
  #recount(): void {
    for (const reading of this.#readings) {
      if (reading.channel.isOfOlderCut(reading.next)) {
        reading.reported.clear();
        this.#skipToEnd(reading);
      }
    }
    this.#counts = new Map(this.#rules.map(({ id }) => [id, 0]));
    const older = new OlderLines(this.#rules, this.#readings);
    this.#older = older.isDone ? null : older;
    this.#looks.searchMarks();
    this.#lookRevision++;
    this.#revision++;
  }

  /**
   * Looks at the lines from the first undecided one up to `to`, and reports what was not reported yet.
   *
   * @param isOpen True: the last of them has no end yet, and is looked at again when it has.
   */
  #lookAtNew(reading: Reading, to: number, isOpen = false): void {
    const { channel, reported } = reading;
    const rules = this.#rules;
    const lines = this.#lines;
    const first = reading.next;
    const from = Math.max(Math.min(reading.undecided, first), channel.firstLine);
    const hits: { rule: WatchedRule; line: number; value: number | null }[] = [];
    const crossings = new Map<string, number>();
    const found = isOpen
      ? lines.findText(channel, from, to)
      : lines.findEach(channel, from, to, (rule, line, value, isBeyond) => {
          if (line >= first && this.#crosses(rules[rule] as WatchedRule, channel, isBeyond)) {
            crossings.set(`${rule} ${line}`, value);
          }
        });
    for (const [index, matching] of found.entries()) {
      const rule = rules[index] as WatchedRule;
      const isValue = rule.condition.kind === 'value';
      for (const line of matching) {
        if (reported.get(line)?.has(rule.id) || (isOpen && line === to - 1 && !lines.matchesOpen(index))) {
          continue;
        }
        const value = isValue ? (crossings.get(`${index} ${line}`) ?? null) : null;
        if (!isValue || value !== null) {
          hits.push({ rule, line, value });
        }
        if (rule.condition.kind !== 'silence') {
          this.#countOne(rule);
        }
        if (isOpen || lines.lookahead > 0) {
          reported.set(line, (reported.get(line) ?? new Set()).add(rule.id));
        }
      }
    }
    reading.next = isOpen ? to - 1 : to;
    this.#decide(reading);
    for (const { rule, line, value } of hits.sort((a, b) => a.line - b.line)) {
      this.#hit(channel, rule, line, value);
    }
  }

  /** Notes the first line whose match may depend on bytes to come. */
  #decide(reading: Reading): void {
    const { channel, reported, next } = reading;
    const { lookahead } = this.#lines;
    let undecided = next;
    if (lookahead > 0 && next > channel.firstLine) {
      const decisive = Math.max(channel.ring.end - lookahead, channel.start);
      undecided = Math.min(next, channel.lineAtOffset(decisive, channel.firstLine));
    }
    reading.undecided = undecided;
    for (const line of reported.keys()) {
      if (line < undecided) {
        reported.delete(line);
      }
    }
  }

  #countOne({ id }: WatchedRule): void {
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1);
    this.#revision++;
  }

  #hit(channel: LineChannel, rule: WatchedRule, line: number, value: number | null): void {
    const port = linePort(channel, line);
    if (rule.condition.kind === 'silence') {
      this.#silences.heardLine(rule.id, port);
      return;
    }
    // The effect of another hit may have switched the rule off. Lines from before this bench joined have no effect.
    if (!this.#counts.has(rule.id) || channel.afterEarlier(line) !== line) {
      return;
    }
    const text = textOf(channel, line);
    this.#parts.onHit({
      id: rule.id,
      port,
      line: { sequence: channel.sequenceOf(line), at: channel.timeOf(line), text },
      value,
    });
  }

  /** Notes a reading, and returns true if it has got beyond the limit just now. */
  #crosses(rule: WatchedRule, { identity }: LineChannel, isBeyond: boolean): boolean {
    const ports = this.#beyond.get(rule.id) ?? new Set();
    this.#beyond.set(rule.id, ports);
    const wasBeyond = ports.has(identity.port);
    if (isBeyond) {
      ports.add(identity.port);
    } else {
      ports.delete(identity.port);
    }
    return isBeyond && !wasBeyond;
  }

  #countOlder(older: OlderLines): void {
    older.step((id, lines) => {
      this.#counts.set(id, (this.#counts.get(id) ?? 0) + lines);
    });
    this.#revision++;
    if (older.isDone) {
      this.#older = null;
    }
  }

  /** Looks at silences and at lines without an end, and sets the timer for the next one that is due. */
  #waitOn(): void {
    const now = this.#parts.clock.now();
    const due = Math.min(this.#silences.end(now), this.#lookAtOpen(now));
    this.#cancelWait?.();
    this.#cancelWait = null;
    if (due < Number.POSITIVE_INFINITY) {
      this.#cancelWait = this.#parts.clock.schedule(Math.max(0, due - now), () => {
        this.#cancelWait = null;
        this.changed();
      });
    }
  }

  /** Looks at lines without an end that have not grown for a moment. Returns when the next one may be looked at. */
  #lookAtOpen(now: number): number {
    let due = Number.POSITIVE_INFINITY;
    for (const reading of this.#readings) {
      const { channel } = reading;
      const last = channel.endLine - 1;
      const isOpen = channel.lines > 0 && channel.isOpen(last);
      if (!isOpen || reading.openSeen === channel.ring.end || reading.next !== last || !this.#lines.concerns(channel)) {
        continue;
      }
      if (now - reading.seenAt < OPEN_WAIT) {
        due = Math.min(due, reading.seenAt + OPEN_WAIT);
        continue;
      }
      reading.openSeen = channel.ring.end;
      this.#lookAtNew(reading, channel.endLine, true);
    }
    return due;
  }
}

/** Reads the text only when it is wanted: most rules only colour. */
function textOf(channel: LineChannel, line: number): () => string {
  return () => {
    if (line < channel.firstLine) {
      return '';
    }
    const block = blockOf(channel, line, line + 1);
    const to = Math.min(block.textEndOf(line), block.textStartOf(line) + MAX_READ);
    return withoutColours(lineText(block.bytes.subarray(block.textStartOf(line), to))).slice(0, LONGEST_TEXT);
  };
}

/** Drawn characters of a line that a hit quotes, and bytes that are read for them. */
const LONGEST_TEXT = 512;
const MAX_READ = 1 << 16;
