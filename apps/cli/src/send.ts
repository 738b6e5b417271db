/** `wirebench send`: text, bytes or a file to a port. */
import { systemClock } from '@wirebench/clock';
import { aborted, type CloseReport, fallsSilent, linesToSet, type SerialLink, unlessAborted } from '@wirebench/port';
import { type AnswerWatch, encodeEscaped, encodePinned, type LineEnding, PacedSender } from '@wirebench/serial';
import type { TransferOutcome, TransferProtocol } from '@wirebench/serial/transfer';
import { type AwaitedTexts, forbiddenText, missedText, readAwaited, readWait, watchFor } from './awaited-text.ts';
import { BoardScreen } from './board-screen.ts';
import type { OptionValues } from './commands/command.ts';
import { CommandError, type ExitCode, exitCodes } from './exit-code.ts';
import { readGiven } from './given-file.ts';
import { absentPort, type GivenPort, givenPort, presentPort, serialOf } from './given-ports.ts';
import { interruption } from './interruption.ts';
import { openNamedLink } from './named-link.ts';
import { type GivenSettings, oneOf, readPieces, readSettings, readTimeout } from './port-options.ts';
import type { FileTransfer } from './send-transfer.ts';

const protocols = ['xmodem', 'xmodem-1k', 'ymodem', 'zmodem'] as const satisfies readonly TransferProtocol[];
const endings = ['none', 'lf', 'cr', 'crlf'] as const satisfies readonly LineEnding[];
/** Longest wait for `--until` and `--fail-on` without `--timeout`, in milliseconds. */
const STANDARD_WAIT = 10_000;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

export async function runSend([name = '', ...words]: readonly string[], options: OptionValues): Promise<ExitCode> {
  const settings = readSettings(options);
  const awaited = readAwaited(options);
  const wait = readWait(options, awaited, STANDARD_WAIT);
  const sender = new PacedSender({
    clock: systemClock,
    settings: () => settings.settings,
    onGiven: () => undefined,
  });
  sender.setPieces(readPieces(options));
  const transfer = await transferOf(options);
  const silence = transfer === null ? null : readTimeout(options);
  const given = await givenPort(name);
  const device = await presentPort(serialOf([given]), given, settings.native);
  const hasNothing = words.length === 0 && options['file'] === undefined && process.stdin.isTTY === true;
  if (hasNothing && device !== null) {
    throw new CommandError(exitCodes.usage, 'there is nothing to send: give a text, - or --file <file>.');
  }
  // Without a port, the only word may be the text.
  const input = transfer === null && !hasNothing ? await inputOf(words, options, awaited.until !== null) : whole([]);
  if (device === null) {
    throw await absentPort(given);
  }
  return new SendRun({ given, device, settings, sender, input, transfer, awaited, wait, silence }).run();
}

interface Sending {
  readonly given: GivenPort;
  readonly device: SerialPort;
  readonly settings: GivenSettings;
  readonly sender: PacedSender;
  readonly input: Input;
  /** Sends in place of the input; null without a protocol. */
  readonly transfer: FileTransfer | null;
  readonly awaited: AwaitedTexts;
  /** Longest time for an answer, and for more input after it, in milliseconds. 0: what comes is not printed. */
  readonly wait: number;
  /** Longest silence of the board in a transfer, in milliseconds; null for that of the protocol. */
  readonly silence: number | null;
}

/** Bytes to send. */
interface Input {
  /** Bytes in the pieces in which they come. */
  readonly pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** True: each piece is a line of standard input, which waits for its answer. */
  readonly isLines: boolean;
  /** Number of bytes that have come of a line without an end. */
  readonly rest: () => number;
}

/**
 * Looks for the awaited texts in what a port sends: that of `--until` since the last line was begun, those of `--fail-on`
 * since the first one was.
 */
class Answers {
  readonly #awaited: AwaitedTexts;
  readonly #found: () => void;
  #received = 0;
  #until: AnswerWatch | null = null;
  #failOn: AnswerWatch | null = null;
  /** Offset behind the answer; null without one. */
  #answer: number | null = null;
  #forbidden: { readonly name: string; readonly end: number } | null = null;

  /** @param found Called when the answer has come, or a text of `--fail-on`. */
  constructor(awaited: AwaitedTexts, found: () => void) {
    this.#awaited = awaited;
    this.#found = found;
  }

  get received(): number {
    return this.#received;
  }

  get answer(): number | null {
    return this.#answer;
  }

  /** The text of `--fail-on` that has come; null without one. */
  get forbidden(): { readonly name: string; readonly end: number } | null {
    return this.#forbidden;
  }

  /** Forgets the answer: the next line begins to leave. */
  begin(): void {
    const { until, failOn } = this.#awaited;
    const from = this.#received;
    this.#until?.stop();
    this.#answer = null;
    this.#until = watchFor({ until, failOn: [] }, ({ end }) => {
      this.#answer = from + end;
      this.#found();
    });
    this.#failOn ??= watchFor({ until: null, failOn }, ({ end, forbidden }) => {
      this.#forbidden = { name: forbidden ?? '', end: from + end };
      this.#found();
    });
  }

  take(bytes: Uint8Array): void {
    this.#received += bytes.length;
    this.#failOn?.take(bytes);
    this.#until?.take(bytes);
  }

  /** Decides as if nothing followed. */
  pause(): void {
    this.#failOn?.pause();
    this.#until?.pause();
  }

  stop(): void {
    this.#failOn?.stop();
    this.#until?.stop();
  }
}

class SendRun {
  readonly #parts: Sending;
  readonly #ended = interruption();
  /** Aborts with the exit code. */
  readonly #outcome = new AbortController();
  readonly #timeIsUp = new AbortController();
  readonly #stop = AbortSignal.any([this.#outcome.signal, this.#ended.signal, this.#timeIsUp.signal]);
  readonly #screen = new BoardScreen();
  readonly #answers: Answers;
  #cancelTime: () => void = () => undefined;
  #onAnswer: () => void = () => undefined;
  /** Number of pieces that were begun. */
  #count = 0;
  /** The newest piece. */
  #piece: Uint8Array = new Uint8Array();
  /** `taken`: the port has taken all of it. `left`: it has left the port. */
  #stage: 'leaving' | 'taken' | 'left' = 'leaving';
  /** The input behind it: more has come, its end has, or neither. */
  #behind: 'more' | 'end' | 'open' = 'open';

  constructor(parts: Sending) {
    this.#parts = parts;
    this.#answers = new Answers(parts.awaited, () => this.#decide());
  }

  async run(): Promise<ExitCode> {
    const { given, device, settings, transfer, awaited, wait } = this.#parts;
    const link = await openNamedLink({
      given,
      device,
      settings: settings.settings,
      lines: linesToSet(settings.settings.linesAtOpen) ?? null,
      received: (received) => {
        if (transfer?.takes(received) !== true) {
          this.#received(received);
        }
      },
      ended: () => {
        if (!this.#outcome.signal.aborted) {
          process.stderr.write('wirebench: the port was unplugged.\n');
          this.#outcome.abort(exitCodes.noPort);
        }
      },
    });
    try {
      link.start();
      if (transfer === null) {
        if (awaited.until !== null || awaited.failOn.length > 0) {
          // Output from before the first line is no answer.
          await fallsSilent(systemClock, () => this.#answers.received, this.#stop);
        }
        await this.#sendAll(link);
      } else {
        const { outcome: end, rest } = await transfer.run(link, given.label, settings.settings, {
          signal: this.#ended.signal,
          limit: this.#parts.silence,
        });
        if (end !== 'complete') {
          return this.#ended.signal.aborted ? this.#ended.exitCode() : codeOf(end);
        }
        this.#answers.begin();
        this.#stage = 'left';
        this.#behind = 'end';
        this.#received(rest);
      }
      this.#decide();
      if (wait > 0 && !this.#stop.aborted) {
        this.#restartTime();
        await unlessAborted(new Promise(() => undefined), this.#stop);
      }
      this.#answers.pause();
      return this.#end();
    } finally {
      this.#cancelTime();
      this.#answers.stop();
      this.#screen.end();
      reportUnsent(await link.close());
    }
  }

  /** Sends each piece when it has come. With `--until`, a line waits for the answer to the one before. */
  async #sendAll(link: SerialLink): Promise<void> {
    const { input, awaited } = this.#parts;
    const pieces = each(input.pieces);
    let coming = this.#next(pieces);
    this.#restartTime();
    while (!this.#stop.aborted) {
      const piece = await unlessAborted(coming, this.#stop);
      if (piece === aborted || piece.done === true) {
        break;
      }
      this.#count++;
      this.#piece = piece.value;
      this.#stage = 'leaving';
      this.#cancelTime();
      const answer = Promise.withResolvers<void>();
      this.#onAnswer = answer.resolve;
      // Read now: the end of the input says that this piece is the last one.
      coming = this.#next(pieces);
      await unlessAborted(this.#sendPiece(link), this.#stop);
      this.#restartTime();
      if (input.isLines && awaited.until !== null) {
        await unlessAborted(answer.promise, this.#stop);
        this.#restartTime();
      }
    }
    if (this.#behind === 'end' && this.#count === 0) {
      throw new CommandError(exitCodes.usage, 'the input is empty: there is nothing to send.');
    }
  }

  #next(pieces: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
    this.#behind = 'open';
    const read = pieces.next();
    read.then(
      ({ done }) => {
        this.#behind = done === true ? 'end' : 'more';
      },
      () => 'reported where it is awaited',
    );
    return read;
  }

  /** Sends the newest piece. What comes before the port has taken several lines is no answer to the last one. */
  async #sendPiece(link: SerialLink): Promise<void> {
    const piece = this.#piece;
    const last = lastLine(piece);
    // Reads first the bytes that the system has received already.
    await systemClock.sleep(0);
    // Blank bytes behind a line ask for no other answer.
    if (this.#parts.input.isLines || this.#count === 1 || last !== null) {
      this.#answers.begin();
    }
    await inPieces(this.#parts.sender, link, piece);
    if (last !== null && last > 0) {
      this.#answers.begin();
    }
    this.#stage = 'taken';
    this.#decide();
    await link.drain();
    this.#stage = 'left';
    this.#decide();
  }

  #received(received: Uint8Array): void {
    if (this.#parts.wait === 0 || this.#outcome.signal.aborted) {
      return;
    }
    const answers = this.#answers;
    const before = answers.received;
    answers.take(received);
    // Bytes behind the end are not printed.
    const end = answers.forbidden?.end ?? (this.#isLast ? answers.answer : null);
    this.#screen.write(end === null ? received : received.subarray(0, Math.max(0, end - before)));
  }

  /** True: an answer is that to the last line of the input. */
  get #isLast(): boolean {
    return this.#stage !== 'leaving' && this.#behind === 'end';
  }

  /** Ends the run, or lets the next line go, if what has come decides it. */
  #decide(): void {
    const { answer, forbidden } = this.#answers;
    const isAnswered = answer !== null && this.#isLast;
    if (forbidden !== null && !(isAnswered && answer < forbidden.end)) {
      this.#outcome.abort(exitCodes.failed);
    } else if (isAnswered && this.#stage === 'left') {
      this.#outcome.abort(exitCodes.ok);
    }
    if (answer !== null && this.#stage !== 'leaving') {
      this.#onAnswer();
    }
  }

  #restartTime(): void {
    const { wait } = this.#parts;
    this.#cancelTime();
    this.#cancelTime = wait === 0 ? () => undefined : systemClock.schedule(wait, () => this.#timeIsUp.abort());
  }

  /** Returns the exit code, and says why. */
  #end(): ExitCode {
    const { awaited, input, wait } = this.#parts;
    const { answer, forbidden } = this.#answers;
    if (this.#ended.signal.aborted) {
      return this.#ended.exitCode();
    }
    const say = (text: string) => process.stderr.write(`wirebench: ${text}\n`);
    if (this.#outcome.signal.aborted) {
      const code = this.#outcome.signal.reason as ExitCode;
      if (code === exitCodes.failed && forbidden !== null) {
        say(`${forbiddenText(forbidden.name)}${this.#lineText('It came after line')}`);
      }
      return code;
    }
    const within = `within ${wait / 1_000} s`;
    if (this.#count === 0 && this.#parts.transfer === null) {
      say(`nothing came on standard input ${within}: nothing was sent.`);
      return awaited.until === null ? exitCodes.ok : exitCodes.failed;
    }
    if (awaited.until !== null && answer === null) {
      say(`${missedText(awaited.until, wait)}${this.#lineText('There is no answer to line')}`);
      return exitCodes.failed;
    }
    if (this.#behind === 'open' && wait > 0) {
      const rest = input.rest();
      say(
        rest > 0
          ? `the last ${rest} bytes of standard input have no line end ${within}: they were not sent.`
          : `standard input is still open, and nothing more came ${within}.`,
      );
      return rest > 0 ? exitCodes.failed : exitCodes.ok;
    }
    return exitCodes.ok;
  }

  /** Returns a sentence that names the line of standard input; empty where it is the only one. */
  #lineText(beginning: string): string {
    const { input, awaited } = this.#parts;
    const later = this.#behind === 'more' ? ' What follows in the input was not sent.' : '';
    const isNamed = input.isLines && awaited.until !== null && (this.#count > 1 || later !== '');
    const empty = /^\r?\n?$/.test(Buffer.from(this.#piece).toString('latin1')) ? ', which is empty' : '';
    return `${isNamed ? ` ${beginning} ${this.#count}${empty}.` : ''}${later}`;
  }
}

/** Returns where the last line begins that is not blank; null without one. */
function lastLine(bytes: Uint8Array): number | null {
  const isEnd = (byte: number) => byte === LINE_FEED || byte === CARRIAGE_RETURN;
  const last = bytes.findLastIndex((byte) => !isEnd(byte));
  return last === -1 ? null : bytes.subarray(0, last).findLastIndex(isEnd) + 1;
}

async function* each(pieces: Input['pieces']): AsyncGenerator<Uint8Array, void> {
  yield* pieces;
}

const codeOf = (end: TransferOutcome): ExitCode => (end === 'closed' ? exitCodes.noPort : exitCodes.failed);

/** Sends in pieces. Rejects with the error of the port. */
function inPieces(sender: PacedSender, link: SerialLink, bytes: Uint8Array): Promise<void> {
  return sender.text(link, bytes, { isKeys: false, isPaced: true }).catch((end: Error) => Promise.reject(end.cause));
}

function reportUnsent({ unsent }: CloseReport): void {
  if (unsent > 0) {
    process.stderr.write(`wirebench: ${unsent} bytes were not sent.\n`);
  }
}

/** @throws CommandError for several protocols, and for one without a file. */
async function transferOf(options: OptionValues): Promise<FileTransfer | null> {
  const [protocol, ...more] = protocols.filter((one) => options[optionOf(one)] === true);
  const { file } = options;
  if (protocol === undefined) {
    return null;
  }
  if (more.length > 0 || typeof file !== 'string') {
    throw new CommandError(exitCodes.usage, 'a transfer takes one protocol and --file <file>.');
  }
  const { FileTransfer } = await import('./send-transfer.ts');
  return FileTransfer.open(file, protocol);
}

/** Returns the name under which commander keeps the value of `--xmodem-1k`. */
const optionOf = (protocol: TransferProtocol) => (protocol === 'xmodem-1k' ? 'xmodem1k' : protocol);

/** Input that is there already, or that is sent as it comes. */
const whole = (pieces: Input['pieces']): Input => ({ pieces, isLines: false, rest: () => 0 });

/**
 * @param isEach True: each line of standard input is a piece of its own. False: lines that come together are one.
 * @throws CommandError for input that cannot be sent.
 */
async function inputOf(words: readonly string[], options: OptionValues, isEach: boolean): Promise<Input> {
  const { file } = options;
  if (typeof file === 'string') {
    return whole([await readGiven(file)]);
  }
  if (words.length === 1 && words[0] === '-') {
    return whole(process.stdin);
  }
  const ending = oneOf(options['ending'], '--ending', endings) ?? 'lf';
  const encode = (text: string) => encoded(text, ending, options);
  if (words.length > 0) {
    return whole([encode(words.join(' '))]);
  }
  const isPlain = options['escapes'] !== true && options['hex'] !== true;
  const end = encode('');
  // Bytes that are no UTF-8 stay as they are.
  const encodeLine = (line: Uint8Array) =>
    isPlain ? Buffer.concat([line, end]) : encode(new TextDecoder().decode(line));
  const lines = new InputLines(process.stdin, encodeLine, isEach);
  return { pieces: lines, isLines: true, rest: () => lines.rest };
}

/** The lines of a stream as soon as they end. The line endings \n and \r\n are left out. */
class InputLines implements AsyncIterable<Uint8Array> {
  readonly #stream: AsyncIterable<Buffer>;
  readonly #encode: (line: Uint8Array) => Uint8Array;
  readonly #isEach: boolean;
  #open: Buffer[] = [];

  constructor(stream: AsyncIterable<Buffer>, encode: (line: Uint8Array) => Uint8Array, isEach: boolean) {
    this.#stream = stream;
    this.#encode = encode;
    this.#isEach = isEach;
  }

  /** Number of bytes of a line that has no end yet. */
  get rest(): number {
    return this.#open.reduce((sum, { length }) => sum + length, 0);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    for await (const piece of this.#stream) {
      const lines: Buffer[] = [];
      let from = 0;
      for (let at = piece.indexOf(LINE_FEED); at !== -1; at = piece.indexOf(LINE_FEED, from)) {
        lines.push(Buffer.concat([...this.#open, piece.subarray(from, at)]));
        this.#open = [];
        from = at + 1;
      }
      this.#open.push(piece.subarray(from));
      const encoded = lines.map((line) => this.#encode(line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line));
      if (this.#isEach) {
        yield* encoded;
      } else if (encoded.length > 0) {
        yield Buffer.concat(encoded);
      }
    }
    const rest = Buffer.concat(this.#open);
    this.#open = [];
    if (rest.length > 0) {
      yield this.#encode(rest);
    }
  }
}

/** @throws CommandError for a text that cannot be sent. */
function encoded(text: string, ending: LineEnding, options: OptionValues): Uint8Array {
  const limit = Number.POSITIVE_INFINITY;
  const read =
    options['escapes'] === true
      ? encodeEscaped(text, ending, limit)
      : encodePinned(text, options['hex'] === true ? 'hex' : 'text', ending, limit);
  if (!read.ok) {
    throw new CommandError(exitCodes.usage, read.message);
  }
  return read.bytes;
}
