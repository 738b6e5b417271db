/** One try of a test: sends its messages, watches its rules, and decides every case. */
import type { Clock } from '@wirebench/clock';
import { wireTime } from '@wirebench/port';
import {
  type BoardTest,
  boardOf,
  exchangeNote,
  type FileWay,
  filePaces,
  lineText,
  passedWords,
  plainFault,
  RULE_WAIT,
  RuleChecks,
  type RunCheck,
  type RunEnd,
  runChecks,
  runSteps,
  transcriptText,
  verdictOfChecks,
  verdictSentence,
} from '@wirebench/runs';
import {
  AnswerWatch,
  type Bench,
  type Conversation,
  type ConversationLog,
  type Exchange,
  type ExchangeOutcome,
  fileSource,
  type PortNumber,
  portNumbers,
} from '@wirebench/serial';
import { endNotice, SessionLink, sendFiles, startNotice, type Transfer } from '@wirebench/serial/transfer';
import { forbiddenText, type GivenText } from '../awaited-text.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import type { TestTry } from './test-result.ts';

/** Longest time of a timer, in milliseconds: the limit of the test ends the wait. */
const NO_LIMIT = 2 ** 31 - 1;
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

/** The exchange that was the last one to begin. */
interface LastExchange {
  readonly port: PortNumber;
  /** Index among the exchanges of this port. */
  readonly exchange: number;
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
  readonly #answered = new Map<number, number>();
  readonly #notes: { readonly board: PortNumber; readonly note: string }[] = [];
  /** Ends the messages early. */
  #stop = new AbortController();
  #last: LastExchange | null = null;
  /** Number of exchanges that have begun, by the port. */
  readonly #begun = new Map<PortNumber, number>();

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
    if (!signal.aborted) {
      // A fatal error right after the last answer withdraws the pass.
      await clock.sleep(settle, signal).catch(() => undefined);
    }
    for (const watch of [...this.#forbidden.values()].flat()) {
      watch.pause();
    }
    return this.#decide(end, clock.now() - began);
  }

  #exchange(exchange: Exchange, aborts: AbortSignal, board = 1): Promise<ExchangeOutcome> {
    const port = portNumbers.find((one) => one === board) ?? 1;
    const conversation = this.#conversations.get(port);
    if (conversation === undefined) {
      throw new Error(`there is a conversation with board ${board}`);
    }
    const begun = this.#begun.get(port) ?? 0;
    this.#begun.set(port, begun + 1);
    this.#last = { port, exchange: begun };
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
    this.#notes.push({ board: this.#last?.port ?? 1, note });
    if (outcome.kind === 'answered') {
      this.#answered.set(step, (this.#answered.get(step) ?? 0) + outcome.after);
    }
  }

  async #decide(end: RunEnd, duration: number): Promise<TestTry> {
    const { test, forbidden, signal, limit } = this.#parts;
    const logs = new Map([...this.#conversations].map(([port, conversation]) => [port, conversation.end()]));
    const last = this.#last;
    const log = last === null ? undefined : logs.get(last.port);
    const cases = runChecks({
      messages: test.messages,
      end,
      answered: this.#answered,
      rules: this.#rules.verdicts(this.#answered.size > 0),
      others: forbidden.map((text, index) => this.#forbiddenCase(index, text)),
      isLate: this.#stop.signal.reason === 'limit',
      limit,
      last: last === null || log === undefined ? null : { ...last, log },
    });
    const crashes = cases.some(({ fault }) => fault !== null) ? await this.#crashes() : '';
    const told = crashes === '' ? cases : withCrash(cases, crashes);
    return {
      cases: told,
      seconds: duration / 1_000,
      transcript: this.#transcript(logs, cases, end, duration),
      exitCode: signal.aborted ? exitCodes.interrupted : exitCodeOf(told),
    };
  }

  #forbiddenCase(index: number, text: GivenText): RunCheck {
    const name = forbiddenTitle(text);
    const hit = this.#forbiddenHits.get(index);
    if (hit === undefined) {
      return { name, state: 'passed', seconds: 0, fault: null };
    }
    const seconds = Math.max(0, hit.at - this.#startedAt) / 1_000;
    const where = ` after ${seconds.toFixed(3)} s on board ${hit.port}`;
    const withdrawn = this.#answered.size > 0 ? ' It withdraws the pass.' : '';
    const fault = plainFault('rule', `${forbiddenText(text.name, where)}${withdrawn} The line: ${hit.line}`);
    return { name, state: 'failed', seconds, fault };
  }

  async #crashes(): Promise<string> {
    const found: string[] = [];
    for (const pieces of this.#pieces.values()) {
      found.push(await this.#parts.crashes(Buffer.concat(pieces.map(({ bytes }) => bytes))));
    }
    return found.filter((text) => text !== '').join('\n');
  }

  #transcript(
    logs: ReadonlyMap<PortNumber, ConversationLog>,
    checks: readonly RunCheck[],
    end: RunEnd,
    duration: number,
  ): string {
    const { name } = this.#parts.test;
    const kind = verdictOfChecks(checks) === 'passed' ? 'passed' : 'failed';
    const result = `${name}: ${verdictSentence({ kind, checks, sent: this.#notes.length, duration })}`;
    const words = passedWords(end);
    const parts = [...logs].map(([port, log]) => ({
      port,
      log,
      notes: this.#notes.filter(({ board }) => board === port).map(({ note }) => note),
    }));
    return parts
      .map((part) =>
        transcriptText({ panelName: name, ...part, result: words === null ? result : `${result}\n${words}` }),
      )
      .join('\n');
  }

  /** Stops listening. */
  dispose(): void {
    this.#rules.dispose();
    for (const watch of [...this.#forbidden.values()].flat()) {
      watch.stop();
    }
  }
}

/** Name of the check for a forbidden text. */
export const forbiddenTitle = ({ name }: GivenText): string => `--fail-on ${name.replace(/^"(.*)"$/s, '$1')}`;

/** Adds the crashes to the first fault. */
function withCrash(cases: readonly RunCheck[], crashes: string): readonly RunCheck[] {
  const first = cases.findIndex(({ fault }) => fault !== null);
  return cases.map((one, index) =>
    index === first && one.fault !== null
      ? { ...one, fault: { ...one.fault, text: `${one.fault.text}\n\n${crashes}` } }
      : one,
  );
}

function exitCodeOf(cases: readonly RunCheck[]): ExitCode {
  const verdict = verdictOfChecks(cases);
  return verdict === 'error' ? exitCodes.noPort : verdict === 'failed' ? exitCodes.failed : exitCodes.ok;
}
