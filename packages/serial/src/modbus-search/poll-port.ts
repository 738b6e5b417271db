/**
 * Polls registers of Modbus devices on a port of a bench: asks the same requests again and again, and only for reading.
 * It has the port during a round alone, gives it up to other work, and lets others send during a round.
 */
import type { Clock } from '@wirebench/clock';
import { exceptionName, tableRequest } from '@wirebench/frames/modbus';
import { type OtherMaster, planReads, type RegisterRead } from '@wirebench/frames/modbus-registers';
import type { Bench } from '../bench.ts';
import type { PortNumber } from '../port-number.ts';
import type { PortHold } from '../port-session.ts';
import { type Answer, LineQuestions } from './line-questions.ts';
import { LISTEN } from './search-plan.ts';

type PolledBench = Pick<Bench, 'status' | 'sending' | 'jobs'>;

/** Choice of a person. It may change while a port is polled. */
export interface PollChoice {
  /** Registers that are read. Neighbours share a request. */
  readonly wanted: readonly RegisterRead[];
  /** Time from the start of one round to that of the next, in milliseconds. */
  readonly every: number;
  /** True: the line is asked although another master asks on it. */
  readonly ignoresTraffic: boolean;
}

/** Result of the newest request of one part of a table. */
export interface ReadOutcome {
  readonly read: RegisterRead;
  readonly kind: Answer['kind'];
  /** Code of an exception; null: none. */
  readonly exception: number | null;
}

export interface PollProgress {
  /**
   * `listening`: another master is listened for, before the first round. `asking`: rounds are made. `resting`: another master asks. `busy`: other work has the port. `waiting`: the port is unplugged.
   * `ended`: the port was closed, or must not be asked.
   */
  readonly state: 'listening' | 'asking' | 'resting' | 'busy' | 'waiting' | 'ended';
  /** Results of the newest round. */
  readonly outcomes: readonly ReadOutcome[];
  /** Time from the first request to the last answer of the newest round, in milliseconds; null: none was made. */
  readonly time: number | null;
  /** Reason of its end as a sentence; empty: it has not ended. */
  readonly reason: string;
}

export interface PollParts {
  readonly bench: PolledBench;
  readonly clock: Clock;
  readonly port: PortNumber;
  readonly choice: () => PollChoice;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: PollProgress) => void;
  /** Called after each request was given to the port. It is the newest sent line. */
  readonly onAsked: () => void;
  /** Returns the newest question that this side did not send; null: none was heard. */
  readonly other: () => OtherMaster | null;
  /** Returns a sentence while nothing must be sent; null: it may. */
  readonly refusal: () => string | null;
}

/** Time for an answer, in milliseconds: that of the ready decoder for Modbus, so that the log says the same. */
const POLL_LIMIT = 1_000;
/** Silence of another master after which the line is free, in milliseconds. */
const OTHER_REST = 10_000;
/** Least time between two rounds, in milliseconds, for others on the port. */
const LEAST_REST = 50;
/** Time until a port that is not free is looked at again, in milliseconds. */
const LOOK_AGAIN = 250;

const nothing = new Uint8Array();

/** Polls until `signal` aborts, or the port is closed, or must not be asked. Its end is reported as progress. */
export async function pollModbusPort(parts: PollParts): Promise<void> {
  await new Poll(parts).run().catch((error: unknown) => {
    if (!parts.signal.aborted) {
      throw error;
    }
  });
}

class Poll {
  readonly #parts: PollParts;
  #progress: PollProgress = { state: 'listening', outcomes: [], time: null, reason: '' };
  /** Newest question of another master. A decoder that is chosen in the meantime has heard none yet. */
  #other: OtherMaster | null = null;

  constructor(parts: PollParts) {
    this.#parts = parts;
  }

  async run(): Promise<void> {
    const { bench, clock, port, signal, choice, refusal } = this.#parts;
    const listens = clock.now() + LISTEN;
    while (!signal.aborted) {
      const begun = clock.now();
      const { every, ignoresTraffic } = choice();
      const refused = refusal();
      const { state } = bench.status().ports[port];
      if (refused !== null || state === 'disconnected') {
        const reason = refused ?? `Port ${port} was closed.`;
        this.#show({ state: 'ended', reason });
        return;
      }
      const heard = this.#parts.other();
      this.#other = heard !== null && heard.at > (this.#other?.at ?? Number.NEGATIVE_INFINITY) ? heard : this.#other;
      const isOthers = !ignoresTraffic && isOthersLine(this.#other, clock.wallTime());
      if (state !== 'connected') {
        this.#show({ state: 'waiting' });
      } else if (isOthers) {
        this.#show({ state: 'resting' });
      } else if (!ignoresTraffic && clock.now() < listens) {
        this.#show({ state: 'listening' });
      } else if (bench.sending(port) !== null || bench.jobs.isTransferring(port)) {
        this.#show({ state: 'busy' });
      } else {
        await this.#round();
      }
      const { state: now } = this.#progress;
      const rest = now === 'asking' ? Math.max(LEAST_REST, begun + every - clock.now()) : LOOK_AGAIN;
      await clock.sleep(rest, signal);
    }
  }

  async #round(): Promise<void> {
    const { bench, clock, port, signal, choice, onAsked } = this.#parts;
    const { settings } = bench.status().ports[port];
    const given = new AbortController();
    if (settings === null) {
      return;
    }
    const questions: LineQuestions = new LineQuestions({
      clock,
      settings,
      signal: AbortSignal.any([signal, given.signal]),
      onStray: () => undefined,
    });
    let hold: PortHold;
    try {
      hold = bench.jobs.holdForTransfer(
        port,
        (bytes) => {
          hold.pass(bytes);
          questions.received(bytes);
        },
        'modbus-poll',
      );
    } catch {
      // Something else has taken the port in the meantime.
      this.#show({ state: 'busy' });
      return;
    }
    hold.admitsOthers = true;
    hold.onYield = () => given.abort();
    hold.over.addEventListener('abort', () => given.abort(), { once: true });
    questions.use({
      send: async (bytes) => {
        const sent = hold.sendShown(bytes);
        onAsked();
        await sent;
      },
      faults: () => Object.values(bench.status().ports[port].errors).reduce((sum, count) => sum + count, 0),
    });
    const begun = clock.now();
    const outcomes: ReadOutcome[] = [];
    /** Units that have not answered in this round: the others are not kept waiting for each of their tables. */
    const silent = new Set<number>();
    try {
      for (const read of planReads(choice().wanted)) {
        if (silent.has(read.unit)) {
          continue;
        }
        const answer = await questions.ask({ ...tableRequest(read), limit: POLL_LIMIT, lingers: false });
        outcomes.push({ read, kind: answer.kind, exception: answer.kind === 'answer' ? answer.exception : null });
        if (answer.kind === 'silent') {
          silent.add(read.unit);
        }
      }
      this.#show({ state: 'asking', outcomes, time: clock.now() - begun });
    } catch (error) {
      // The port was closed, unplugged, or has other work now. The next look says which.
      if (!given.signal.aborted) {
        throw error;
      }
      this.#show({ state: 'busy', outcomes });
    } finally {
      hold.release(nothing);
    }
  }

  #show(change: Partial<PollProgress>): void {
    this.#progress = { ...this.#progress, ...change };
    this.#parts.onProgress(this.#progress);
  }
}

/** Says why registers have no newer value; null: they were answered. */
export function outcomeText({
  read,
  kind,
  exception,
}: ReadOutcome): { readonly short: string; readonly text: string } | null {
  const unit = `Unit ${read.unit}`;
  if (kind === 'silent') {
    return { short: 'no answer', text: `${unit} did not answer in ${POLL_LIMIT} ms.` };
  }
  if (kind === 'damaged') {
    return { short: 'damaged', text: `The answer of unit ${read.unit} was damaged.` };
  }
  return exception === null
    ? null
    : {
        short: `exception ${exception}`,
        text: `${unit} refused to read ${placesText(read)}: ${exceptionName(exception)}.`,
      };
}

const words = { holding: 'holding register', input: 'input register', coil: 'coil', discrete: 'input' } as const;

function placesText({ table, first, count }: RegisterRead): string {
  return count === 1 ? `${words[table]} ${first}` : `${words[table]}s ${first}–${first + count - 1}`;
}

/** Says what a poll does, or why it rests. */
export function pollText({ state, outcomes, time, reason }: PollProgress): string {
  switch (state) {
    case 'listening':
      return 'Listening for another master before anything is sent…';
    case 'asking':
      return time === null
        ? 'Asking for the first time…'
        : `${outcomes.length} ${outcomes.length === 1 ? 'request' : 'requests'} each time, ${Math.round(time)} ms of the line. Nothing is written.`;
    case 'resting':
      return otherText;
    case 'busy':
      return 'Something else uses the port, so polling waits for it.';
    case 'waiting':
      return 'The port is unplugged. Polling goes on when it is back.';
    case 'ended':
      return `Polling has ended. ${reason}`;
  }
}

/** Says that another master asks on a line, which makes polling rest. */
export const otherText =
  'Another master asks on this line already: the values come from its answers. Two that ask disturb each other, so polling rests.';

/** Returns true while a line is that of another master: it asked in the last 10 s. */
export const isOthersLine = (other: OtherMaster | null, now: number): boolean =>
  other !== null && now - other.at < OTHER_REST;
