/** Statistics of frames with names: one row for each identifier, unit or message, and one for each device. */
import type { DecodedFrame, FrameLink } from './frame-types.ts';
import { RegisterBook } from './steps/modbus/register-book.ts';

export interface OverviewRow {
  readonly decoder: string;
  readonly key: string;
  readonly message: string;
  readonly who: string | null;
  readonly count: number;
  /**
   * Mean time between the newest frames, of at most 17 different times, in ms; null if all have one time, and without times.
   * Frames that came together are counted over the time since those before. Of questions alone if the row has any: their
   * answers come when they come.
   */
  readonly cycle: number | null;
  /** The newest frame, and the offsets of the bytes that differ from the frame before. A question only until an answer came. */
  readonly newest: DecodedFrame;
  readonly bytes: Uint8Array;
  readonly changed: readonly number[];
  /** Frames that are missing by their sequence numbers. */
  readonly lost: number;
  readonly exceptions: number;
  /** Broken frames. */
  readonly errors: number;
}

/** Answers of one device. Times in ms; null: no answer yet. */
export interface OverviewDevice {
  readonly who: string;
  readonly questions: number;
  readonly answers: number;
  readonly exceptions: number;
  readonly errors: number;
  readonly unanswered: number;
  readonly shortest: number | null;
  readonly mean: number | null;
  readonly longest: number | null;
}

/** Counts of all frames, those included that no row has room for. */
export interface OverviewTotals {
  /** Right frames, exceptions among them. */
  readonly frames: number;
  readonly exceptions: number;
  /** Broken frames. */
  readonly errors: number;
  readonly lost: number;
  readonly unanswered: number;
  /** Bytes that are no frame. */
  readonly leftOver: number;
}

/** Rows and devices that are kept. Frames of others are counted together. */
const MAX_ROWS = 4_096;
const INTERVALS = 16;

/** Facts about a frame that are counted. */
export interface OverviewLink extends Pick<FrameLink, 'role' | 'ms' | 'missing'> {
  /** True: this side sent the frame. False: it was received. Missing: unknown. */
  readonly isSent?: boolean;
}

/** Frames that came at one time: an adapter may hold back many, and the system adds its own. */
interface Arrival {
  /** In ms. */
  readonly at: number;
  count: number;
}

interface Row {
  decoded: DecodedFrame;
  count: number;
  bytes: Uint8Array;
  changed: number[];
  lost: number;
  exceptions: number;
  errors: number;
  /** Newest frames by their time, of questions alone if `isAsked`, oldest first. */
  arrivals: Arrival[];
  isAsked: boolean;
  /** True: the frame that is shown is a question. */
  isQuestion: boolean;
}

interface Device {
  questions: number;
  answers: number;
  exceptions: number;
  errors: number;
  unanswered: number;
  timed: number;
  sum: number;
  shortest: number;
  longest: number;
}

export class Overview {
  readonly #rows = new Map<string, Row>();
  readonly #devices = new Map<string, Device>();
  readonly #totals = { frames: 0, exceptions: 0, errors: 0, lost: 0, unanswered: 0, leftOver: 0 };
  /** Newest values of Modbus registers. */
  readonly registers = new RegisterBook();
  /** Frames whose rows there was no room for. */
  omitted = 0;

  get totals(): OverviewTotals {
    return { ...this.#totals };
  }

  /**
   * Counts a piece.
   *
   * @param bytes Its bytes, which must not change afterwards.
   * @param at Time of its first byte, in ms. NaN: unknown.
   */
  add(decoded: DecodedFrame, link: OverviewLink, bytes: Uint8Array, at: number): void {
    const totals = this.#totals;
    if (decoded.kind === 'left-over') {
      totals.leftOver += bytes.length;
      return;
    }
    totals[decoded.kind === 'broken' ? 'errors' : 'frames']++;
    totals.exceptions += decoded.kind === 'exception' ? 1 : 0;
    totals.lost += link.missing;
    this.#countRow(decoded, link, bytes, at);
    this.registers.add(decoded, link.role, link.isSent, bytes, at);
    const device = this.#deviceOf(decoded.who);
    if (device === undefined) {
      return;
    }
    if (decoded.kind === 'broken') {
      device.errors++;
    } else if (link.role === 'question') {
      device.questions++;
    } else if (link.role === 'answer') {
      device.answers++;
      device.exceptions += decoded.kind === 'exception' ? 1 : 0;
      if (link.ms !== null) {
        device.timed++;
        device.sum += link.ms;
        device.shortest = Math.min(device.shortest, link.ms);
        device.longest = Math.max(device.longest, link.ms);
      }
    }
  }

  /** Counts a question that got no answer. */
  addUnanswered(question: DecodedFrame): void {
    this.#totals.unanswered++;
    const device = this.#deviceOf(question.who);
    if (device !== undefined) {
      device.unanswered++;
    }
  }

  /** Takes back `addUnanswered`: the question got its answer late. */
  answeredLate(question: DecodedFrame): void {
    this.#totals.unanswered--;
    const device = this.#deviceOf(question.who);
    if (device !== undefined) {
      device.unanswered--;
    }
  }

  /** Returns the rows in the order in which their first frames came. */
  rows(): OverviewRow[] {
    return [...this.#rows.values()].map(({ decoded, arrivals, isAsked, isQuestion, ...row }) => ({
      ...row,
      newest: decoded,
      decoder: decoded.decoder,
      key: decoded.key,
      message: decoded.message,
      who: decoded.who,
      cycle: cycleOf(arrivals),
    }));
  }

  /** Returns the devices in the order in which they were first seen. */
  devices(): OverviewDevice[] {
    return [...this.#devices].map(([who, { timed, sum, shortest, longest, ...counts }]) => ({
      who,
      ...counts,
      shortest: timed === 0 ? null : shortest,
      mean: timed === 0 ? null : sum / timed,
      longest: timed === 0 ? null : longest,
    }));
  }

  #countRow(decoded: DecodedFrame, { role, missing }: OverviewLink, bytes: Uint8Array, at: number): void {
    const isBroken = decoded.kind === 'broken';
    const isQuestion = role === 'question';
    const name = `${decoded.decoder} ${isBroken ? `${decoded.who ?? ''} broken` : decoded.key}`;
    let row = this.#rows.get(name);
    if (row === undefined) {
      if (this.#rows.size >= MAX_ROWS) {
        this.omitted++;
        return;
      }
      const counts = { count: 0, lost: 0, exceptions: 0, errors: 0 };
      row = { decoded, bytes, changed: [], ...counts, arrivals: [], isAsked: false, isQuestion };
      this.#rows.set(name, row);
    } else if (!isQuestion || row.isQuestion) {
      row.changed = row.isQuestion === isQuestion ? changedBytes(row.bytes, bytes) : [];
      row.decoded = decoded;
      row.bytes = bytes;
      row.isQuestion = isQuestion;
    }
    row.count++;
    row.lost += missing;
    row.exceptions += decoded.kind === 'exception' ? 1 : 0;
    row.errors += isBroken ? 1 : 0;
    countTime(row, isQuestion, at);
  }

  #deviceOf(who: string | null): Device | undefined {
    if (who === null) {
      return undefined;
    }
    let device = this.#devices.get(who);
    if (device === undefined && this.#devices.size < MAX_ROWS) {
      device = {
        questions: 0,
        answers: 0,
        exceptions: 0,
        errors: 0,
        unanswered: 0,
        timed: 0,
        sum: 0,
        shortest: Number.POSITIVE_INFINITY,
        longest: 0,
      };
      this.#devices.set(who, device);
    }
    return device;
  }
}

function countTime(row: Row, isQuestion: boolean, at: number): void {
  if (isQuestion && !row.isAsked) {
    row.isAsked = true;
    row.arrivals = [];
  }
  if (isQuestion !== row.isAsked || Number.isNaN(at)) {
    return;
  }
  const last = row.arrivals.at(-1);
  if (last?.at === at) {
    last.count++;
    return;
  }
  row.arrivals.push({ at, count: 1 });
  if (row.arrivals.length > INTERVALS + 1) {
    row.arrivals.shift();
  }
}

/** Frames of one arrival were sent since the one before, so those of the first are not counted. */
function cycleOf([first, ...others]: readonly Arrival[]): number | null {
  const last = others.at(-1);
  return first === undefined || last === undefined
    ? null
    : (last.at - first.at) / others.reduce((sum, { count }) => sum + count, 0);
}

/** Returns the offsets of bytes that differ, those included that only the newer frame has. */
function changedBytes(before: Uint8Array, now: Uint8Array): number[] {
  const changed: number[] = [];
  for (let at = 0; at < now.length; at++) {
    if (now[at] !== before[at]) {
      changed.push(at);
    }
  }
  return changed;
}
