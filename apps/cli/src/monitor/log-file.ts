/** The log of a monitor as a file, in the form of the page's text recordings. */
import { type FileHandle, open, rename } from 'node:fs/promises';
import type { LogFeed } from '@wirebench/serial';
import type { OptionValues } from '../commands/command.ts';
import { CommandError, exitCodes } from '../exit-code.ts';
import { wholeNumber } from '../port-options.ts';
import { refuseOutput } from '../saved-file.ts';

const LINE_FEED = 0x0a;
const STANDARD_COUNT = 5;
const SMALLEST = 4_096;
const units = { '': 1, K: 1_024, M: 1_024 ** 2, G: 1_024 ** 3 } as const;

/** Limits of a log that begins a new file when it is full. */
export interface LogRotation {
  /** Most bytes of a file, unless its only line has more. */
  readonly size: number;
  /** Older files that are kept: `run.txt.1` is the newest. */
  readonly count: number;
}

/**
 * Reads `--log-size` and `--log-count`; null without a size.
 *
 * @throws CommandError for other values, and without a log.
 */
export function readRotation(options: OptionValues): LogRotation | null {
  const { log, logSize: size, logCount } = options;
  const count = wholeNumber(logCount, '--log-count', 1, 999);
  if (size === undefined && count === null) {
    return null;
  }
  if (typeof log !== 'string' || size === undefined) {
    throw new CommandError(exitCodes.usage, '--log-size and --log-count need --log, and --log-count a --log-size.');
  }
  const [whole, digits, unit = ''] = /^(\d+)([kmg]?)$/i.exec(String(size)) ?? [];
  const bytes = Number(digits) * units[unit.toUpperCase() as keyof typeof units];
  if (whole === undefined || bytes < SMALLEST || !Number.isSafeInteger(bytes)) {
    throw new CommandError(
      exitCodes.usage,
      `--log-size takes bytes, as in 500k, 10M or 1G, from 4k on, and not ${size}.`,
    );
  }
  return { size: bytes, count: count ?? STANDARD_COUNT };
}

export class LogFile {
  readonly #path: string;
  readonly #feed: Pick<LogFeed, 'read'>;
  readonly #rotation: LogRotation | null;
  readonly #failed: (reason: string) => void;
  #file: FileHandle;
  /** Bytes of the file. */
  #size: number;
  #writing: Promise<void> = Promise.resolve();
  #hasFailed = false;

  private constructor(
    path: string,
    file: FileHandle,
    size: number,
    feed: Pick<LogFeed, 'read'>,
    rotation: LogRotation | null,
    failed: (reason: string) => void,
  ) {
    this.#path = path;
    this.#file = file;
    this.#size = size;
    this.#feed = feed;
    this.#rotation = rotation;
    this.#failed = failed;
  }

  /**
   * Opens the file for appending.
   *
   * @param failed Receives the system's reason once, when nothing more can be written.
   * @throws CommandError if it cannot be opened.
   */
  static async open(
    path: string,
    feed: Pick<LogFeed, 'read'>,
    rotation: LogRotation | null,
    failed: (reason: string) => void,
  ): Promise<LogFile> {
    refuseOutput(path);
    try {
      const file = await open(path, 'a');
      return new LogFile(path, file, (await file.stat()).size, feed, rotation, failed);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new CommandError(exitCodes.usage, `the log cannot be opened: ${reason}`);
    }
  }

  /** Writes the lines that have come to an end. */
  write(): void {
    this.#append([...this.#feed.read('wait')]);
  }

  /** Writes the rest and closes the file. */
  async close(): Promise<void> {
    this.#append([...this.#feed.read('take')]);
    await this.#writing;
    await this.#file.close().catch(() => 'a file that was not opened again');
  }

  #append(pieces: readonly Uint8Array[]): void {
    if (pieces.length > 0 && !this.#hasFailed) {
      this.#writing = this.#writing.then(async () => {
        try {
          for (const piece of this.#hasFailed ? [] : pieces) {
            await this.#appendLines(piece);
          }
        } catch (error) {
          this.#hasFailed = true;
          this.#failed(error instanceof Error ? error.message : String(error));
        }
      });
    }
  }

  /** @param lines Whole lines. */
  async #appendLines(lines: Uint8Array): Promise<void> {
    const most = this.#rotation?.size ?? Number.POSITIVE_INFINITY;
    for (let at = 0; at < lines.length; ) {
      const room = most - this.#size;
      const fitting =
        lines.length - at <= room ? lines.length : room > 0 ? lines.lastIndexOf(LINE_FEED, at + room - 1) + 1 : 0;
      const isFull = fitting <= at;
      if (isFull && this.#size > 0) {
        await this.#rotate();
        continue;
      }
      // A line that is longer than a file is a file.
      const end = isFull ? lines.indexOf(LINE_FEED, at) + 1 || lines.length : fitting;
      await this.#file.appendFile(lines.subarray(at, end));
      this.#size += end - at;
      at = end;
    }
  }

  /** Gives each older file the next number and begins a new file. */
  async #rotate(): Promise<void> {
    const { count } = this.#rotation ?? { count: 0 };
    await this.#file.close();
    for (let number = count - 1; number >= 0; number--) {
      const from = number === 0 ? this.#path : `${this.#path}.${number}`;
      await rename(from, `${this.#path}.${number + 1}`).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') {
          throw error;
        }
      });
    }
    this.#file = await open(this.#path, 'a');
    this.#size = (await this.#file.stat()).size;
  }
}
