/** The run of a panel's commands on one port, with the rules that decide it. */
import {
  exchangeNote,
  type PinnedMessage,
  type RuleVerdict,
  type RunChecks,
  type RunEnd,
  type RunStep,
  runSteps,
  type StepResult,
  type TestRule,
} from '@wirebench/runs';
import type { ConversationLog, PortNumber } from '@wirebench/serial';
import { getBench } from '../../../../workbench/bench.ts';
import { CallError } from '../../../../workbench/bench-client.ts';
import { converse, ended, newTicket, pauseOnBench } from '../../../../workbench/bench-waits.ts';
import { filePort, runPort } from './run-files.ts';

export interface BoardEvents {
  /** Called before each sending of a message, with the last answer so far as text. */
  begun(step: number, attempt: number, lastAnswer: string | null): void;
  result(step: number, result: StepResult): void;
}

export interface BoardWork {
  readonly port: PortNumber;
  readonly messages: readonly PinnedMessage[];
  readonly steps: readonly RunStep[];
  readonly checks: RunChecks;
}

/** Everything that happened on one port. */
export interface BoardRun {
  readonly port: PortNumber;
  readonly end: RunEnd;
  /** The call that the bench refused, and the index of its message; null: none. */
  readonly refused: { readonly step: number; readonly error: CallError } | null;
  /** True: a person has stopped it before it was decided. */
  readonly isStopped: boolean;
  /** True: the longest time ended it. */
  readonly isLate: boolean;
  /** Milliseconds until the answers, by the index of the message. */
  readonly answered: ReadonlyMap<number, number>;
  /** Number of exchanges that began. */
  readonly exchanges: number;
  readonly rules: readonly RuleVerdict[];
  /** Null: nothing was exchanged. */
  readonly log: ConversationLog | null;
  /** A sentence about each exchange. */
  readonly notes: readonly string[];
}

/** Sends the messages to the board on a port and waits for what decides the run. Rejects only for faults of this page. */
export async function runBoard(work: BoardWork, signal: AbortSignal, events: BoardEvents): Promise<BoardRun> {
  const { port, messages, steps, checks } = work;
  const conversation = converse(port);
  const talk = runPort(conversation);
  const answered = new Map<number, number>();
  const notes: string[] = [];
  let exchanges = 0;
  let step = 0;
  let lastAnswer: string | null = null;
  let end: RunEnd = { kind: 'cancelled' };
  let decided: Decided = { rules: [], isLate: false };
  let refused: BoardRun['refused'] = null;
  let begun: BegunChecks | null = null;
  let log: ConversationLog | null = null;
  try {
    begun = await beginChecks(port, checks, signal);
    const board = {
      ...talk,
      ...filePort(port),
      exchange: (...about: Parameters<typeof talk.exchange>) => {
        exchanges++;
        return talk.exchange(...about);
      },
    };
    end = await runSteps(steps, board, begun.stop, {
      begun: (at, attempt) => {
        step = at;
        events.begun(at, attempt, lastAnswer);
      },
      result: events.result,
      exchanged: (at, attempt, outcome, go) => {
        const { note, answer } = exchangeNote({ message: messages[at], step: at, attempt, messages, outcome, go });
        notes.push(note);
        lastAnswer = answer ?? lastAnswer;
        if (outcome.kind === 'answered') {
          answered.set(at, (answered.get(at) ?? 0) + outcome.after);
        }
      },
    });
    decided = await begun.decide(end, answered.size > 0);
  } catch (error) {
    if (!(error instanceof CallError)) {
      throw error;
    }
    refused = { step, error };
  } finally {
    begun?.end();
    log = await conversation.close().catch(() => null);
  }
  const isStopped = signal.aborted && refused === null;
  return { port, end, refused, isStopped, answered, exchanges, log, notes, ...decided };
}

interface Decided {
  readonly rules: readonly RuleVerdict[];
  readonly isLate: boolean;
}

interface WatchedRules {
  /** Aborts when a rule that must not fire has fired. */
  readonly broken: AbortSignal;
  /**
   * Waits for rules that must fire, and a moment longer; `signal` ends the wait. Returns the verdicts.
   *
   * @param hasPassed True: answers have passed, which a rule that fires withdraws.
   */
  close(hasPassed: boolean, signal: AbortSignal): Promise<readonly RuleVerdict[]>;
}

/** Begins to watch the rules that decide about a run on `port`. */
async function watchRules(port: PortNumber, rules: readonly TestRule[]): Promise<WatchedRules> {
  const checks = newTicket();
  await getBench().call('openChecks', port, rules, checks);
  const broken = new AbortController();
  void getBench()
    .call('brokenChecks', checks)
    .then(() => broken.abort());
  return {
    broken: broken.signal,
    close: (hasPassed, signal) =>
      ended(signal, async (ticket) => {
        const verdicts = getBench().call('closeChecks', checks, hasPassed, ticket);
        if (signal.aborted) {
          void getBench().call('endWait', ticket);
        }
        return verdicts;
      }),
  };
}

interface BegunChecks {
  /** Aborts with the run's signal, with a rule that must not fire, and after the longest time. */
  readonly stop: AbortSignal;
  /** Waits for the rules to be decided. */
  decide(end: RunEnd, hasPassed: boolean): Promise<Decided>;
  /** Ends the watch of a run that failed before it was decided. Does nothing after `decide`. */
  end(): void;
}

async function beginChecks(port: PortNumber, { rules, seconds }: RunChecks, signal: AbortSignal): Promise<BegunChecks> {
  const watched = rules.length === 0 ? null : await watchRules(port, rules);
  const limit = new AbortController();
  const over = new AbortController();
  let isOpen = watched !== null;
  if (seconds !== null) {
    void pauseOnBench(seconds * 1_000, AbortSignal.any([signal, over.signal])).then(() => limit.abort());
  }
  return {
    stop: AbortSignal.any([signal, limit.signal, ...(watched === null ? [] : [watched.broken])]),
    decide: async (end, hasPassed) => {
      const isLate = end.kind === 'cancelled' && limit.signal.aborted;
      over.abort();
      isOpen = false;
      return { rules: (await watched?.close(hasPassed, signal)) ?? [], isLate };
    },
    end: () => {
      over.abort();
      if (isOpen) {
        void watched?.close(false, AbortSignal.abort());
      }
    },
  };
}
