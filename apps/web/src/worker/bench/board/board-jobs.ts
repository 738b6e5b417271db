/**
 * Jobs on MicroPython boards: runs at most one on each port, with the port to itself, and notices which ports have
 * such a board. Traffic of the raw REPL is kept out of the log, which says in one line what was done.
 */
import type { Clock } from '@wirebench/clock';
import { type Bench, byPort, type PortHold, type PortNumber, portNumbers } from '@wirebench/serial';
import type { RawRepl } from '@wirebench/serial/micropython';
import type { BenchTick } from '../../../protocol/bench/bench-tick.ts';
import {
  type BoardAnswer,
  type BoardJob,
  type BoardProgress,
  type BoardStatus,
  idleBoard,
} from '../../../protocol/bench/board-files-part.ts';

export interface BoardJobsParts {
  readonly bench: Bench;
  readonly clock: Clock;
  readonly onProgress: () => void;
  /** Takes the output of code that runs, for the log. */
  readonly onOutput: (port: PortNumber, bytes: Uint8Array) => void;
}

interface Running {
  readonly stop: AbortController;
  readonly done: Promise<unknown>;
}

interface Work {
  readonly port: PortNumber;
  readonly job: BoardJob;
  readonly mayInterrupt: boolean;
  readonly parts: typeof import('./board-work.ts');
  readonly repl: RawRepl;
  readonly hold: PortHold;
  readonly show: (progress: Omit<BoardProgress, 'kind'>) => void;
  /** End the job between two steps. */
  readonly stops: AbortSignal[];
}

interface Outcome {
  readonly answer: BoardAnswer;
  /** Prompt for the log; null if the one from before the job is still its last line. */
  readonly prompt: Uint8Array | null;
}

/** Newest rows of the log in which a banner is looked for. MicroPython prints two lines before the prompt. */
const BANNER_ROWS = 12;

const prompt = '>>> ';
/** Noise of another baud rate may stand before it. */
const banner = /((?:MicroPython v|Adafruit CircuitPython )\d.*?)\s*$/;
/** Second line of MicroPython's banner, which is whole where noise has swallowed the first. */
const help = /Type "help\(\)" for more information\./;
/** Longest banner that is shown, in characters. */
const MAX_BANNER = 120;

/** Notices boards that show the prompt of MicroPython or CircuitPython below their banner. */
class BannerWatch {
  /** Last bytes of the previous chunks. */
  #end = '';

  /** Takes a chunk as received. Returns true if it ends with a prompt. Reads four bytes of it. */
  endsWithPrompt(bytes: Uint8Array): boolean {
    this.#end = (this.#end + String.fromCharCode(...bytes.subarray(-prompt.length))).slice(-prompt.length);
    return this.#end === prompt;
  }
}

/** Returns the newest banner among lines of a log, oldest first; null without one. */
export function bannerIn(lines: readonly string[]): string | null {
  const found = lines.map((line) => banner.exec(line)?.[1]).findLast((text) => text !== undefined);
  return found?.slice(0, MAX_BANNER) ?? (lines.some((line) => help.test(line)) ? 'MicroPython' : null);
}

export class BoardJobs {
  readonly #parts: BoardJobsParts;
  readonly #watches = byPort(() => new BannerWatch());
  readonly #running = new Map<PortNumber, Running>();
  #boards = byPort(() => idleBoard);

  constructor(parts: BoardJobsParts) {
    this.#parts = parts;
  }

  get progress(): Pick<BenchTick, 'boards'> {
    const { ports } = this.#parts.bench.status();
    for (const port of portNumbers) {
      if (ports[port].state === 'disconnected' && this.#boards[port] !== idleBoard) {
        this.#boards = { ...this.#boards, [port]: idleBoard };
      }
    }
    return { boards: this.#boards };
  }

  /** Looks for a board's prompt in what a port received. Called for each chunk. */
  received(port: PortNumber, bytes: Uint8Array): void {
    const isAtPrompt = this.#watches[port].endsWithPrompt(bytes);
    if (isAtPrompt !== this.#boards[port].isAtPrompt) {
      this.#change(port, { isAtPrompt });
    }
    if (this.#boards[port].banner !== null || !isAtPrompt) {
      return;
    }
    // The chunk is not yet in the log.
    queueMicrotask(() => {
      const { rows } = this.#parts.bench.rows({
        layout: 'text',
        anchor: 'tail',
        count: BANNER_ROWS,
        channels: [`received-${port}`],
      });
      const banner = bannerIn(rows.map((row) => new TextDecoder().decode(row.bytes)));
      if (banner !== null) {
        this.#change(port, { banner });
      }
    });
  }

  /** Stops the job of a port, if there is one, and resolves when the port is free. */
  async stop(port: PortNumber): Promise<void> {
    const running = this.#running.get(port);
    running?.stop.abort();
    await running?.done;
  }

  /**
   * Does a job on the board of a port.
   *
   * @param mayInterrupt True: the user agreed to interrupt the board's program.
   * @param signal Stops the job; code that runs gets Ctrl+C.
   * @returns The answer, with the failure if there is one.
   * @throws SessionError if the port is not open, or not free.
   */
  async run(port: PortNumber, job: BoardJob, mayInterrupt: boolean, signal: AbortSignal): Promise<BoardAnswer> {
    const { bench, clock } = this.#parts;
    const parts = await import('./board-work.ts');
    const link = new parts.SessionLink();
    const hold = bench.jobs.holdForTransfer(port, (bytes) => link.received(bytes), 'board-files');
    link.attach(hold);
    const stop = new AbortController();
    const ended = Promise.withResolvers<void>();
    this.#running.set(port, { stop, done: ended.promise });
    const show = (progress: Omit<BoardProgress, 'kind'>) =>
      this.#change(port, { job: { kind: job.kind, ...progress } });
    show({ path: '', done: 0, total: null });
    const repl = new parts.RawRepl({ link, clock, signal: new AbortController().signal });
    try {
      const { answer, prompt } = await this.#answer({
        port,
        job,
        mayInterrupt,
        parts,
        repl,
        hold,
        show,
        stops: [signal, stop.signal],
      });
      const { failure } = answer;
      if (failure === null) {
        bench.notice('info', parts.boardNotice(job, answer, port), port);
      } else if (failure.code !== 'busy') {
        bench.notice('error', `The board on Port ${port}: ${failure.message}`, port);
      }
      if (prompt !== null) {
        bench.endLine(port);
        hold.pass(prompt);
      }
      return answer;
    } finally {
      this.#running.delete(port);
      hold.release(repl.close());
      this.#change(port, { job: null });
      ended.resolve();
    }
  }

  /** Does a job in the raw REPL, and leaves the board at its prompt as far as it answers. */
  async #answer({ port, job, mayInterrupt, parts, repl, hold, show, stops }: Work): Promise<Outcome> {
    const { bench, onOutput } = this.#parts;
    try {
      await repl.enter(mayInterrupt);
      if (repl.wasInterrupted) {
        this.#change(port, { isStopped: true });
      }
      if (job.kind === 'soft-reset') {
        await repl.softReset();
        this.#change(port, { isStopped: false });
        return { answer: parts.noAnswer, prompt: null };
      }
      if (job.kind === 'run') {
        // The prompt is an open line, and the output is not its rest.
        bench.endLine(port);
      }
      const answer = await parts.doBoardJob({
        repl,
        job,
        stop: AbortSignal.any(stops),
        onProgress: show,
        onOutput: (bytes) => onOutput(port, bytes),
        onInput: (isWanted) => {
          hold.admitsOthers = isWanted;
        },
      });
      if (answer.failure !== null && parts.outOfReach.has(answer.failure.code)) {
        await repl.abandon();
        return { answer, prompt: null };
      }
      const prompt = await repl.leave();
      return { answer, prompt: job.kind === 'run' || repl.wasInterrupted ? prompt : null };
    } catch (error) {
      if (!(error instanceof parts.BoardError)) {
        throw error;
      }
      if (error.code !== 'busy') {
        await repl.abandon();
      }
      const failure = { code: error.code, message: error.message };
      return { answer: { ...parts.noAnswer, failure }, prompt: null };
    }
  }

  #change(port: PortNumber, change: Partial<BoardStatus>): void {
    this.#boards = { ...this.#boards, [port]: { ...this.#boards[port], ...change } };
    this.#parts.onProgress();
  }
}
