/** Output of commands that work on a board: sentences, or with `--json` one object a step. A terminal also gets a bar. */
import { createInterface } from 'node:readline/promises';
import { figures, phaseText } from '@wirebench/flasher/callers';
import type { WriteEvent } from '@wirebench/flasher/core';
import { BoardScreen } from '../board-screen.ts';
import { canAsk } from '../interruption.ts';

/** Width of the bar in characters. */
const BAR = 30;

/** Bytes that are done, and all of them. */
interface Progress {
  readonly done: number;
  readonly total: number;
  /** Bytes each second; null or missing while unknown. */
  readonly speed?: number | null;
  /** Milliseconds; null or missing while unknown. */
  readonly remaining?: number | null;
}

export class BoardOutput {
  readonly #isJson: boolean;
  readonly #hasBar: boolean;
  readonly #canAsk: boolean;
  readonly #screen = new BoardScreen();
  #barShown = false;
  /** True: standard output has results alone, so that a script can take them. Sentences go to standard error. */
  hasResultsAlone = false;

  constructor(isJson: boolean, readsTerminal: boolean) {
    this.#isJson = isJson;
    this.#hasBar = !isJson && process.stderr.isTTY === true;
    this.#canAsk = canAsk({ json: isJson, tty: readsTerminal });
  }

  /** False: there is no terminal whose user could answer. */
  get canAsk(): boolean {
    return this.#canAsk;
  }

  /** @param text Lines for people; empty for a step that has none. */
  step(event: string, facts: object, text = ''): void {
    if (this.#isJson) {
      process.stdout.write(`${JSON.stringify({ event, ...facts })}\n`);
    } else if (text !== '') {
      this.clearBar();
      (this.hasResultsAlone ? process.stderr : process.stdout).write(`${text}\n`);
    }
  }

  /**
   * Prints what was asked for.
   *
   * @param text Lines; empty for a result without any.
   */
  result(event: string, facts: object, text: string): void {
    if (this.#isJson) {
      this.step(event, facts);
    } else if (text !== '') {
      this.clearBar();
      process.stdout.write(`${text}\n`);
    }
  }

  /** Prints the contents of a file as they are. */
  bytes(content: Uint8Array): void {
    process.stdout.write(content);
  }

  /** Shows something that passes by on a terminal only. */
  passing(event: string, facts: object, text: string): void {
    if (this.#isJson) {
      this.step(event, facts);
    } else if (this.#hasBar) {
      process.stderr.write(`\r\x1b[K${text}`);
      this.#barShown = true;
    }
  }

  progress(event: Extract<WriteEvent, { type: 'progress' }>): void {
    this.bar(event.phase, phaseText[event.phase], event);
  }

  /** @param label Words for the phase. */
  bar(phase: string, label: string, { done, total, speed = null, remaining = null }: Progress): void {
    const told = figures(done, total, speed, remaining);
    const part = total === 0 ? 0 : done / total;
    const bar = '#'.repeat(Math.round(part * BAR)).padEnd(BAR, '.');
    const words = [told.bytes, told.speed, told.left].filter((word) => word !== '').join(', ');
    this.passing('progress', { phase, done, total }, `${label} [${bar}] ${words}`);
  }

  /** Returns a receiver of progress for a bar. @param label Words for the phase. */
  barOf(phase: string, label: string): (done: number, total: number) => void {
    return (done, total) => this.bar(phase, label, { done, total });
  }

  /** Bytes of the board's program. */
  text(bytes: Uint8Array, decoder: TextDecoder): void {
    if (this.#isJson) {
      this.step('text', { text: decoder.decode(bytes, { stream: true }) });
    } else {
      this.#screen.write(bytes);
    }
  }

  /** Ends the bytes of the board's program. */
  endText(): void {
    if (!this.#isJson) {
      this.#screen.end();
    }
  }

  /** Asks on the terminal, and returns the answer; empty at its end. Rejects when the signal aborts. */
  async ask(question: string, signal: AbortSignal): Promise<string> {
    this.clearBar();
    const reader = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
    try {
      const over = new Promise<string>((resolve) => reader.once('close', () => resolve('')));
      return (await Promise.race([reader.question(question, { signal }), over])).trim();
    } finally {
      reader.close();
    }
  }

  clearBar(): void {
    if (this.#barShown) {
      process.stderr.write('\r\x1b[K');
      this.#barShown = false;
    }
  }
}
