/** One recording: its text, its ports' bytes, and its entry in the list of recordings. */
import type { Clock } from '@wirebench/clock';
import { type Bench, exportFileName, type LogFeed, type PortNumber } from '@wirebench/serial';
import type { RecordingRequest, RunningRecording, StoppedRecording } from '../../protocol/bench/recording-part.ts';
import {
  endLine,
  indexName,
  type RecordingEnd,
  rawFileName,
  startLine,
  textFileName,
} from '../../protocol/recording-index.ts';
import { failureReason } from './recording-failure.ts';
import type { OpenRecordingFile, RecordingFile } from './recording-file.ts';
import { RecordingTrack } from './recording-track.ts';

/** Received bytes after which lines are taken from the log, so that none has left a full buffer before. */
const bytesPerRead = 64 << 10;

const lineFeed = 0x0a;

export interface RecordingParts {
  readonly clock: Clock;
  readonly open: OpenRecordingFile;
  readonly logFeed: Bench['logFeed'];
  /** Called with the browser's error if a file cannot be written between two calls. */
  readonly onFailure: (recording: Recording, error: unknown) => void;
}

export class Recording {
  readonly id: string;
  readonly #request: RecordingRequest;
  readonly #clock: Clock;
  readonly #since: number;
  /** Open for the whole recording: its lock tells other tabs that the recording is running. Null: no list. */
  readonly #index: RecordingFile | null;
  readonly #text: { readonly track: RecordingTrack; readonly feed: LogFeed } | null;
  readonly #raw: ReadonlyMap<PortNumber, RecordingTrack>;
  #unread = 0;
  #lines = 0;

  /** Opens the files. Rejects with the browser's error, without leaving a file. */
  static async open(request: RecordingRequest, parts: RecordingParts): Promise<Recording> {
    const since = parts.clock.wallTime();
    const stem = exportFileName(new Date(since), 'bin').replace(/\.bin$/, '');
    for (let number = 1; ; number++) {
      try {
        return await openAs(number === 1 ? stem : `${stem}-${number}`, request, since, parts);
      } catch (error) {
        if (!isTaken(error) || number === 99) {
          throw error;
        }
      }
    }
  }

  constructor(id: string, request: RecordingRequest, since: number, clock: Clock, opened: OpenedFiles) {
    this.id = id;
    this.#request = request;
    this.#since = since;
    this.#clock = clock;
    this.#index = opened.index;
    this.#text = opened.text;
    this.#raw = opened.raw;
  }

  get #tracks(): readonly RecordingTrack[] {
    return [...(this.#text === null ? [] : [this.#text.track]), ...this.#raw.values()];
  }

  get status(): RunningRecording {
    const { kind, ports, folder } = this.#request;
    return {
      id: this.id,
      kind,
      ports,
      since: this.#since,
      bytes: this.#tracks.reduce((sum, track) => sum + track.bytes, 0),
      lines: this.#lines,
      files: this.#tracks.reduce((sum, track) => sum + track.files, 0),
      durable: this.#tracks.every((track) => track.durable),
      folder: folder?.name ?? null,
    };
  }

  /** Takes received bytes, which are on the timeline already. Throws the browser's error. */
  received(port: PortNumber, bytes: Uint8Array): void {
    this.#raw.get(port)?.append(bytes);
    if (this.#text !== null) {
      this.#unread += bytes.length;
      if (this.#unread >= bytesPerRead) {
        this.readLines('wait');
      }
    }
  }

  /** Takes new lines from the log. Throws the browser's error. */
  readLines(open: 'wait' | 'take'): void {
    if (this.#text !== null) {
      this.#unread = 0;
      for (const lines of this.#text.feed.read(open)) {
        this.#text.track.append(lines);
        this.#lines += countOf(lineFeed, lines);
      }
    }
  }

  /** Writes what was gathered. Throws the browser's error. */
  write(): void {
    this.readLines('wait');
    for (const track of this.#tracks) {
      track.write();
    }
  }

  flush(): void {
    for (const track of this.#tracks) {
      track.flush();
    }
  }

  /**
   * Closes the files.
   *
   * @param failed Reason for which the recording ends early; null: its user ends it. Then the rest is written first.
   * @returns The files, and the first error of closing them.
   */
  async close(failed: RecordingEnd | null): Promise<{ readonly stopped: StoppedRecording; readonly error: unknown }> {
    let error: unknown = null;
    if (failed === null) {
      try {
        this.readLines('take');
      } catch (reason) {
        error = reason;
      }
    }
    const ended = this.#tracks.map((track) => (failed === null ? track.close() : track.abandon()));
    const closed = await Promise.allSettled(ended);
    error ??= closed.find((result) => result.status === 'rejected')?.reason ?? null;
    const files = this.#tracks.flatMap((track) => track.names);
    await this.#endIndex(failed ?? (error === null ? 'stopped' : failureReason(error)), files.length);
    return { stopped: { id: this.id, files, folder: this.#request.folder?.name ?? null }, error };
  }

  /** A recording without files leaves the list. A full disk must not keep the entry from being closed. */
  async #endIndex(end: RecordingEnd, files: number): Promise<void> {
    if (this.#index === null) {
      return;
    }
    if (files === 0) {
      await this.#index.discard();
      return;
    }
    try {
      this.#index.write(endLine({ endedAt: this.#clock.wallTime(), end }));
      this.#index.flush();
    } catch (error) {
      if (!(error instanceof DOMException)) {
        throw error;
      }
    }
    await this.#index.close().catch(() => undefined);
  }
}

interface OpenedFiles {
  readonly index: RecordingFile | null;
  readonly text: { readonly track: RecordingTrack; readonly feed: LogFeed } | null;
  readonly raw: ReadonlyMap<PortNumber, RecordingTrack>;
}

async function openAs(
  id: string,
  request: RecordingRequest,
  since: number,
  { clock, open, logFeed, onFailure }: RecordingParts,
): Promise<Recording> {
  const { kind, ports, portNames, splitBytes, folder } = request;
  let recording: Recording | null = null;
  const track = (nameOf: (part: number | null) => string, keepsLines: boolean) =>
    RecordingTrack.open({
      open: (part) => open(nameOf(splitBytes === null ? null : part), folder),
      splitBytes,
      keepsLines,
      onFailure: (error) => {
        if (recording !== null) {
          onFailure(recording, error);
        }
      },
    });
  const tracks: RecordingTrack[] = [];
  const raw = new Map<PortNumber, RecordingTrack>();
  let index: RecordingFile | null = null;
  let text: RecordingTrack | null = null;
  try {
    if (folder === null) {
      index = await open(indexName(id), null);
      index.write(startLine({ kind, ports, portNames, splitBytes, startedAt: since }));
      index.flush();
    }
    if (kind !== 'raw') {
      text = await track((part) => textFileName(id, part), true);
      tracks.push(text);
    }
    for (const port of kind === 'text' ? [] : ports) {
      const opened = await track((part) => rawFileName(id, port, part), false);
      tracks.push(opened);
      raw.set(port, opened);
    }
  } catch (error) {
    await Promise.allSettled([...tracks.map((opened) => opened.close()), index?.discard()]);
    throw error;
  }
  const lines = text === null ? null : { track: text, feed: logFeed({ ports, portNames }) };
  recording = new Recording(id, request, since, clock, { index, text: lines, raw });
  return recording;
}

/** Returns how often `byte` is in `bytes`. */
function countOf(byte: number, bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(byte); at !== -1; at = bytes.indexOf(byte, at + 1)) {
    count++;
  }
  return count;
}

/** Returns true if another recording has a file of that name. */
function isTaken(error: unknown): boolean {
  return (
    error instanceof DOMException &&
    (error.name === 'InvalidModificationError' || error.name === 'NoModificationAllowedError')
  );
}
