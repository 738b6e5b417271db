/**
 * The raw REPL of MicroPython and CircuitPython: code in, output and traceback out. Code is sent by raw paste, with
 * the board's flow control, if the board knows it, and else in pieces with pauses.
 *
 * Source: MicroPython documentation, "The MicroPython Interactive Interpreter Mode", sections "Raw mode and raw-paste
 * mode" (docs/reference/repl.rst).
 */
import type { Clock } from '@wirebench/clock';
import { type ByteLink, LinkReader } from '../transfer/byte-link.ts';
import { TransferEnd } from '../transfer/transfer-end.ts';
import { BoardError, type BoardFailure } from './board-error.ts';

const CTRL_A = 0x01;
const CTRL_B = 0x02;
const CTRL_C = 0x03;
const CTRL_D = 0x04;
const RETURN = 0x0d;
/** Asks for raw paste: Ctrl+E, `A`, Ctrl+A. */
const askRawPaste = Uint8Array.of(0x05, 0x41, 0x01);
/** Flow control of raw paste: the board can take another window. */
const MORE = 0x01;

const rawPrompt = 'raw REPL; CTRL-B to exit\r\n>';
const friendlyPrompt = '>>> ';

/** Time for an idle board to answer a key, in milliseconds. */
const KEY_TIME = 700;
/** Time for an interrupted program to reach the prompt, in milliseconds. Its `finally` may take a while. */
const PROMPT_TIME = 1_500;
/** Times that a program is interrupted. */
const MAX_INTERRUPTS = 4;
/** Printed by the board once it has answered everything that was sent before. */
const syncMark = 'wirebench-sync';
/** Longest silence while code runs, in milliseconds. Erasing flash takes seconds on some boards. */
const ANSWER_TIME = 10_000;
/** Time for the rest of an unexpected answer, in milliseconds. It may say that the board has started again. */
const REST_TIME = 500;
/** Time that a program gets to end after Ctrl+C, in milliseconds. */
const STOP_TIME = 3_000;
/** Largest output of code whose answer is kept, in bytes. */
const MAX_OUTPUT = 1 << 20;
/** Largest traceback that is kept, in bytes. */
const MAX_TRACEBACK = 8 * 1_024;
/** Bytes at the end of what was received that are searched for prompts and banners. */
const TAIL_BYTES = 512;
/** Bytes that are looked at in one turn. */
const MAX_CHUNK = 64 * 1_024;
/** Bytes in a row without raw paste, and the pause after them in milliseconds (tools/pyboard.py of MicroPython). */
const PIECE_BYTES = 256;
const PIECE_PAUSE = 10;

/** Lines that only a board prints that has started again. */
const restarted =
  /MPY: soft reboot|(?:^|\n)(?:MicroPython v|Adafruit CircuitPython )\d|rst:0x|(?:^|\n) ?ets [A-Z][a-z]{2} /;

interface RawReplParts {
  readonly link: ByteLink;
  readonly clock: Clock;
  /** Ends every wait with a `BoardError`. */
  readonly signal: AbortSignal;
}

interface Executed {
  /** Bytes as the board printed them. Empty if they were taken by `onOutput`. */
  readonly output: Uint8Array<ArrayBuffer>;
  /** Traceback; empty if the code ended without an exception. */
  readonly error: string;
}

export interface ExecuteOptions {
  /** Longest silence of the board, in milliseconds. Default: 10,000. */
  readonly silence?: number;
  /** Takes the output as it comes. Its amount is not limited then. */
  readonly onOutput?: (bytes: Uint8Array) => void;
  /** Interrupts the code with Ctrl+C. The code's end is waited for. */
  readonly stop?: AbortSignal;
  /** Called with true when the board has all of the code, and with false at its end. Input between is the code's. */
  readonly onInput?: (isWanted: boolean) => void;
}

interface ReadLimits {
  /** In milliseconds. */
  readonly silence: number;
  /** In bytes; for output that is kept. */
  readonly max: number;
  readonly onOutput?: ((bytes: Uint8Array) => void) | undefined;
  readonly stop?: AbortSignal | undefined;
}

export class RawRepl {
  readonly #link: ByteLink;
  readonly #clock: Clock;
  readonly #reader: LinkReader;
  /** Null: not asked yet. */
  #canPaste: boolean | null = null;
  #wasInterrupted = false;

  constructor({ link, clock, signal }: RawReplParts) {
    this.#link = link;
    this.#clock = clock;
    this.#reader = new LinkReader(link, clock, signal);
  }

  /** True: the board has raw paste. Null: not known yet. */
  get canPaste(): boolean | null {
    return this.#canPaste;
  }

  /** True: a program or a half typed line was interrupted to reach the prompt. */
  get wasInterrupted(): boolean {
    return this.#wasInterrupted;
  }

  /**
   * Enters the raw REPL.
   *
   * @param mayInterrupt False: a board that does not answer at its prompt is left as it is.
   * @throws BoardError `busy` without leave to interrupt, `no-repl` if the board never answers.
   */
  async enter(mayInterrupt: boolean): Promise<void> {
    await this.#guarded(async () => {
      this.#reader.takeAll();
      if (await this.#askRaw()) {
        return;
      }
      if (!mayInterrupt) {
        // A program may read the Ctrl+A later, or leave it to the prompt after its end. Ctrl+B undoes it there.
        await this.#write(CTRL_B);
        throw new BoardError('busy');
      }
      this.#wasInterrupted = true;
      for (let attempt = 0; attempt < MAX_INTERRUPTS; attempt++) {
        // The first one is alone: a second one would interrupt the program's `finally`.
        await this.#write(RETURN, CTRL_C, ...(attempt === 0 ? [] : [CTRL_C]));
        // The program may have left the first Ctrl+A to the prompt.
        const seen = await this.#seen([rawPrompt, friendlyPrompt], PROMPT_TIME);
        if (seen === rawPrompt || (await this.#askRaw())) {
          await this.#sync();
          return;
        }
      }
      throw new BoardError('no-repl');
    });
  }

  /**
   * Runs code and waits for its end. An exception of the code is part of the answer.
   *
   * @throws BoardError if the board does not answer as a raw REPL does, or starts again.
   */
  execute(code: string | Uint8Array, options: ExecuteOptions = {}): Promise<Executed> {
    const bytes = typeof code === 'string' ? new TextEncoder().encode(code) : code;
    return this.#guarded(async () => {
      if (!(await this.#paste(bytes))) {
        await this.#sendPlainly(bytes);
      }
      return this.#answer(options);
    });
  }

  /**
   * Returns to the friendly REPL, and takes its banner and prompt. Names keep their values.
   *
   * @returns The prompt as received; empty if the board has printed none in time.
   */
  leave(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#guarded(async () => {
      await this.#write(CTRL_B);
      const prompt = await this.#seen([friendlyPrompt], KEY_TIME);
      return new TextEncoder().encode(prompt ?? '');
    });
  }

  /** Returns to the friendly REPL and restarts the program by a soft reset, whose output is left to others. */
  async softReset(): Promise<void> {
    await this.leave();
    await this.#guarded(() => this.#write(CTRL_D));
  }

  /** Brings the board back to a prompt as far as it answers. Never rejects. */
  async abandon(): Promise<void> {
    this.#reader.beginEnd();
    try {
      await this.#link.write(Uint8Array.of(CTRL_C, CTRL_C));
      await this.#reader.drain(150, 1_000);
      await this.#link.write(Uint8Array.of(CTRL_B));
      await this.#reader.drain(150, 1_000);
    } catch {
      // The link is closed: nothing is left to be cleaned up.
    }
  }

  /** Stops reading. Returns received bytes that were not used. */
  close(): Uint8Array<ArrayBuffer> {
    return this.#reader.close();
  }

  /** Sends Ctrl+A and returns true if the board is in its raw REPL then. */
  async #askRaw(): Promise<boolean> {
    await this.#write(CTRL_A);
    const seen = await this.#seen([rawPrompt, friendlyPrompt], KEY_TIME);
    if (seen !== friendlyPrompt) {
      return seen === rawPrompt;
    }
    // A board that has just started prints its prompt first, and the raw one next.
    if ((await this.#seen([rawPrompt], KEY_TIME)) === rawPrompt) {
      return true;
    }
    // CircuitPython takes any key after the end of a program, and enters the friendly REPL.
    await this.#write(CTRL_A);
    if ((await this.#seen([rawPrompt], KEY_TIME)) !== rawPrompt) {
      return false;
    }
    await this.#sync();
    return true;
  }

  /**
   * Waits until the board has answered all that was sent to it. Each Ctrl+A that it finds late prints another prompt, which
   * would be taken for the answer to code.
   */
  async #sync(): Promise<void> {
    await this.#link.write(new TextEncoder().encode(`print('${syncMark}')`));
    await this.#write(CTRL_D);
    if ((await this.#seen([`${syncMark}\r\n\x04\x04>`], ANSWER_TIME)) === null) {
      throw new BoardError('out-of-step');
    }
  }

  /** Sends code by raw paste. Returns false if the board has none, and nothing of the code was sent. */
  async #paste(code: Uint8Array): Promise<boolean> {
    if (this.#canPaste === false) {
      return false;
    }
    await this.#link.write(askRawPaste);
    const [first, second] = [await this.#byte(), await this.#byte()];
    const answer = String.fromCharCode(first, second);
    if (answer !== 'R\x01') {
      this.#canPaste = false;
      if (answer === 'ra') {
        // An older board has taken the three bytes as code, and Ctrl+A as its reset.
        await this.#expectText(rawPrompt.slice(2));
      } else if (answer !== 'R\0') {
        throw await this.#outOfStep(first, second);
      }
      return false;
    }
    this.#canPaste = true;
    const window = (await this.#byte()) | ((await this.#byte()) << 8);
    if (window === 0) {
      throw new BoardError('out-of-step');
    }
    let room = window;
    for (let at = 0; at < code.length; ) {
      while (room === 0 || this.#reader.buffered > 0) {
        const flow = await this.#byte();
        if (flow === CTRL_D) {
          // The board has stopped reading: the code is too long for it, or wrong. Its traceback follows.
          await this.#write(CTRL_D);
          return true;
        }
        if (flow !== MORE) {
          throw await this.#outOfStep(flow);
        }
        room += window;
      }
      const piece = code.slice(at, at + room);
      await this.#link.write(piece);
      at += piece.length;
      room -= piece.length;
    }
    await this.#write(CTRL_D);
    for (;;) {
      const byte = await this.#byte();
      if (byte === CTRL_D) {
        return true;
      }
      if (byte !== MORE) {
        throw await this.#outOfStep(byte);
      }
    }
  }

  async #sendPlainly(code: Uint8Array): Promise<void> {
    for (let at = 0; at < code.length; at += PIECE_BYTES) {
      await this.#link.write(code.slice(at, at + PIECE_BYTES));
      await this.#clock.sleep(PIECE_PAUSE);
    }
    await this.#write(CTRL_D);
    await this.#expectText('OK');
  }

  async #answer({ silence = ANSWER_TIME, onOutput, stop, onInput }: ExecuteOptions): Promise<Executed> {
    const interrupt = () => {
      void this.#link.write(Uint8Array.of(CTRL_C)).catch(() => undefined);
    };
    stop?.addEventListener('abort', interrupt, { once: true });
    if (stop?.aborted) {
      interrupt();
    }
    try {
      onInput?.(true);
      const output = await this.#until(CTRL_D, { silence, max: MAX_OUTPUT, onOutput, stop }).finally(() =>
        onInput?.(false),
      );
      const error = await this.#until(CTRL_D, { silence: ANSWER_TIME, max: MAX_TRACEBACK });
      await this.#expectText('>');
      return { output, error: new TextDecoder().decode(error) };
    } finally {
      stop?.removeEventListener('abort', interrupt);
    }
  }

  /** Returns the bytes before `end`. */
  async #until(end: number, { silence, max, onOutput, stop }: ReadLimits): Promise<Uint8Array<ArrayBuffer>> {
    const kept: number[] = [];
    const tail = new Tail();
    let waited = 0;
    let stopLimit: number | null = null;
    for (;;) {
      const limit = stop === undefined ? silence : STOP_TIME;
      if (stop?.aborted) {
        // A stopped program has a short time to end, which its output does not prolong.
        stopLimit ??= this.#clock.now() + 2 * STOP_TIME;
      }
      const isLate = stopLimit !== null && this.#clock.now() >= stopLimit;
      if (isLate || !(await this.#reader.more(limit))) {
        waited += limit;
        if (isLate || waited >= silence) {
          throw new BoardError(tail.isRestart ? 'reset' : 'no-answer');
        }
        continue;
      }
      waited = 0;
      const chunk: number[] = [];
      let isOver = false;
      while (this.#reader.buffered > 0 && chunk.length < MAX_CHUNK) {
        const byte = this.#reader.next();
        if (byte === end) {
          isOver = true;
          break;
        }
        chunk.push(byte);
      }
      tail.push(chunk);
      if (onOutput === undefined) {
        for (const byte of chunk) {
          kept.push(byte);
        }
        if (kept.length > max) {
          throw new BoardError('too-much-output');
        }
      } else if (chunk.length > 0) {
        onOutput(Uint8Array.from(chunk));
      }
      if (isOver) {
        return Uint8Array.from(kept);
      }
      if (tail.text.endsWith(friendlyPrompt) && tail.isRestart) {
        throw new BoardError('reset');
      }
    }
  }

  /**
   * Waits until what was received ends with one of `texts`. Returns it; null after `limit` milliseconds. Behind the raw prompt, which
   * nothing else resembles, a thread of the board may have printed in the same read.
   */
  async #seen<Text extends string>(texts: readonly Text[], limit: number): Promise<Text | null> {
    const tail = new Tail();
    const end = this.#clock.now() + limit;
    for (;;) {
      const left = end - this.#clock.now();
      if (left <= 0 || !(await this.#reader.more(left))) {
        return null;
      }
      let last: Text | undefined;
      let isLast = false;
      while (this.#reader.buffered > 0) {
        tail.push([this.#reader.next()]);
        const seen = texts.find((text) => tail.text.endsWith(text));
        last = seen ?? last;
        isLast = seen !== undefined;
      }
      if (last !== undefined && (isLast || last === rawPrompt)) {
        return last;
      }
    }
  }

  async #expectText(text: string): Promise<void> {
    for (const character of text) {
      const byte = await this.#byte();
      if (byte !== character.charCodeAt(0)) {
        throw await this.#outOfStep(byte);
      }
    }
  }

  async #byte(): Promise<number> {
    const byte = await this.#reader.byte(ANSWER_TIME);
    if (byte < 0) {
      throw new BoardError('no-answer');
    }
    return byte;
  }

  /** Returns the failure after an unexpected byte: the rest may say that the board has started again. */
  async #outOfStep(...first: readonly number[]): Promise<BoardError> {
    const tail = new Tail();
    tail.push(first);
    const end = this.#clock.now() + REST_TIME;
    while (this.#clock.now() < end && !tail.isRestart && (await this.#reader.more(REST_TIME))) {
      tail.push([...this.#reader.takeAll().subarray(0, MAX_CHUNK)]);
    }
    return new BoardError(tail.isRestart ? 'reset' : 'out-of-step');
  }

  #write(...bytes: readonly number[]): Promise<void> {
    return this.#link.write(Uint8Array.from(bytes));
  }

  /** Turns every failure of link and reader into a `BoardError`. */
  async #guarded<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof BoardError) {
        throw error;
      }
      const code: BoardFailure = error instanceof TransferEnd && error.outcome === 'cancelled' ? 'cancelled' : 'closed';
      throw new BoardError(code, { cause: error });
    }
  }
}

/** The newest received bytes, and whether a board that starts again wrote any of the received ones. */
class Tail {
  #text = '';
  #isRestart = false;

  get text(): string {
    return this.#text;
  }

  get isRestart(): boolean {
    return this.#isRestart;
  }

  push(bytes: readonly number[]): void {
    for (let at = 0; at < bytes.length; at += TAIL_BYTES) {
      this.#text += String.fromCharCode(...bytes.slice(at, at + TAIL_BYTES));
      this.#isRestart ||= restarted.test(this.#text);
      this.#text = this.#text.slice(-TAIL_BYTES);
    }
  }
}
