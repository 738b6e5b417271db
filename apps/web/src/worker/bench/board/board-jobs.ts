/**
 * Jobs on MicroPython boards: runs at most one on each port, with the port to itself, and notices which ports have
 * such a board. Traffic of the raw REPL is kept out of the log, which says in one line what was done.
 */
import type { Clock } from '@wirebench/clock';
import { type Bench, type PortNumber, portNumbers } from '@wirebench/serial';
import type { ByPort } from '../../../protocol/bench-protocol.ts';
import type { BoardAnswer, BoardJob, BoardProgress, BoardStatus } from '../../../protocol/board-protocol.ts';
import { BannerWatch, bannerIn } from './banner-watch.ts';

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

const unknown: BoardStatus = { banner: null, job: null, isStopped: false };
/** Newest rows of the log in which a banner is looked for. MicroPython prints two lines before the prompt. */
const BANNER_ROWS = 12;

export class BoardJobs {
  readonly #parts: BoardJobsParts;
  readonly #watches: Readonly<Record<PortNumber, BannerWatch>>;
  readonly #running = new Map<PortNumber, Running>();
  #boards: ByPort<BoardStatus> = { 1: unknown, 2: unknown, 3: unknown, 4: unknown };

  constructor(parts: BoardJobsParts) {
    this.#parts = parts;
    const watch = () => new BannerWatch();
    this.#watches = { 1: watch(), 2: watch(), 3: watch(), 4: watch() };
  }

  get progress(): { readonly boards: ByPort<BoardStatus> } {
    const { ports } = this.#parts.bench.status();
    for (const port of portNumbers) {
      if (ports[port].state === 'disconnected' && this.#boards[port] !== unknown) {
        this.#boards = { ...this.#boards, [port]: unknown };
      }
    }
    return { boards: this.#boards };
  }

  /** Looks for a board's prompt in what a port received. Called for each chunk. */
  received(port: PortNumber, bytes: Uint8Array): void {
    if (this.#boards[port].banner !== null || !this.#watches[port].endsWithPrompt(bytes)) {
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
    const { bench, clock, onOutput } = this.#parts;
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
    let answer: BoardAnswer;
    try {
      await repl.enter(mayInterrupt);
      if (repl.wasInterrupted) {
        this.#change(port, { isStopped: true });
      }
      if (job.kind === 'run') {
        // The prompt is an open line, and the output is not its rest.
        bench.endLine(port);
      }
      if (job.kind === 'soft-reset') {
        answer = parts.noAnswer;
      } else {
        answer = await parts.doBoardJob({
          repl,
          job,
          stop: AbortSignal.any([signal, stop.signal]),
          onProgress: show,
          onOutput: (bytes) => onOutput(port, bytes),
          onInput: (isWanted) => {
            hold.admitsOthers = isWanted;
          },
        });
      }
      if (answer.failure !== null && parts.outOfReach.has(answer.failure.code)) {
        await repl.abandon();
      } else if (job.kind === 'soft-reset') {
        await repl.softReset();
        this.#change(port, { isStopped: false });
      } else {
        await repl.leave();
      }
    } catch (error) {
      if (!(error instanceof parts.BoardError)) {
        throw error;
      }
      answer = { ...parts.noAnswer, failure: { code: error.code, message: error.message } };
      if (error.code !== 'busy') {
        await repl.abandon();
      }
    } finally {
      this.#running.delete(port);
      hold.release(repl.close());
      this.#change(port, { job: null });
      ended.resolve();
    }
    const { failure } = answer;
    if (failure === null) {
      bench.notice('info', parts.boardNotice(job, answer, port), port);
    } else if (failure.code !== 'busy') {
      bench.notice('error', `The board on Port ${port}: ${failure.message}`, port);
    }
    return answer;
  }

  #change(port: PortNumber, change: Partial<BoardStatus>): void {
    this.#boards = { ...this.#boards, [port]: { ...this.#boards[port], ...change } };
    this.#parts.onProgress();
  }
}
