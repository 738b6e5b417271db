/** One try of a test: sends its messages, watches its rules, and decides every case. */
import type { Clock } from '@wirebench/clock';
import { wireTime } from '@wirebench/port';
import { stopwatchText } from '@wirebench/port/numbers';
import {
  answerOf,
  type BoardTest,
  boardOf,
  exchangeNote,
  type FileWay,
  filePaces,
  messageName,
  type PinnedMessage,
  RULE_WAIT,
  RuleChecks,
  type RuleVerdict,
  type RunEnd,
  runReport,
  runSteps,
  transcriptText,
  visibleText,
  waitsForAnswer,
} from '@wirebench/runs';
import {
  AnswerWatch,
  type Bench,
  type Conversation,
  type Exchange,
  type ExchangeOutcome,
  fileSource,
  type PortNumber,
  portNumbers,
} from '@wirebench/serial';
import { endNotice, SessionLink, sendFiles, startNotice, type Transfer } from '@wirebench/serial/transfer';
import { forbiddenText, type GivenText } from '../awaited-text.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import type { CameLine, CaseFault, TestCase, TestTry } from './test-result.ts';

/** Longest time of a timer, in milliseconds: the limit of the test ends the wait. */
const NO_LIMIT = 2 ** 31 - 1;
/** Most lines that a fault shows of what came. */
const MAX_LINES = 20;
/** Most bytes of a board that are kept for faults and crashes. */
const MAX_BYTES = 1 << 20;

export interface TryParts {
  readonly clock: Clock;
  readonly bench: Bench;
  readonly test: BoardTest;
  /** Files that messages send, by the ids of the messages. */
  readonly sent: ReadonlyMap<string, File>;
  /** Texts that no board may send. */
  readonly forbidden: readonly GivenText[];
  /** Watch for rules that must not fire after the last wait, in milliseconds. */
  readonly settle: number;
  /** Longest time of the messages, in milliseconds; null without a limit. */
  readonly limit: number | null;
  readonly signal: AbortSignal;
  /** Returns the crashes in what a board has sent, as text; empty without one. */
  readonly crashes: (bytes: Uint8Array) => Promise<string>;
}

/** Bytes of a board with their time of arrival. */
interface Piece {
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** Wait for an answer that is going on, or was the last one. */
interface Wait {
  readonly since: number;
  readonly board: PortNumber;
}

/** A forbidden text that has come. */
interface ForbiddenHit {
  readonly port: PortNumber;
  readonly at: number;
  /** The line in which it ends. */
  readonly line: string;
}

export class TryRun {
  readonly #parts: TryParts;
  readonly #conversations: Map<PortNumber, Conversation>;
  readonly #pieces: ReadonlyMap<PortNumber, Piece[]>;
  readonly #rules: RuleChecks;
  readonly #startedAt: number;
  /** Watches for each forbidden text, by the port. */
  readonly #forbidden = new Map<PortNumber, readonly AnswerWatch[]>();
  /** Number of bytes that the watches of a port have taken. */
  readonly #taken = new Map<PortNumber, number>();
  /** First place of each forbidden text, by its index. */
  readonly #forbiddenHits = new Map<number, ForbiddenHit>();
  readonly #passed = new Map<number, number>();
  readonly #notes: { readonly board: PortNumber; readonly note: string }[] = [];
  /** Ends the messages early. */
  #stop = new AbortController();
  #wait: Wait | null = null;

  /** Begins to listen. The ports are open. */
  constructor(parts: TryParts) {
    this.#parts = parts;
    const { bench, clock, test } = parts;
    this.#startedAt = clock.wallTime();
    const ports = test.boards.flatMap((board) => portNumbers.find((port) => port === board) ?? []);
    this.#conversations = new Map(ports.map((port) => [port, bench.converse(port)]));
    this.#pieces = new Map(ports.map((port) => [port, []]));
    this.#rules = new RuleChecks({
      clock,
      bench,
      rules: test.rules,
      ports,
      placeText: (port) => ` on board ${port}`,
      onBroken: () => this.#stop.abort('rule'),
    });
    for (const port of ports) {
      this.#watchForbidden(port);
    }
  }

  /** Forgets what a board has said: its program begins now. Called before `run`. */
  restarted(port: PortNumber): void {
    this.#rules.restarted(port);
    for (const [index, hit] of this.#forbiddenHits) {
      if (hit.port === port) {
        this.#forbiddenHits.delete(index);
      }
    }
    this.#stop = new AbortController();
    this.#conversations.get(port)?.end();
    this.#conversations.set(port, this.#parts.bench.converse(port));
    this.#pieces.get(port)?.splice(0);
    this.#watchForbidden(port);
  }

  /** Takes what a board has sent. */
  received(port: PortNumber, bytes: Uint8Array, at: number): void {
    const pieces = this.#pieces.get(port);
    pieces?.push({ at, bytes: bytes.slice() });
    let length = pieces?.reduce((sum, piece) => sum + piece.bytes.length, 0) ?? 0;
    while (pieces !== undefined && length > MAX_BYTES && pieces.length > 1) {
      length -= pieces.shift()?.bytes.length ?? 0;
    }
    this.#taken.set(port, (this.#taken.get(port) ?? 0) + bytes.length);
    for (const watch of this.#forbidden.get(port) ?? []) {
      watch.take(bytes);
    }
  }

  /** Looks for the forbidden texts in what the port receives from now on. */
  #watchForbidden(port: PortNumber): void {
    const { clock, forbidden } = this.#parts;
    for (const watch of this.#forbidden.get(port) ?? []) {
      watch.stop();
    }
    const watches = forbidden.map(
      ({ pattern }, index) =>
        new AnswerWatch(clock, [pattern], ({ end }) => {
          if (!this.#forbiddenHits.has(index)) {
            this.#forbiddenHits.set(index, { port, at: clock.wallTime(), line: this.#lineTo(port, end) });
            this.#stop.abort('rule');
          }
        }),
    );
    this.#forbidden.set(port, watches);
    this.#taken.set(port, 0);
  }

  /** Returns the line that contains the last byte before an offset, which counts from the start of the watches. */
  #lineTo(port: PortNumber, end: number): string {
    const bytes = Buffer.concat((this.#pieces.get(port) ?? []).map((piece) => piece.bytes));
    const last = bytes.length - ((this.#taken.get(port) ?? 0) - end) - 1;
    const before = last <= 0 ? -1 : bytes.lastIndexOf(0x0a, last - 1);
    const behind = bytes.indexOf(0x0a, Math.max(0, last));
    return lineText(bytes.subarray(before + 1, behind === -1 ? undefined : behind + 1));
  }

  /** The timeline or a port has changed. */
  changed(): void {
    this.#rules.changed();
  }

  /** Numbers of the boards that have sent nothing. */
  get silentBoards(): readonly PortNumber[] {
    return [...this.#pieces].filter(([, pieces]) => pieces.length === 0).map(([port]) => port);
  }

  async run(): Promise<TestTry> {
    const { clock, test, signal, limit, settle } = this.#parts;
    const began = clock.now();
    const cancelLimit = limit === null ? () => undefined : clock.schedule(limit, () => this.#stop.abort('limit'));
    const stop = AbortSignal.any([signal, this.#stop.signal]);
    let end: RunEnd;
    try {
      end = await runSteps(
        test.steps,
        {
          exchange: (exchange, aborts, board) => this.#exchange(exchange, aborts, board),
          pause: (duration, aborts) => clock.sleep(duration, aborts).catch(() => undefined),
          sendFile: (messageId, by, aborts) => this.#sendFile(messageId, by, aborts),
        },
        stop,
        {
          begun: () => undefined,
          result: () => undefined,
          exchanged: (step, attempt, outcome, go) => this.#exchanged(step, attempt, outcome, go),
        },
      );
      await this.#rules.awaited(stop, limit === null ? RULE_WAIT : NO_LIMIT);
    } finally {
      cancelLimit();
    }
    const lastWait = this.#wait;
    if (!signal.aborted) {
      // A fatal error right after the last answer withdraws the pass.
      await clock.sleep(settle, signal).catch(() => undefined);
    }
    for (const watch of [...this.#forbidden.values()].flat()) {
      watch.pause();
    }
    return this.#decide(end, lastWait, clock.now() - began);
  }

  #exchange(exchange: Exchange, aborts: AbortSignal, board = 1): Promise<ExchangeOutcome> {
    const port = portNumbers.find((one) => one === board) ?? 1;
    const conversation = this.#conversations.get(port);
    if (conversation === undefined) {
      throw new Error(`there is a conversation with board ${board}`);
    }
    this.#wait = { since: this.#parts.clock.wallTime(), board: port };
    return conversation.exchange(exchange, aborts);
  }

  /** Sends the file of a message. Returns true if the board has all of it, as far as the way can tell. */
  async #sendFile(messageId: string, by: FileWay, signal: AbortSignal): Promise<boolean> {
    const { bench, clock, sent, test } = this.#parts;
    const file = sent.get(messageId);
    const message = test.messages.find(({ id }) => id === messageId);
    const port = portNumbers.find((one) => one === (message === undefined ? null : boardOf(message))) ?? 1;
    if (file === undefined) {
      return false;
    }
    if (by === 'raw' || by === 'lines') {
      const { outcome } = await bench.jobs.sendFile(port, fileSource(file), { pace: filePaces[by], signal });
      return outcome === 'complete';
    }
    const link = new SessionLink();
    const hold = bench.jobs.holdForTransfer(port, (bytes) => link.received(bytes));
    link.attach(hold);
    const transfer: Transfer = { direction: 'send', protocol: by, port: `Port ${port}`, names: [file.name] };
    const say = ({ level, text }: ReturnType<typeof startNotice>) => bench.notice(level, text, port);
    say(startNotice(transfer));
    const { settings } = bench.status().ports[port];
    let rest: Uint8Array = new Uint8Array();
    try {
      const byteTime = settings === null ? 0 : wireTime(settings, 1);
      const source = { ...fileSource(file), modified: file.lastModified };
      const report = await sendFiles(by, [source], { link, clock, signal, byteTime, onProgress: () => undefined });
      ({ rest } = report);
      say(endNotice(transfer, report));
      return report.outcome === 'complete';
    } finally {
      hold.release(rest);
    }
  }

  #exchanged(step: number, attempt: number, outcome: ExchangeOutcome, go: Parameters<typeof exchangeNote>[0]['go']) {
    const { messages } = this.#parts.test;
    const { note } = exchangeNote({ message: messages[step], step, attempt, messages, outcome, go });
    this.#notes.push({ board: this.#wait?.board ?? 1, note });
    if (outcome.kind === 'answered') {
      this.#passed.set(step, (this.#passed.get(step) ?? 0) + outcome.after);
    }
  }

  async #decide(end: RunEnd, wait: Wait | null, duration: number): Promise<TestTry> {
    const { test, forbidden, signal } = this.#parts;
    const isStopped = end.kind === 'cancelled';
    const cases: TestCase[] = [];
    for (const [step, message] of test.messages.entries()) {
      if (waitsForAnswer(message)) {
        cases.push(this.#messageCase(step, message, end, wait));
      }
    }
    cases.push(...this.#rules.verdicts(this.#passed.size > 0).map(ruleCase));
    for (const [index, text] of forbidden.entries()) {
      cases.push(this.#forbiddenCase(index, text));
    }
    const last = 'step' in end && !isPassed(end) ? test.messages[end.step] : undefined;
    if ('step' in end && last !== undefined && !waitsForAnswer(last)) {
      cases.push(this.#messageCase(end.step, last, end, wait));
    }
    // A run that was stopped has a reason, which no message shows.
    if (isStopped && cases.every(({ fault }) => fault === null)) {
      const late = this.#stop.signal.reason === 'limit';
      const message = late ? `the test was not done within ${(this.#parts.limit ?? 0) / 1_000} s` : 'interrupted';
      cases.push(undecided('time', late ? 'failed' : 'error', faultOf(late ? 'time' : 'interrupted', message)));
    }
    if (cases.every(({ state }) => state === 'skipped')) {
      cases.push(undecided('test', 'failed', faultOf('undecided', 'no answer and no rule decided this test')));
    }
    const crashes = cases.some(({ fault }) => fault !== null) ? await this.#crashes() : '';
    const told = crashes === '' ? cases : withCrash(cases, crashes);
    return {
      cases: told,
      seconds: duration / 1_000,
      transcript: this.#transcript(end),
      exitCode: signal.aborted ? exitCodes.interrupted : exitCodeOf(told),
    };
  }

  #messageCase(step: number, message: PinnedMessage, end: RunEnd, wait: Wait | null): TestCase {
    const name = messageName(message);
    const seconds = (this.#passed.get(step) ?? 0) / 1_000;
    const isEnd = 'step' in end && end.step === step;
    const isCut = end.kind === 'cancelled' && this.#stop.signal.reason === 'limit' && this.#isNext(step);
    if (isEnd && !isPassed(end)) {
      const isPort = end.kind === 'closed';
      return { name, state: isPort ? 'error' : 'failed', seconds, fault: this.#runFault(end, message, wait) };
    }
    if (isCut) {
      const text = `not done within ${(this.#parts.limit ?? 0) / 1_000} s`;
      return { name, state: 'failed', seconds, fault: this.#waitFault('time', text, message, wait) };
    }
    const hasPassed = this.#passed.has(step) || (isEnd && end.kind === 'stopped');
    return { name, state: hasPassed ? 'passed' : 'skipped', seconds, fault: null };
  }

  /** Returns true for the first message that waits and has no answer. */
  #isNext(step: number): boolean {
    const { messages } = this.#parts.test;
    return messages.findIndex((message, index) => waitsForAnswer(message) && !this.#passed.has(index)) === step;
  }

  #runFault(end: Exclude<RunEnd, { kind: 'done' | 'cancelled' }>, message: PinnedMessage, wait: Wait | null) {
    const { test } = this.#parts;
    const { text } = runReport(end, {
      kind: 'message',
      panelName: test.name,
      port: wait?.board ?? 1,
      messages: test.messages,
    });
    const sentence = text.slice(test.name.length + 2).replace(/\.$/, '');
    return this.#waitFault(end.kind, sentence, message, wait);
  }

  /** Returns a fault with what was awaited and what came. */
  #waitFault(type: string, sentence: string, message: PinnedMessage, wait: Wait | null): CaseFault {
    const awaited = awaitedBy(message);
    const came = wait === null ? [] : this.#came(wait);
    const shown = came.slice(-MAX_LINES);
    const last = came.findLast(({ text }) => text !== '')?.text;
    const seen = awaited.length === 0 ? '' : last === undefined ? '; nothing came' : `; last came ${last}`;
    const words = awaited.length === 0 ? sentence : `${sentence}: awaited ${awaited.join(' or ')}${seen}`;
    return {
      type,
      message: words,
      text: [
        words,
        ...(shown.length === 0 ? [] : ['Came:']),
        ...(came.length > shown.length ? [`  (${came.length - shown.length} earlier lines)`] : []),
        ...shown.map(({ at, text }) => `  ${stopwatchText(at).padStart(9)}  ${text}`),
      ].join('\n'),
      awaited,
      came: shown,
    };
  }

  /** Returns the lines that came since a wait began. */
  #came({ board, since }: Wait): readonly CameLine[] {
    const lines: CameLine[] = [];
    let open: number[] = [];
    let at = 0;
    const close = () => {
      if (open.length > 0) {
        lines.push({ at, text: lineText(Uint8Array.from(open)) });
        open = [];
      }
    };
    for (const piece of this.#pieces.get(board) ?? []) {
      if (piece.at < since) {
        continue;
      }
      for (const byte of piece.bytes) {
        at = open.length === 0 ? piece.at - since : at;
        open.push(byte);
        if (byte === 0x0a) {
          close();
        }
      }
    }
    close();
    return lines;
  }

  #forbiddenCase(index: number, text: GivenText): TestCase {
    const name = forbiddenTitle(text);
    const hit = this.#forbiddenHits.get(index);
    if (hit === undefined) {
      return { name, state: 'passed', seconds: 0, fault: null };
    }
    const seconds = Math.max(0, hit.at - this.#startedAt) / 1_000;
    const where = ` after ${seconds.toFixed(3)} s on board ${hit.port}`;
    const withdrawn = this.#passed.size > 0 ? ' It withdraws the pass.' : '';
    const fault = faultOf('rule', `${forbiddenText(text.name, where)}${withdrawn} The line: ${hit.line}`);
    return { name, state: 'failed', seconds, fault };
  }

  async #crashes(): Promise<string> {
    const found: string[] = [];
    for (const pieces of this.#pieces.values()) {
      found.push(await this.#parts.crashes(Buffer.concat(pieces.map(({ bytes }) => bytes))));
    }
    return found.filter((text) => text !== '').join('\n');
  }

  #transcript(end: RunEnd): string {
    const { test } = this.#parts;
    const parts = [...this.#conversations].map(([port, conversation]) => ({
      port,
      log: conversation.end(),
      notes: this.#notes.filter(({ board }) => board === port).map(({ note }) => note),
    }));
    const [first] = this.#conversations.keys();
    const { text } = runReport(end, {
      kind: 'all',
      panelName: test.name,
      port: first ?? 1,
      messages: test.messages,
    });
    return parts.map((part) => transcriptText({ panelName: test.name, ...part, result: text })).join('\n');
  }

  /** Stops listening. */
  dispose(): void {
    this.#rules.dispose();
    for (const watch of [...this.#forbidden.values()].flat()) {
      watch.stop();
    }
  }
}

/** Returns a line without its end. */
const lineText = (bytes: Uint8Array): string => visibleText(bytes).replace(/(?:\\r)?\\n$/, '');

/** Name of the check for a forbidden text. */
export const forbiddenTitle = ({ name }: GivenText): string => `--fail-on ${name.replace(/^"(.*)"$/s, '$1')}`;

const isPassed = (end: RunEnd) => end.kind === 'done' || (end.kind === 'stopped' && end.passed);

const faultOf = (type: string, message: string): CaseFault => ({ type, message, text: message, awaited: [], came: [] });

/** A case without a time of its own. */
export const undecided = (name: string, state: 'failed' | 'error', fault: CaseFault): TestCase => ({
  name,
  state,
  seconds: 0,
  fault,
});

function awaitedBy(message: PinnedMessage): readonly string[] {
  const count = (message.expect === null ? 0 : 1) + (message.flow?.answers.length ?? 0);
  return Array.from({ length: count }, (_, index) => answerOf(message, index));
}

function ruleCase({ name, after, fault }: RuleVerdict): TestCase {
  const title = `rule ${name}`;
  const seconds = (after ?? 0) / 1_000;
  return fault === null
    ? { name: title, state: 'passed', seconds, fault: null }
    : { name: title, state: 'failed', seconds, fault: faultOf('rule', fault) };
}

/** Adds the crashes to the first fault. */
function withCrash(cases: readonly TestCase[], crashes: string): readonly TestCase[] {
  const first = cases.findIndex(({ fault }) => fault !== null);
  return cases.map((one, index) =>
    index === first && one.fault !== null
      ? { ...one, fault: { ...one.fault, text: `${one.fault.text}\n\n${crashes}` } }
      : one,
  );
}

function exitCodeOf(cases: readonly TestCase[]): ExitCode {
  const states = cases.map(({ state }) => state);
  return states.includes('error')
    ? exitCodes.noPort
    : states.includes('failed') || cases.length === 0
      ? exitCodes.failed
      : exitCodes.ok;
}
