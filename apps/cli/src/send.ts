/** `wirebench send`: text, bytes or a file to a port. */
import { systemClock } from '@wirebench/clock';
import { type CloseReport, linesToSet, type SerialLink, unlessAborted } from '@wirebench/port';
import { encodeEscaped, encodeInput, type LineEnding, PacedSender } from '@wirebench/serial';
import type { TransferOutcome, TransferProtocol } from '@wirebench/serial/transfer';
import { type AwaitedTexts, forbiddenText, missedText, readAwaited, readWait, watchFor } from './awaited-text.ts';
import { BoardScreen } from './board-screen.ts';
import type { OptionValues } from './commands/command.ts';
import { CommandError, type ExitCode, exitCodes } from './exit-code.ts';
import { readGiven } from './given-file.ts';
import { absentPort, type GivenPort, givenPort, presentPort, serialOf, unnamedPort } from './given-ports.ts';
import { interruption } from './interruption.ts';
import { openNamedLink } from './named-link.ts';
import { type GivenSettings, oneOf, readPieces, readSettings } from './port-options.ts';
import type { FileTransfer } from './send-transfer.ts';

const protocols = ['xmodem', 'xmodem-1k', 'ymodem', 'zmodem'] as const satisfies readonly TransferProtocol[];
const endings = ['none', 'lf', 'cr', 'crlf'] as const satisfies readonly LineEnding[];
/** Longest wait for `--until` and `--fail-on` without `--timeout`, in milliseconds. */
const STANDARD_WAIT = 10_000;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

export async function runSend([name = '', ...words]: readonly string[], options: OptionValues): Promise<ExitCode> {
  if (name === '') {
    throw await unnamedPort('name a port.');
  }
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
  const pieces = transfer === null ? await piecesToSend(words, options) : [];
  const given = await givenPort(name);
  const device = await presentPort(serialOf([given]), given, settings.native);
  if (device === null) {
    throw await absentPort(given);
  }
  return exchange({ given, device, settings, sender, pieces, transfer, awaited, wait });
}

interface Sending {
  readonly given: GivenPort;
  readonly device: SerialPort;
  readonly settings: GivenSettings;
  readonly sender: PacedSender;
  /** Bytes to send, as they come. */
  readonly pieces: AsyncIterable<Uint8Array> | readonly Uint8Array[];
  /** Sends in place of the pieces; null without a protocol. */
  readonly transfer: FileTransfer | null;
  readonly awaited: AwaitedTexts;
  /** Longest time for the answer from the last bytes on, in milliseconds. 0: what comes is not printed. */
  readonly wait: number;
}

async function exchange({
  given,
  device,
  settings: { settings },
  sender,
  pieces,
  transfer,
  awaited,
  wait,
}: Sending): Promise<ExitCode> {
  const ended = interruption();
  const outcome = new AbortController();
  const screen = new BoardScreen();
  /** Bytes received before the current piece, and up to the end of the text that came. */
  let before = 0;
  let shown = Number.POSITIVE_INFINITY;
  const watch = watchFor(awaited, ({ code, end, forbidden }) => {
    shown = end;
    if (forbidden !== null) {
      process.stderr.write(`wirebench: ${forbiddenText(forbidden)}\n`);
    }
    outcome.abort(code);
  });
  const show = (received: Uint8Array) => {
    if (wait > 0 && !outcome.signal.aborted) {
      watch?.take(received);
      screen.write(received.subarray(0, Math.max(0, shown - before)));
      before += received.length;
    }
  };
  const link = await openNamedLink({
    given,
    device,
    settings,
    lines: linesToSet(settings.linesAtOpen) ?? null,
    received: (received) => {
      if (transfer?.takes(received) !== true) {
        show(received);
      }
    },
    ended: () => {
      if (!outcome.signal.aborted) {
        process.stderr.write('wirebench: the port was unplugged.\n');
        outcome.abort(exitCodes.noPort);
      }
    },
  });
  const timeIsUp = new AbortController();
  let cancelTime: () => void = () => undefined;
  const restartTime = () => {
    cancelTime();
    cancelTime = wait === 0 ? () => undefined : systemClock.schedule(wait, () => timeIsUp.abort());
  };
  const stop = AbortSignal.any([outcome.signal, ended.signal, timeIsUp.signal]);
  try {
    link.start();
    if (transfer !== null) {
      const { outcome: end, rest } = await transfer.run(link, given.label, settings, ended.signal);
      if (end !== 'complete') {
        return ended.signal.aborted ? ended.exitCode() : codeOf(end);
      }
      show(rest);
    }
    restartTime();
    const sent = await unlessAborted(
      sendAll(pieces, stop, async (piece) => {
        cancelTime();
        await inPieces(sender, link, piece);
        await link.drain();
        restartTime();
      }),
      stop,
    );
    if (sent === 0 && transfer === null) {
      throw new CommandError(exitCodes.usage, 'the input is empty: there is nothing to send.');
    }
    if (wait > 0 && !stop.aborted) {
      await unlessAborted(new Promise(() => undefined), stop);
    }
    watch?.pause();
    if (ended.signal.aborted) {
      return ended.exitCode();
    }
    if (outcome.signal.aborted) {
      return outcome.signal.reason as ExitCode;
    }
    if (awaited.until === null) {
      return exitCodes.ok;
    }
    process.stderr.write(`wirebench: ${missedText(awaited.until, wait)}\n`);
    return exitCodes.failed;
  } finally {
    cancelTime();
    watch?.stop();
    screen.end();
    reportUnsent(await link.close());
  }
}

const codeOf = (end: TransferOutcome): ExitCode => (end === 'closed' ? exitCodes.noPort : exitCodes.failed);

/** Sends each piece when it has come, until the signal aborts. Returns the number of bytes that came. */
async function sendAll(
  pieces: Sending['pieces'],
  stop: AbortSignal,
  send: (piece: Uint8Array) => Promise<void>,
): Promise<number> {
  let given = 0;
  for await (const piece of pieces) {
    if (stop.aborted) {
      break;
    }
    given += piece.length;
    await send(piece);
  }
  return given;
}

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

/** @throws CommandError for input that cannot be sent. */
async function piecesToSend(words: readonly string[], options: OptionValues): Promise<Sending['pieces']> {
  const { file } = options;
  if (typeof file === 'string') {
    return [await readGiven(file)];
  }
  if (words.length === 1 && words[0] === '-') {
    return process.stdin;
  }
  const ending = oneOf(options['ending'], '--ending', endings) ?? 'lf';
  const encode = (text: string) => encoded(text, ending, options);
  if (words.length > 0) {
    return [encode(words.join(' '))];
  }
  if (process.stdin.isTTY) {
    throw new CommandError(exitCodes.usage, 'there is nothing to send: give a text, - or --file <file>.');
  }
  const isPlain = options['escapes'] !== true && options['hex'] !== true;
  const end = encode('');
  return linesOf(process.stdin, (line) =>
    // Bytes that are no UTF-8 stay as they are.
    isPlain ? Buffer.concat([line, end]) : encode(new TextDecoder().decode(line)),
  );
}

/** Yields the lines of a stream as soon as they end. The line endings \n and \r\n are left out. */
async function* linesOf(
  stream: AsyncIterable<Buffer>,
  encode: (line: Uint8Array) => Uint8Array,
): AsyncGenerator<Uint8Array, void> {
  let open: Buffer[] = [];
  for await (const piece of stream) {
    const lines: Uint8Array[] = [];
    let from = 0;
    for (let at = piece.indexOf(LINE_FEED); at !== -1; at = piece.indexOf(LINE_FEED, from)) {
      const line = Buffer.concat([...open, piece.subarray(from, at)]);
      lines.push(encode(line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line));
      open = [];
      from = at + 1;
    }
    open.push(piece.subarray(from));
    if (lines.length > 0) {
      yield Buffer.concat(lines);
    }
  }
  const rest = Buffer.concat(open);
  if (rest.length > 0) {
    yield encode(rest);
  }
}

/** @throws CommandError for a text that cannot be sent. */
function encoded(text: string, ending: LineEnding, options: OptionValues): Uint8Array {
  const limit = Number.POSITIVE_INFINITY;
  const read =
    options['escapes'] === true
      ? encodeEscaped(text, ending, limit)
      : encodeInput(text, options['hex'] === true ? 'hex' : 'text', ending, limit);
  if (!read.ok) {
    throw new CommandError(exitCodes.usage, read.message);
  }
  return read.bytes;
}
