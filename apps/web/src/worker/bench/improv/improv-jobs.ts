/**
 * Jobs that set up the Wi-Fi of boards by Improv: at most one on each port. A job takes the packets out of what the
 * port receives and passes the text on to the log, which says in one line what was sent. Others can send in between.
 */
import type { Clock } from '@wirebench/clock';
import { type Bench, byPort, type PortNumber, portNumbers } from '@wirebench/serial';
import { PacketWatch } from '@wirebench/serial/improv-watch';
import type { BenchTick } from '../../../protocol/bench/bench-tick.ts';
import { type ImprovAnswer, type ImprovJob, type ImprovStatus, unheard } from '../../../protocol/bench/improv-part.ts';

export interface ImprovJobsParts {
  readonly bench: Bench;
  readonly clock: Clock;
  readonly onProgress: () => void;
}

interface Running {
  readonly stop: AbortController;
  readonly done: Promise<unknown>;
}

/** Pause of the board after which the beginning of a packet is text, in milliseconds. */
const PAUSE = 300;

export class ImprovJobs {
  readonly #parts: ImprovJobsParts;
  readonly #watches = byPort(() => new PacketWatch());
  readonly #running = new Map<PortNumber, Running>();
  #ports = byPort(() => unheard);

  constructor(parts: ImprovJobsParts) {
    this.#parts = parts;
  }

  get progress(): Pick<BenchTick, 'improv'> {
    const { ports } = this.#parts.bench.status();
    for (const port of portNumbers) {
      if (ports[port].state === 'disconnected' && this.#ports[port] !== unheard) {
        this.#ports = { ...this.#ports, [port]: unheard };
      }
    }
    return { improv: this.#ports };
  }

  /** Looks for packets in what a port received. Called for each chunk. */
  received(port: PortNumber, bytes: Uint8Array): void {
    const state = this.#watches[port].received(bytes);
    if (state !== null) {
      this.#change(port, { isHeard: true, ...(state !== 'unknown' && { state }) });
    }
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
   * @param signal Stops the job.
   * @returns The answer, with the failure if there is one.
   * @throws SessionError if the port is not open, or not free.
   */
  async run(port: PortNumber, job: ImprovJob, signal: AbortSignal): Promise<ImprovAnswer> {
    const { bench, clock } = this.#parts;
    const parts = await import('./improv-work.ts');
    if (job.kind === 'connect') {
      bench.conceal(job.password);
    }
    let cancelPause: () => void = () => undefined;
    const hold = bench.jobs.holdForTransfer(
      port,
      (bytes) => {
        cancelPause();
        hold.pass(client.received(bytes));
        if (client.isWaiting) {
          cancelPause = clock.schedule(PAUSE, () => hold.pass(client.rest()));
        }
      },
      'improv',
    );
    hold.admitsOthers = true;
    const stop = new AbortController();
    const ended = Promise.withResolvers<void>();
    this.#running.set(port, { stop, done: ended.promise });
    const client = new parts.ImprovClient({
      clock,
      send: (bytes) => hold.send(bytes),
      signal: AbortSignal.any([signal, stop.signal]),
      onState: (state) => this.#change(port, { isHeard: true, state }),
    });
    hold.over.addEventListener('abort', () => client.closed(), { once: true });
    this.#change(port, { job: job.kind, found: [] });
    const say = ({ level, text }: ReturnType<typeof parts.startNotice>) => bench.notice(level, text, port);
    say(parts.startNotice(job));
    try {
      const answer = await parts.doImprovJob(client, job, (found) => this.#change(port, { isHeard: true, found }));
      const { information, address } = answer;
      this.#change(port, {
        ...(parts.isHeard(answer) && { isHeard: true }),
        ...(information !== null && { information }),
        ...(address !== '' && { address }),
      });
      const notice = parts.endNotice(job, answer);
      if (notice !== null) {
        say(notice);
      }
      return answer;
    } finally {
      cancelPause();
      this.#running.delete(port);
      hold.release(client.rest());
      this.#change(port, { job: null, found: [] });
      ended.resolve();
    }
  }

  #change(port: PortNumber, change: Partial<ImprovStatus>): void {
    this.#ports = { ...this.#ports, [port]: { ...this.#ports[port], ...change } };
    this.#parts.onProgress();
  }
}
