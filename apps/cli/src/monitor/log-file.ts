/** The log of a monitor as a file, in the form of the page's text recordings. */
import { type FileHandle, open } from 'node:fs/promises';
import type { LogFeed } from '@wirebench/serial';
import { CommandError, exitCodes } from '../exit-code.ts';

export class LogFile {
  readonly #file: FileHandle;
  readonly #feed: LogFeed;
  readonly #failed: (reason: string) => void;
  #writing: Promise<void> = Promise.resolve();
  #hasFailed = false;

  private constructor(file: FileHandle, feed: LogFeed, failed: (reason: string) => void) {
    this.#file = file;
    this.#feed = feed;
    this.#failed = failed;
  }

  /**
   * Opens the file for appending.
   *
   * @param failed Receives the system's reason once, when nothing more can be written.
   * @throws CommandError if it cannot be opened.
   */
  static async open(path: string, feed: LogFeed, failed: (reason: string) => void): Promise<LogFile> {
    const file = await open(path, 'a').catch((error: Error) => {
      throw new CommandError(exitCodes.usage, `the log cannot be opened: ${error.message}`);
    });
    return new LogFile(file, feed, failed);
  }

  /** Writes the lines that have come to an end. */
  write(): void {
    this.#append([...this.#feed.read('wait')]);
  }

  /** Writes the rest and closes the file. */
  async close(): Promise<void> {
    this.#append([...this.#feed.read('take')]);
    await this.#writing;
    await this.#file.close();
  }

  #append(pieces: readonly Uint8Array[]): void {
    if (pieces.length > 0 && !this.#hasFailed) {
      this.#writing = this.#writing.then(async () => {
        try {
          for (const piece of this.#hasFailed ? [] : pieces) {
            await this.#file.appendFile(piece);
          }
        } catch (error) {
          this.#hasFailed = true;
          this.#failed(error instanceof Error ? error.message : String(error));
        }
      });
    }
  }
}
