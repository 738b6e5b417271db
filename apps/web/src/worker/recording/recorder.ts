/**
 * Runs the recordings of a bench. Bytes and lines are gathered for a second or until a buffer is full, so a crash
 * loses at most the last second.
 */
import type { Clock } from '@wirebench/clock';
import type { Bench, PortNumber } from '@wirebench/serial';
import type { RecordingRequest, RunningRecording, StoppedRecording } from '../../protocol/bench/recording-part.ts';
import type { RecordingFailure } from '../../protocol/recording-index.ts';
import { Recording } from './recording.ts';
import { failureReason } from './recording-failure.ts';
import type { OpenRecordingFile } from './recording-file.ts';

/** Longest time for which bytes wait for a write, in milliseconds. */
const writeInterval = 1_000;
/** Number of writes after which the files are flushed to the disk, so that a power cut loses little. */
const writesPerFlush = 10;

export interface RecorderOptions {
  readonly clock: Clock;
  readonly open: OpenRecordingFile;
  readonly logFeed: Bench['logFeed'];
  /** Called when the figures of the running recordings may have changed: after each write. */
  readonly onFigures: () => void;
  /** Called when a recording has failed. Its files are closed already. */
  readonly onFailure: (reason: RecordingFailure, stopped: StoppedRecording) => void;
}

export class Recorder {
  readonly #options: RecorderOptions;
  readonly #running = new Set<Recording>();
  /** Ended recordings whose files are being closed. */
  readonly #closing = new Set<Recording>();
  #cancelTimer: (() => void) | null = null;
  #writes = 0;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** Recordings until their files are closed, oldest first. */
  get running(): readonly RunningRecording[] {
    return [...this.#running, ...this.#closing].map(({ status }) => status).sort((a, b) => a.since - b.since);
  }

  /**
   * Starts a recording beside those that run. Once it resolves, everything that arrives goes into its files. Rejects
   * with the browser's error if a file cannot be created.
   */
  async start(request: RecordingRequest): Promise<string> {
    const { clock, open, logFeed } = this.#options;
    const recording = await Recording.open(request, {
      clock,
      open,
      logFeed,
      onFailure: (failed, error) => this.#fail(failed, error),
    });
    this.#running.add(recording);
    if (this.#cancelTimer === null) {
      this.#scheduleWrite();
    }
    return recording.id;
  }

  /** Takes bytes that a port has received, after they are on the timeline. */
  received(port: PortNumber, bytes: Uint8Array): void {
    this.#each((recording) => recording.received(port, bytes));
  }

  /** Takes the lines that have an end. Call this before the log gets smaller. */
  readLines(): void {
    this.#each((recording) => recording.readLines('wait'));
  }

  /** Takes all lines, open ones as they are. Call this before the log is cleared. */
  takeLines(): void {
    this.#each((recording) => recording.readLines('take'));
  }

  /**
   * Stops a recording.
   * @returns Its files; null if it is not running any more.
   */
  async stop(id: string): Promise<StoppedRecording | null> {
    const recording = [...this.#running].find((running) => running.id === id);
    if (recording === undefined) {
      return null;
    }
    const { stopped, error } = await this.#close(recording, null);
    if (error !== null) {
      this.#options.onFailure(failureReason(error), stopped);
    }
    return stopped;
  }

  #each(work: (recording: Recording) => void): void {
    for (const recording of this.#running) {
      try {
        work(recording);
      } catch (error) {
        this.#fail(recording, error);
      }
    }
  }

  #fail(recording: Recording, error: unknown): void {
    if (this.#running.has(recording)) {
      const reason = failureReason(error);
      void this.#close(recording, reason).then(({ stopped }) => this.#options.onFailure(reason, stopped));
    }
  }

  async #close(recording: Recording, failed: RecordingFailure | null): ReturnType<Recording['close']> {
    this.#running.delete(recording);
    this.#closing.add(recording);
    if (this.#running.size === 0) {
      this.#cancelTimer?.();
      this.#cancelTimer = null;
    }
    try {
      return await recording.close(failed);
    } finally {
      this.#closing.delete(recording);
    }
  }

  #scheduleWrite(): void {
    this.#cancelTimer = this.#options.clock.schedule(writeInterval, () => {
      this.#scheduleWrite();
      this.#writes++;
      const flushes = this.#writes % writesPerFlush === 0;
      this.#each((recording) => {
        recording.write();
        if (flushes) {
          recording.flush();
        }
      });
      this.#options.onFigures();
    });
  }
}
