/**
 * The ROM's main thread: executes one task at a time, the drive's before PICOBOOT's. USB interrupts queue the tasks and
 * can abort a wait for the flash. Each queue holds one task. Tasks that take time run on the clock.
 */
import type { Clock } from '@wirebench/clock';

/** PICOBOOT status codes (RP2350 datasheet, section 5.6.5.1). The RP2040 has those up to 8. */
export const status = {
  ok: 0,
  unknownCommand: 1,
  invalidCommandLength: 2,
  invalidTransferLength: 3,
  invalidAddress: 4,
  badAlignment: 5,
  interleavedWrite: 6,
  rebooting: 7,
  unknownError: 8,
  invalidState: 9,
  notPermitted: 10,
  invalidArgument: 11,
  bufferTooSmall: 12,
  preconditionNotMet: 13,
  modifiedData: 14,
  invalidData: 15,
  notFound: 16,
  unsupportedModification: 17,
} as const;

/** Work of a task, step by step. Yields the milliseconds until the next step, or `ready` to wait for the flash. */
export type Work = Generator<number | 'ready', number>;

export interface QueuedTask {
  /** Starts the work at the worker's time. It returns a status code. */
  start(): Work;
  /** Called with the status code. */
  done(result: number): void;
}

interface Queue {
  task: QueuedTask | null;
  isDisabled: boolean;
}

export type QueueName = 'drive' | 'picoboot';

interface WorkerFlash {
  /** End of the running operation, in the clock's milliseconds. */
  readonly busyUntil: number;
}

export class Worker {
  /** The time of the present step, in the clock's milliseconds. May be ahead of the clock by `slack`. */
  time = 0;
  readonly #clock: Clock;
  readonly #flash: () => WorkerFlash;
  readonly #slack: number;
  readonly #queues: Record<QueueName, Queue> = {
    drive: { task: null, isDisabled: false },
    picoboot: { task: null, isDisabled: false },
  };
  #isBusy = false;
  #isWaiting = false;
  #isStopped = false;
  #cancel: (() => void) | null = null;
  #resume: (() => void) | null = null;

  /**
   * @param slack Milliseconds by which work may run ahead of the clock, so that short steps need no timers.
   * @param flash The chip that `ready` waits for.
   */
  constructor(clock: Clock, slack: number, flash: () => WorkerFlash) {
    this.#clock = clock;
    this.#slack = slack;
    this.#flash = flash;
  }

  isDisabled(queue: QueueName): boolean {
    return this.#queues[queue].isDisabled;
  }

  disable(queue: QueueName, isDisabled: boolean): void {
    this.#queues[queue].isDisabled = isDisabled;
  }

  /** Drops a task that has not started, and enables the queue. */
  reset(queue: QueueName): void {
    this.#queues[queue].task = null;
    this.#queues[queue].isDisabled = false;
  }

  /** Queues a task, in the place of one that has not started. It starts after the present interrupt. */
  queue(name: QueueName, task: QueuedTask): void {
    this.#queues[name].task = task;
    if (!this.#isBusy) {
      this.#isBusy = true;
      queueMicrotask(() => this.#next());
    }
  }

  /** Ends a wait for the flash at once. */
  wake(): void {
    if (this.#isWaiting) {
      this.#cancel?.();
      this.time = Math.max(this.time, this.#clock.now());
      queueMicrotask(() => this.#resume?.());
    }
  }

  /** The chip was reset or lost its supply. */
  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
    this.#resume = null;
  }

  #next(): void {
    const name = (['drive', 'picoboot'] as const).find((queue) => this.#queues[queue].task !== null);
    if (this.#isStopped || name === undefined) {
      this.#isBusy = false;
      return;
    }
    const queue = this.#queues[name];
    const { task } = queue;
    queue.task = null;
    if (task === null) {
      return;
    }
    this.time = Math.max(this.time, this.#clock.now());
    if (queue.isDisabled) {
      this.#end(task, status.unknownCommand);
    } else {
      this.#step(task, task.start());
    }
  }

  #step(task: QueuedTask, work: Work): void {
    this.#isWaiting = false;
    this.#resume = null;
    for (;;) {
      const { done, value } = work.next();
      if (done === true) {
        this.#end(task, value);
        return;
      }
      const until = value === 'ready' ? this.#flash().busyUntil : this.time + value;
      this.#isWaiting = value === 'ready';
      const isFar = until > this.#clock.now() + this.#slack;
      if (isFar) {
        const resume = () => {
          if (this.#resume === resume) {
            this.#step(task, work);
          }
        };
        this.#resume = resume;
        const reached = () => {
          this.time = Math.max(this.time, until);
          resume();
        };
        this.#cancel =
          until === Number.POSITIVE_INFINITY ? null : this.#clock.schedule(until - this.#clock.now(), reached);
        return;
      }
      this.time = Math.max(this.time, until);
    }
  }

  #end(task: QueuedTask, result: number): void {
    if (this.#isStopped) {
      return;
    }
    task.done(result);
    queueMicrotask(() => this.#next());
  }
}
