/**
 * Checks of a run, decided at its end: each command that waits for an answer, and each rule that must fire or must not.
 * The same in a panel's run, once for each port, and in a try of `wirebench test`.
 */
import { stopwatchText } from '@wirebench/port/numbers';
import type { ConversationLog } from '@wirebench/serial';
import { type CameLine, cameLines } from './came-lines.ts';
import { messageName, type PinnedMessage, waitsForAnswer } from './pinned-message.ts';
import type { RuleVerdict } from './rule-checks.ts';
import { answerOf } from './run-notes.ts';
import { type EndAtStep, endCause, endSentence } from './run-report.ts';
import type { RunEnd } from './run-steps.ts';

/** Most lines that a fault shows of what came. */
const MAX_LINES = 20;

/** A failure or an error of a check. */
export interface CheckFault {
  /** Kind of the fault, such as `no-answer`, `rule` or `flash`. */
  readonly type: string;
  /** One sentence with everything, without full stop. */
  readonly message: string;
  /** The fault with its details, line by line. */
  readonly text: string;
  /** Command at which it failed, as a person knows it; null: the fault belongs to none. */
  readonly command: string | null;
  /** The sentence behind the command, without what was awaited and what came. */
  readonly cause: string;
  /** Answers that were waited for; empty for other faults. */
  readonly awaited: readonly string[];
  /** The newest lines that came while the check waited. */
  readonly came: readonly CameLine[];
  /** The last line that says something; null: nothing came, or the fault is about no wait. */
  readonly last: string | null;
  /** Time of this line, or of the beginning of the wait, in milliseconds since the Unix epoch; null: there was none. */
  readonly at: number | null;
}

export interface RunCheck {
  readonly name: string;
  /** `error`: the board, its port or its flash failed, so that the check is undecided. `skipped`: it was not reached. */
  readonly state: 'passed' | 'failed' | 'error' | 'skipped';
  readonly seconds: number;
  /** Null for a check that passed or was skipped. */
  readonly fault: CheckFault | null;
}

/** A run that is over, with everything that decides about it. */
export interface EndedRun {
  readonly messages: readonly PinnedMessage[];
  readonly end: RunEnd;
  /** Milliseconds until the answers of the messages that had one, by the index of the message. */
  readonly answered: ReadonlyMap<number, number>;
  readonly rules: readonly RuleVerdict[];
  /** Message that the port refused, by its index, with the reason; null or missing: none. */
  readonly refused?: { readonly step: number; readonly message: string } | null;
  /** Checks of the caller, behind the rules. */
  readonly others?: readonly RunCheck[];
  /** True: the longest time ended the run. */
  readonly isLate: boolean;
  /** Longest time of the messages, in milliseconds; null without a limit. */
  readonly limit: number | null;
  /** The exchange that was the last one to begin; null: none began. */
  readonly last: {
    /** Number of the port or board. */
    readonly port: number;
    /** Everything that passed on this port. */
    readonly log: ConversationLog;
    /** Index of the exchange among those of this port. */
    readonly exchange: number;
  } | null;
}

/** Returns true if something decides about a run of these messages. */
export const hasChecks = (messages: readonly PinnedMessage[], rules: readonly unknown[]): boolean =>
  rules.length > 0 || messages.some(waitsForAnswer);

/** Returns what the author of a run has to say about its passing; null: nothing. */
export const passedWords = (end: RunEnd): string | null =>
  end.kind === 'stopped' && end.passed && end.say !== '' ? end.say : null;

/** Returns the checks of a run in the order of its messages and rules, and at least one. */
export function runChecks(run: EndedRun): readonly RunCheck[] {
  const { messages, end, rules, others = [], isLate, refused = null } = run;
  const checks: RunCheck[] = [];
  for (const [step, message] of messages.entries()) {
    if (waitsForAnswer(message)) {
      checks.push(messageCheck(run, step, message));
    }
  }
  checks.push(...rules.map(ruleCheck), ...others);
  const step = refused?.step ?? ('step' in end && !isPassed(end) ? end.step : -1);
  const last = messages[step];
  if (last !== undefined && !waitsForAnswer(last)) {
    checks.push(messageCheck(run, step, last));
  }
  // A run that was stopped has a reason, which no message shows.
  if (end.kind === 'cancelled' && checks.every(({ fault }) => fault === null)) {
    const words = isLate ? `not done within ${seconds(run)} s` : 'interrupted';
    checks.push(undecided('time', isLate ? 'failed' : 'error', plainFault(isLate ? 'time' : 'interrupted', words)));
  }
  if (checks.every(({ state }) => state === 'skipped')) {
    checks.push(undecided('test', 'failed', plainFault('undecided', 'no answer and no rule decided this test')));
  }
  return checks;
}

const isPassed = (end: RunEnd) => end.kind === 'done' || (end.kind === 'stopped' && end.passed);

const seconds = ({ limit }: EndedRun) => (limit ?? 0) / 1_000;

function messageCheck(run: EndedRun, step: number, message: PinnedMessage): RunCheck {
  const { end, answered, isLate, refused = null } = run;
  const about = { name: messageName(message), seconds: (answered.get(step) ?? 0) / 1_000 };
  if (refused?.step === step) {
    return { ...about, state: 'error', fault: { ...plainFault('port', refused.message), command: about.name } };
  }
  const isEnd = 'step' in end && end.step === step;
  if (isEnd && !isPassed(end)) {
    return { ...about, state: end.kind === 'closed' ? 'error' : 'failed', fault: endFault(run, end, message) };
  }
  if (end.kind === 'cancelled' && isLate && isNext(run, step)) {
    const words = `not done within ${seconds(run)} s`;
    return {
      ...about,
      state: 'failed',
      fault: waitFault(run, { type: 'time', sentence: words, cause: words }, message),
    };
  }
  const hasPassed = answered.has(step) || (isEnd && end.kind === 'stopped');
  return { ...about, state: hasPassed ? 'passed' : 'skipped', fault: null };
}

/** Returns true for the first message that waits and has no answer. */
const isNext = ({ messages, answered }: EndedRun, step: number): boolean =>
  messages.findIndex((message, index) => waitsForAnswer(message) && !answered.has(index)) === step;

function endFault(run: EndedRun, end: EndAtStep, message: PinnedMessage): CheckFault {
  const port = run.last?.port ?? 1;
  const words = { type: end.kind, sentence: endSentence(end, message, port), cause: endCause(end, message, port) };
  return waitedAtEnd(end)
    ? waitFault(run, words, message)
    : { ...plainFault(end.kind, words.sentence), ...words, command: messageName(message) };
}

/** Returns true if the last exchange of the run is the wait that failed. */
const waitedAtEnd = ({ kind }: EndAtStep): boolean =>
  kind === 'no-answer' || kind === 'closed' || kind === 'spent' || kind === 'stopped';

interface FaultWords {
  readonly type: string;
  readonly sentence: string;
  readonly cause: string;
}

/** Returns a fault with what was awaited and what came. */
function waitFault({ last }: EndedRun, { type, sentence, cause }: FaultWords, message: PinnedMessage): CheckFault {
  const awaited = awaitedBy(message);
  const came = last === null ? null : cameLines(last.log, last.exchange);
  const lines = came?.lines ?? [];
  const shown = lines.slice(-MAX_LINES);
  const newest = came?.last?.text ?? null;
  const seen = newest === null ? '; nothing came' : `; last came ${newest}`;
  const words = awaited.length === 0 ? sentence : `${sentence}: awaited ${awaited.join(' or ')}${seen}`;
  return {
    type,
    message: words,
    text: [
      words,
      ...(shown.length === 0 ? [] : ['Came:']),
      ...(lines.length > shown.length ? [`  (${lines.length - shown.length} earlier lines)`] : []),
      ...shown.map(({ at, text }) => `  ${stopwatchText(at).padStart(9)}  ${text}`),
    ].join('\n'),
    command: messageName(message),
    cause,
    awaited,
    came: shown,
    last: newest,
    at: came === null ? null : came.since + (came.last?.at ?? 0),
  };
}

/** A fault that is about no wait. */
export const plainFault = (type: string, message: string): CheckFault => ({
  type,
  message,
  text: message,
  command: null,
  cause: message,
  awaited: [],
  came: [],
  last: null,
  at: null,
});

/** A check without a time of its own. */
export const undecided = (name: string, state: 'failed' | 'error', fault: CheckFault): RunCheck => ({
  name,
  state,
  seconds: 0,
  fault,
});

function awaitedBy(message: PinnedMessage): readonly string[] {
  const count = (message.expect === null ? 0 : 1) + (message.flow?.answers.length ?? 0);
  return Array.from({ length: count }, (_, index) => answerOf(message, index));
}

function ruleCheck({ name, after, fault }: RuleVerdict): RunCheck {
  const title = `rule ${name}`;
  const time = (after ?? 0) / 1_000;
  return fault === null
    ? { name: title, state: 'passed', seconds: time, fault: null }
    : { name: title, state: 'failed', seconds: time, fault: plainFault('rule', fault) };
}
