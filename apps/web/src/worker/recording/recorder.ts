/**
 * Writes every received byte to a file for its port. Bytes are gathered for a second or until the buffer is full, so
 * a crash loses at most the last second.
 */
import type { Clock } from '@wirebench/clock';
import { exportFileName, type PortNumber, portNumbers } from '@wirebench/serial';
import type { RecordingFailure, RecordingStatus } from '../../protocol/bench-protocol.ts';
import type { OpenRecordingFile, RecordingFile } from './recording-file.ts';

/** Bytes gathered before they are written. */
const bufferBytes = 256 << 10;
/** Longest time for which bytes wait for a write, in milliseconds. */
const writeInterval = 1_000;
/** Number of writes after which the file is flushed to the disk, so that a power cut loses little. */
const writesPerFlush = 10;

export interface RecorderOptions {
  readonly clock: Clock;
  readonly open: OpenRecordingFile;
  /** Called when the recording has failed. Its files are closed already. */
  readonly onFailure: (reason: RecordingFailure) => void;
}

interface Track {
  readonly file: RecordingFile;
  readonly buffer: Uint8Array<ArrayBuffer>;
  filled: number;
  written: number;
}

export class Recorder {
  readonly #options: RecorderOptions;
  #tracks: ReadonlyMap<PortNumber, Track> | null = null;
  #status: RecordingStatus = { state: 'off' };
  #cancelTimer: (() => void) | undefined;
  #writes = 0;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  get status(): RecordingStatus {
    const tracks = this.#tracks;
    if (this.#status.state !== 'recording' || tracks === null) {
      return this.#status;
    }
    return { ...this.#status, bytes: bytesOf(tracks) };
  }

  /**
   * Starts a recording. Once it resolves, every received byte goes into a file. Rejects if a recording is running or
   * a file cannot be created.
   */
  async start(): Promise<void> {
    if (this.#status.state === 'recording') {
      throw new Error('A recording is already running.');
    }
    const since = this.#options.clock.now();
    this.#status = { state: 'recording', since, bytes: 0, durable: true };
    const stem = exportFileName(new Date(since), 'bin').replace(/\.bin$/, '');
    const opened = new Map<PortNumber, Track>();
    try {
      for (const port of portNumbers) {
        const file = await this.#options.open(`${stem}-port-${port}.bin`);
        opened.set(port, { file, buffer: new Uint8Array(bufferBytes), filled: 0, written: 0 });
      }
    } catch (error) {
      this.#status = { state: 'off' };
      await closeAll(opened);
      throw error;
    }
    this.#tracks = opened;
    const durable = [...opened.values()].every(({ file }) => file.durable);
    this.#status = { state: 'recording', since, bytes: 0, durable };
    this.#scheduleWrite();
  }

  received(port: PortNumber, bytes: Uint8Array): void {
    const track = this.#tracks?.get(port);
    if (track !== undefined) {
      this.#guarded(() => append(track, bytes));
    }
  }

  /**
   * Closes the files.
   * @returns Names of the files that are not empty.
   */
  async stop(): Promise<readonly string[]> {
    if (this.#status.state === 'failed') {
      const { files } = this.#status;
      this.#status = { state: 'off' };
      return files;
    }
    this.#guarded(() => this.#writeAll());
    // The last write may have failed. Then the files are closed and `onFailure` was called.
    const { files, failure } = await this.#close();
    if (this.#status.state === 'recording') {
      this.#status = { state: 'off' };
      if (failure !== null) {
        this.#options.onFailure(reasonOf(failure.reason));
      }
    }
    return files;
  }

  #scheduleWrite(): void {
    this.#cancelTimer = this.#options.clock.schedule(writeInterval, () => {
      this.#scheduleWrite();
      this.#guarded(() => {
        this.#writeAll();
        this.#writes++;
        if (this.#writes % writesPerFlush === 0) {
          this.#tracks?.forEach(({ file }) => {
            file.flush();
          });
        }
      });
    });
  }

  #writeAll(): void {
    this.#tracks?.forEach(writeOut);
  }

  #guarded(write: () => void): void {
    try {
      write();
    } catch (error) {
      const reason = reasonOf(error);
      const tracks = this.#tracks ?? new Map<PortNumber, Track>();
      this.#status = { state: 'failed', reason, bytes: bytesOf(tracks), files: namesOf(tracks) };
      void this.#close().then(() => this.#options.onFailure(reason));
    }
  }

  async #close(): Promise<{ readonly files: readonly string[]; readonly failure: PromiseRejectedResult | null }> {
    const tracks = this.#tracks ?? new Map<PortNumber, Track>();
    this.#tracks = null;
    this.#cancelTimer?.();
    return { files: namesOf(tracks), failure: await closeAll(tracks) };
  }
}

/**
 * Closes all files, even if one fails.
 * @returns The first failure.
 */
async function closeAll(tracks: ReadonlyMap<PortNumber, Track>): Promise<PromiseRejectedResult | null> {
  const closed = await Promise.allSettled([...tracks.values()].map(({ file }) => file.close()));
  return closed.find((result) => result.status === 'rejected') ?? null;
}

function reasonOf(error: unknown): RecordingFailure {
  return error instanceof DOMException && error.name === 'QuotaExceededError' ? 'storage-full' : 'not-writable';
}

function append(track: Track, bytes: Uint8Array): void {
  for (let from = 0; from < bytes.length; ) {
    const room = track.buffer.length - track.filled;
    const piece = bytes.subarray(from, from + room);
    track.buffer.set(piece, track.filled);
    track.filled += piece.length;
    from += piece.length;
    if (track.filled === track.buffer.length) {
      writeOut(track);
    }
  }
}

function writeOut(track: Track): void {
  if (track.filled > 0) {
    track.file.write(track.buffer.subarray(0, track.filled));
    track.written += track.filled;
    track.filled = 0;
  }
}

const bytesOf = (tracks: ReadonlyMap<PortNumber, Track>) =>
  [...tracks.values()].reduce((sum, { written, filled }) => sum + written + filled, 0);

const namesOf = (tracks: ReadonlyMap<PortNumber, Track>) =>
  [...tracks.values()].filter(({ written }) => written > 0).map(({ file }) => file.name);
