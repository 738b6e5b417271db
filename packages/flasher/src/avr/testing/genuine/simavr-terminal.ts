/** A board with its genuine bootloader behind a pseudo-terminal, in real time, for programs that open a serial port. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { type GenuineBoardName, genuineBoards } from './genuine-boards.ts';
import { boardArguments, requestOf } from './simavr-process.ts';

export class SimavrTerminal {
  /** Path of the pseudo-terminal. Opening it resets the board. */
  readonly path: string;
  readonly #folder: string;
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;

  private constructor(program: string, name: GenuineBoardName) {
    this.#folder = mkdtempSync(join(tmpdir(), 'wirebench-simavr-'));
    this.path = join(this.#folder, 'tty');
    const args = [...boardArguments(genuineBoards[name]), this.path];
    this.#child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  }

  /**
   * Starts the board and waits for its pseudo-terminal.
   *
   * @param program Path of the compiled simavr-board.c.
   */
  static async start(program: string, name: GenuineBoardName): Promise<SimavrTerminal> {
    const terminal = new SimavrTerminal(program, name);
    while (!existsSync(terminal.path)) {
      if (terminal.#child.exitCode !== null) {
        throw new Error('The simulated board ended before it had a pseudo-terminal.');
      }
      await pause(10);
    }
    return terminal;
  }

  /** Pulses the reset pin, as an edge of DTR does. A pseudo-terminal carries no control lines. */
  reset(): void {
    this.#child.stdin.write(requestOf('X', 0));
  }

  flash(): Promise<Uint8Array> {
    return this.#ask('F');
  }

  eeprom(): Promise<Uint8Array> {
    return this.#ask('E');
  }

  async end(): Promise<void> {
    if (this.#child.exitCode === null) {
      const ended = once(this.#child, 'exit');
      this.#child.stdin.end();
      await ended;
    }
    rmSync(this.#folder, { recursive: true });
  }

  async #ask(letter: 'E' | 'F'): Promise<Uint8Array> {
    const { stdin, stdout } = this.#child;
    stdin.write(requestOf(letter, 0));
    let answer = Buffer.alloc(0);
    while (answer.length < 4 || answer.length < 4 + answer.readUInt32LE()) {
      const [chunk] = await once(stdout, 'data');
      answer = Buffer.concat([answer, chunk as Buffer]);
    }
    return new Uint8Array(answer.subarray(4));
  }
}
