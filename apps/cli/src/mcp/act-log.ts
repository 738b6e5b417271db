/**
 * The log of an agent's calls: one JSON object a line. A call is in the file before it is carried out, and its outcome
 * when it has ended.
 */
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Clock } from '@wirebench/clock';
import { baseFolder } from '../base-folder.ts';
import { CommandError, exitCodes } from '../exit-code.ts';
import { refuseOutput } from '../saved-file.ts';
import { RequestRefused } from './allowance.ts';

/** `pending`: the answer came before the end of the work, which has an entry of its own. */
export type CallOutcome = 'done' | 'pending' | 'refused' | 'failed' | 'cancelled';

/** File without `--act-log`: in the folder for states of the XDG Base Directory Specification. */
export function standardActLog(environment: NodeJS.ProcessEnv = process.env): string {
  const state = baseFolder(environment['XDG_STATE_HOME']) ?? join(homedir(), '.local', 'state');
  return join(state, 'wirebench', 'agent-acts.jsonl');
}

export class ActLog {
  readonly #file: FileHandle;
  readonly #clock: Pick<Clock, 'wallTime'>;
  #writing: Promise<void> = Promise.resolve();
  #calls = 0;

  private constructor(file: FileHandle, clock: Pick<Clock, 'wallTime'>) {
    this.#file = file;
    this.#clock = clock;
  }

  /**
   * Opens the file for appending. Only its owner can read a new one: a text that is sent may be a password, and only
   * the answer to a prompt for one is left out.
   *
   * @throws CommandError if it cannot be opened.
   */
  static async open(path: string, clock: Pick<Clock, 'wallTime'>): Promise<ActLog> {
    refuseOutput(path);
    try {
      await mkdir(dirname(path), { recursive: true });
      return new ActLog(await open(path, 'a', 0o600), clock);
    } catch (error) {
      throw new CommandError(exitCodes.failed, `the log of acts cannot be opened: ${(error as Error).message}`);
    }
  }

  /**
   * Writes that a call begins.
   *
   * @returns Writes its outcome.
   * @throws RequestRefused if the file cannot be written: what is not in the log is not done.
   */
  async begin(tool: string, given: object): Promise<(outcome: CallOutcome) => Promise<void>> {
    const call = ++this.#calls;
    await this.#write({ call, tool, arguments: given }).catch(() => {
      throw new RequestRefused('The log of acts cannot be written, so nothing is done. Free the disk and try again.');
    });
    // The call has been carried out: its outcome is lost with the log.
    return (outcome) => this.#write({ call, tool, outcome }).catch(() => undefined);
  }

  /** Writes the end of work that may be longer than its calls. */
  async workEnded(port: string, work: string, outcome: CallOutcome): Promise<void> {
    await this.#write({ work, port, outcome }).catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.#writing.catch(() => undefined);
    await this.#file.close();
  }

  #write(entry: object): Promise<void> {
    const line = `${JSON.stringify({ at: new Date(this.#clock.wallTime()).toISOString(), ...entry })}\n`;
    const written = this.#writing.catch(() => undefined).then(() => this.#file.appendFile(line));
    this.#writing = written;
    return written;
  }
}
