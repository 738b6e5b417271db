/** `load`: sends checkable lines (see load-stream.ts) at a given rate, for a time or until stopped. */

import { TimerGroup } from '../wire/timer-group.ts';
import { type Command, type CommandBoard, type Job, printUsage, wholeNumber } from './command.ts';
import { loadLineCount, loadLineLength, loadLines } from './load-stream.ts';

/** Shortest time between two batches of lines, in ms. */
const tick = 4;
/** Bytes queued for the wire at which the generator pauses. */
const maxPending = 32_768;
/** Most lines written at once. */
const batchLines = 400;

export const load: Command = {
  usage: 'load <bytes per second> [seconds]',
  summary: 'send numbered, checkable lines until done, stop or Ctrl+C',
  run(args, board, done) {
    const rate = wholeNumber(args[0], 1, 100_000_000);
    const seconds = args[1] === undefined ? Infinity : wholeNumber(args[1], 1, 1_000_000);
    if (rate === null || seconds === null || args.length > 2) {
      return printUsage(board, load);
    }
    board.print(`load: ${rate} bytes/s${seconds === Infinity ? '' : ` for ${seconds} s`}\n`);
    return new LoadJob(board, rate, loadLineCount(rate, seconds), done);
  },
};

class LoadJob implements Job {
  readonly #board: CommandBoard;
  readonly #rate: number;
  readonly #total: number;
  readonly #done: () => void;
  readonly #timers: TimerGroup;
  readonly #start: number;
  #written = 0;

  constructor(board: CommandBoard, rate: number, total: number, done: () => void) {
    this.#board = board;
    this.#rate = rate;
    this.#total = total;
    this.#done = done;
    this.#timers = new TimerGroup(board.clock);
    this.#start = board.clock.now();
    this.#wait();
  }

  writable(): void {
    this.#produce();
  }

  stop(): void {
    this.#end('stopped after ');
  }

  halt(): void {
    this.#timers.cancelAll();
  }

  #produce(): void {
    this.#timers.cancelAll();
    const elapsed = this.#board.clock.now() - this.#start;
    const due = Math.min(this.#total, Math.floor((elapsed * this.#rate) / (1_000 * loadLineLength)));
    while (this.#written < due && this.#board.line.pending < maxPending) {
      const count = Math.min(batchLines, due - this.#written);
      this.#board.send(loadLines(this.#written, count, this.#board.seed));
      this.#written += count;
    }
    if (this.#written === this.#total) {
      this.#end('');
    } else {
      this.#wait();
    }
  }

  /** Schedules the next batch. Leaves it to `writable` while the wire's queue is full. */
  #wait(): void {
    if (this.#board.line.pending >= maxPending) {
      return;
    }
    const next = this.#start + ((this.#written + 1) * 1_000 * loadLineLength) / this.#rate;
    this.#timers.after(Math.max(tick, next - this.#board.clock.now()), () => this.#produce());
  }

  #end(how: string): void {
    this.#timers.cancelAll();
    this.#board.print(`load: ${how}${this.#written} lines, ${this.#written * loadLineLength} bytes\n`);
    this.#done();
  }
}
