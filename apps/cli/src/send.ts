/** `wirebench send`: text, bytes or a file to a port. */
import { systemClock } from '@wirebench/clock';
import { type CloseReport, linesToSet, type SerialLink, unlessAborted } from '@wirebench/port';
import { encodeEscaped, encodeInput, type LineEnding, PacedSender } from '@wirebench/serial';
import { type AwaitedTexts, forbiddenText, missedText, readAwaited, readWait, watchFor } from './awaited-text.ts';
import type { OptionValues } from './commands/command.ts';
import { CommandError, type ExitCode, exitCodes } from './exit-code.ts';
import { readGiven, readStandardInput } from './given-file.ts';
import { absentPort, type GivenPort, givenPort, presentPort, serialOf, unnamedPort } from './given-ports.ts';
import { interruption } from './interruption.ts';
import { openNamedLink } from './named-link.ts';
import { type GivenSettings, readPieces, readSettings } from './port-options.ts';

const endings = ['none', 'lf', 'cr', 'crlf'] as const satisfies readonly LineEnding[];
/** Longest wait for `--until` and `--fail-on` without `--timeout`, in milliseconds. */
const STANDARD_WAIT = 10_000;

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
  const bytes = await bytesToSend(words, options);
  const given = await givenPort(name);
  const device = await presentPort(serialOf([given]), given, settings.native);
  if (device === null) {
    throw await absentPort(given);
  }
  return exchange({ given, device, settings, sender, bytes, awaited, wait });
}

interface Sending {
  readonly given: GivenPort;
  readonly device: SerialPort;
  readonly settings: GivenSettings;
  readonly sender: PacedSender;
  readonly bytes: Uint8Array;
  readonly awaited: AwaitedTexts;
  /** Longest time for the answer, in milliseconds. 0: what comes is not printed. */
  readonly wait: number;
}

async function exchange({
  given,
  device,
  settings: { settings },
  sender,
  bytes,
  awaited,
  wait,
}: Sending): Promise<ExitCode> {
  const ended = interruption();
  const outcome = new AbortController();
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
  const link = await openNamedLink({
    given,
    device,
    settings,
    lines: linesToSet(settings.linesAtOpen) ?? null,
    received: (received) => {
      if (wait > 0 && !outcome.signal.aborted) {
        watch?.take(received);
        process.stdout.write(received.subarray(0, Math.max(0, shown - before)));
        before += received.length;
      }
    },
    ended: () => outcome.abort(exitCodes.failed),
  });
  const stop = AbortSignal.any([outcome.signal, ended.signal]);
  try {
    link.start();
    await unlessAborted(
      inPieces(sender, link, bytes).then(() => link.drain()),
      stop,
    );
    if (wait > 0) {
      await systemClock.sleep(wait, stop).catch(() => 'the answer has come');
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
    watch?.stop();
    reportUnsent(await link.close());
  }
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

/** @throws CommandError for input that cannot be sent. */
async function bytesToSend(words: readonly string[], options: OptionValues): Promise<Uint8Array> {
  const { file } = options;
  if (typeof file === 'string') {
    return readGiven(file);
  }
  if (words.length === 1 && words[0] === '-') {
    return readStandardInput();
  }
  if (words.length === 0) {
    throw new CommandError(exitCodes.usage, 'there is nothing to send: give a text, - or --file <file>.');
  }
  const text = words.join(' ');
  const ending = endings.find((one) => one === (options['ending'] ?? 'lf'));
  if (ending === undefined) {
    throw new CommandError(exitCodes.usage, `--ending takes ${endings.join(', ')}, and not ${options['ending']}.`);
  }
  const limit = Number.POSITIVE_INFINITY;
  const encoded =
    options['escapes'] === true
      ? encodeEscaped(text, ending, limit)
      : encodeInput(text, options['hex'] === true ? 'hex' : 'text', ending, limit);
  if (!encoded.ok) {
    throw new CommandError(exitCodes.usage, encoded.message);
  }
  return encoded.bytes;
}
