/** A serial program of Debian that logs what a pseudo-terminal receives. Linux with socat and script. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';

/** Returns true if all programs can be called. */
export const areHere = (...programs: readonly string[]): boolean =>
  programs.every((program) => spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0);

/** Keys that are typed once the program shows a text. A program that starts may drop keys, or the second of two. */
export interface TypedKeys {
  readonly after: string;
  readonly keys: string;
}

/** Bytes written at a time: a board sends slower than a pseudo-terminal takes. */
const pieceBytes = 1_024;

export class SerialProgram {
  readonly #folder = mkdtempSync(join(tmpdir(), 'wirebench-serial-'));
  readonly #log = join(this.#folder, 'log');
  readonly #far = join(this.#folder, 'far');
  readonly #near = join(this.#folder, 'near');
  readonly #line: ChildProcess;
  #program: ChildProcess | null = null;
  /** Output of the program to its terminal. */
  #shown = '';

  constructor() {
    const end = (link: string) => `pty,raw,echo=0,link=${link}`;
    this.#line = spawn('socat', [end(this.#far), end(this.#near)], { stdio: 'ignore' });
  }

  /**
   * Starts the program, and waits until it reads: a byte sent before would not be in its log.
   *
   * @param command With `LOG` and `PORT` in the place of the paths of the log and of the port.
   * @param typed Keys for the program, typed before the first byte is sent.
   */
  async start(command: string, typed: readonly TypedKeys[] = []): Promise<void> {
    await vi.waitFor(() => {
      if (!existsSync(this.#near) || !existsSync(this.#far)) {
        throw new Error('The pseudo-terminal is not there yet.');
      }
    }, limit);
    const filled = command.replace('LOG', this.#log).replace('PORT', this.#near);
    // Its own process group, so that the program ends with it.
    this.#program = spawn('script', ['-qfc', filled, '/dev/null'], {
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
      env: { ...process.env, TERM: 'xterm', HOME: this.#folder },
    });
    this.#program.stdout?.setEncoding('latin1').on('data', (text: string) => {
      this.#shown += text;
    });
    // Every program makes its log before it reads.
    await vi.waitFor(() => {
      if (!existsSync(this.#log)) {
        throw new Error('There is no log yet.');
      }
    }, limit);
    for (const { after, keys } of typed) {
      await vi.waitFor(() => {
        if (!this.#shown.includes(after)) {
          throw new Error(`The program has not shown "${after}" yet.`);
        }
      }, limit);
      this.#program.stdin?.write(keys);
    }
    await this.#probe();
  }

  /** Sends lines until one is in the log. The test's own text comes after a line that says so. */
  async #probe(): Promise<void> {
    await vi.waitFor(async () => {
      await this.#write(new TextEncoder().encode('probe\r\n'));
      if (!this.content.includes('probe')) {
        throw new Error('The program does not read yet.');
      }
    }, limit);
  }

  /** Sends bytes, and waits until the log ends with `last`. */
  async receive(bytes: Uint8Array, last: string): Promise<Uint8Array<ArrayBuffer>> {
    await this.#write(bytes);
    await vi.waitFor(() => {
      if (!this.content.includes(last)) {
        throw new Error('The log is not whole yet.');
      }
    }, limit);
    return new Uint8Array(readFileSync(this.#log));
  }

  async #write(bytes: Uint8Array): Promise<void> {
    const far = await open(this.#far, 'r+');
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      await far.write(bytes.subarray(at, at + pieceBytes));
    }
    await far.close();
  }

  get content(): string {
    return readFileSync(this.#log, 'latin1');
  }

  dispose(): void {
    if (this.#program?.pid !== undefined) {
      process.kill(-this.#program.pid, 'SIGTERM');
    }
    this.#line.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

const limit = { timeout: 60_000, interval: 200 };
