/** `wirebench decode`: the frames of a log, as the page shows them. */
import { once } from 'node:events';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { systemClock } from '@wirebench/clock';
import { type FieldValue, pcapngFrame, pcapngStart } from '@wirebench/frames';
import { joined } from '@wirebench/port/bytes';
import { hexText, type LineQuery, localStamp, parseFilterField, wordsOfFrame } from '@wirebench/serial';
import {
  FramedLog,
  HEAD_BYTES,
  type LoggedFrame,
  type LogSource,
  logPrograms,
  recogniseLog,
} from '@wirebench/serial/opened-log';
import { type Paint, paintFor } from '../colours.ts';
import type { OptionValues } from '../commands/command.ts';
import { CommandError, type ExitCode, exitCodes } from '../exit-code.ts';
import { readGiven, readStandardInput } from '../given-file.ts';
import { type Interruption, interruption } from '../interruption.ts';
import { printable } from '../printable.ts';
import { isForced, refuseExisting, saveFile } from '../saved-file.ts';
import { readerFor } from './given-decoders.ts';

interface GivenLog {
  readonly source: LogSource;
  /** Name in sentences. */
  readonly name: string;
  /** Last change, in milliseconds since the Unix epoch; null: unknown. */
  readonly lastModified: number | null;
  close(): Promise<void>;
}

export async function runDecode([log = '']: readonly string[], options: OptionValues): Promise<ExitCode> {
  const { json, csv, pcapng, find } = options;
  if ([json, csv, pcapng].filter((one) => one !== undefined).length > 1) {
    throw new CommandError(exitCodes.usage, '--json, --csv and --pcapng are three outputs: name one of them.');
  }
  const ended = interruption();
  const query = typeof find === 'string' ? queryOf(find) : null;
  const { reader, isText, title, warnings } = await readerFor(options);
  if (typeof pcapng === 'string' && pcapng !== '-') {
    await refuseLog(pcapng, log);
    await refuseExisting(pcapng, isForced(options));
  }
  const given = await openLog(log, ended);
  try {
    const { source, lastModified, name } = given;
    const form = recogniseLog(await source.read(0, Math.min(HEAD_BYTES, source.size)));
    const said = [...warnings, ...(form.candidates.length === 0 ? [] : [timesText(name, form.candidates)])];
    for (const sentence of said) {
      process.stderr.write(`wirebench: ${printable(sentence)}\n`);
    }
    const frames = new FramedLog({
      clock: systemClock,
      source,
      form,
      reader,
      isText,
      query,
      lastModified,
      signal: ended.signal,
    });
    if (typeof pcapng === 'string' && pcapng !== '-') {
      await saveFile(pcapng, captureOf(frames), { replaces: isForced(options) });
    } else {
      await print(outputOf(frames, options), ended.signal);
    }
    if (frames.whole === 0) {
      const wanted = query === null ? `no whole frame of ${title}` : `no frame of ${title} that ${find} finds`;
      throw new CommandError(exitCodes.failed, printable(`there is ${wanted} in ${name}.`));
    }
    return exitCodes.ok;
  } catch (error) {
    if (ended.signal.aborted) {
      return ended.exitCode();
    }
    throw error;
  } finally {
    await given.close();
  }
}

function timesText(name: string, candidates: readonly (keyof typeof logPrograms)[]): string {
  const titles = candidates.map((one) => logPrograms[one].title).join(' or ');
  return `the times of ${name} are left out, because they may be those of ${titles}.`;
}

function queryOf(text: string): LineQuery {
  const field = parseFilterField(text);
  if (!field.ok) {
    throw new CommandError(exitCodes.usage, printable(`--find ${text}: ${field.message}`));
  }
  return field.query;
}

/** @throws CommandError for a file that cannot be read. */
async function openLog(path: string, ended: Interruption): Promise<GivenLog> {
  if (path === '-') {
    const exit = () => process.exit(ended.exitCode());
    ended.signal.addEventListener('abort', exit);
    const bytes = await readStandardInput();
    ended.signal.removeEventListener('abort', exit);
    return held(bytes, 'standard input');
  }
  const refuse = (error: Error) =>
    new CommandError(exitCodes.usage, `the file cannot be read: ${error.message}`, { cause: error });
  const facts = await stat(path).catch((error: Error) => {
    throw refuse(error);
  });
  const name = basename(path);
  if (!facts.isFile()) {
    // A pipe of the shell has no size.
    return held(await readGiven(path), name);
  }
  const file = await open(path).catch((error: Error) => {
    throw refuse(error);
  });
  const read = async (from: number, to: number) => {
    const bytes = new Uint8Array(to - from);
    for (let at = 0; at < bytes.length; ) {
      const { bytesRead } = await file.read(bytes, at, bytes.length - at, from + at).catch((error: Error) => {
        throw refuse(error);
      });
      if (bytesRead === 0) {
        throw refuse(new Error('it became shorter'));
      }
      at += bytesRead;
    }
    return bytes;
  };
  const source = { size: facts.size, read };
  return { source, name, lastModified: facts.mtimeMs, close: () => file.close() };
}

function held(bytes: Uint8Array<ArrayBuffer>, name: string): GivenLog {
  const source = { size: bytes.length, read: async (from: number, to: number) => bytes.slice(from, to) };
  return { source, name, lastModified: null, close: async () => undefined };
}

/** @throws CommandError if the capture would replace the log. */
async function refuseLog(path: string, log: string): Promise<void> {
  const [one, other] = await Promise.all([path, log].map((file) => stat(file).catch(() => null)));
  if (one != null && other != null && one.dev === other.dev && one.ino === other.ino) {
    throw new CommandError(exitCodes.usage, `${path} is the log itself: name another file for the capture.`);
  }
}

function outputOf(frames: FramedLog, options: OptionValues): AsyncIterable<string | Uint8Array> {
  if (options['csv'] === true) {
    return frames.csv();
  }
  if (options['pcapng'] !== undefined) {
    return captureOf(frames);
  }
  const paint = paintFor(process.stdout);
  return rowsOf(frames, options['json'] === true ? jsonOf : (frame) => rowOf(frame, paint));
}

async function* rowsOf(frames: FramedLog, text: (frame: LoggedFrame) => string): AsyncGenerator<string> {
  let rows = '';
  for await (const frame of frames.frames()) {
    rows += text(frame);
    if (rows.length >= CHUNK) {
      yield rows;
      rows = '';
    }
  }
  yield rows;
}

/** Characters or bytes that are written together. */
const CHUNK = 1 << 16;

/** Prints as fast as the reader takes it. */
async function print(pieces: AsyncIterable<string | Uint8Array>, signal: AbortSignal): Promise<void> {
  for await (const piece of pieces) {
    signal.throwIfAborted();
    if (piece.length > 0 && !process.stdout.write(piece)) {
      await once(process.stdout, 'drain', { signal });
    }
  }
}

async function* captureOf(frames: FramedLog): AsyncGenerator<Uint8Array> {
  let blocks: Uint8Array<ArrayBuffer>[] = [pcapngStart('wirebench')];
  let length = 0;
  // A frame without a time is one with that of the frame before.
  let last = 0;
  for await (const { framed, direction, at, bytes, content } of frames.frames()) {
    last = Number.isNaN(at) ? last : at;
    const { text, aside } = wordsOfFrame(framed, content);
    const comment = [text, aside].filter((words) => words !== '').join(' · ');
    const block = pcapngFrame({ bytes, decoder: framed.frame.decoder, direction, at: last, comment });
    blocks.push(block);
    length += block.length;
    if (length >= CHUNK) {
      yield joined(...blocks);
      blocks = [];
      length = 0;
    }
  }
  yield joined(...blocks);
}

const stateColours = { exception: 'red', broken: 'red', silent: 'yellow', 'left-over': 'dim', right: null } as const;

/** Returns `2026-11-20 14:03:05.123  RX  07  read 40001–40004: 231, 0, 12, 4  18 ms`. */
function rowOf({ direction, at, isDated, content, framed }: LoggedFrame, paint: Paint): string {
  const { text, who, aside, state } = wordsOfFrame(framed, content);
  const colour = stateColours[state];
  const words = printable(text);
  const cells = [
    paint('dim', localStamp(at, isDated)),
    direction === 'sent' ? 'TX' : 'RX',
    paint('cyan', printable(who)),
    colour === null ? words : paint(colour, words),
    paint(state === 'silent' ? 'yellow' : 'dim', aside),
  ];
  return `${[localStamp(at, isDated), direction, who, text, aside]
    .flatMap((cell, index) => (cell === '' ? [] : [cells[index]]))
    .join('  ')}\n`;
}

/** Digits of milliseconds: ports have times in microseconds. */
const rounded = (ms: number) => Number(ms.toFixed(3));

function jsonOf({ direction, at, isDated, bytes, content, framed }: LoggedFrame): string {
  const { frame, number, role, question, ms, isLate, unanswered, missing } = framed;
  const { text, who } = wordsOfFrame(framed, content);
  const isTimed = !Number.isNaN(at);
  const present = frame.fields.filter(({ value }) => value !== null);
  const record = {
    number,
    ...(isTimed && isDated && { at: new Date(at).toISOString() }),
    ...(isTimed && !isDated && { time: localStamp(at, false) }),
    direction,
    decoder: frame.decoder,
    who,
    message: frame.message,
    // The words of the table that `--csv` prints.
    state: unanswered === null ? frame.kind : 'no answer',
    // Bytes that are no whole frame belong to none.
    role: framed.kind === 'frame' ? role : '',
    ...(question !== null && { question }),
    text,
    ...(ms !== null && { ms: rounded(ms) }),
    ...(isLate && { late: true }),
    ...(unanswered !== null && { noAnswerAfter: rounded(unanswered) }),
    ...(missing > 0 && { missing }),
    ...(frame.adapterAt !== undefined && { adapterMs: frame.adapterAt }),
    bytes: hexText(bytes),
    fields: Object.fromEntries(present.map(({ name, value }) => [name, jsonValue(value)])),
    // A field without a value may have words: those of a fault.
    names: Object.fromEntries(frame.fields.flatMap(({ name, named }) => (named ? [[name, named]] : []))),
    units: Object.fromEntries(present.flatMap(({ name, unit }) => (unit ? [[name, unit]] : []))),
  };
  const isAbsent = (value: unknown) =>
    value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
  return `${JSON.stringify(Object.fromEntries(Object.entries(record).filter(([, value]) => !isAbsent(value))))}\n`;
}

/** Numbers that JSON has no room for are texts: 64-bit ones, and `NaN` and `Infinity`. */
function jsonValue(value: FieldValue): unknown {
  if (value instanceof Uint8Array) {
    return hexText(value);
  }
  return typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value)) ? String(value) : value;
}
