/**
 * The page's bench without a worker: it lives in the thread of the test, on virtual time, so that whole pages with simulated boards can
 * be shown in a simulated document. Nothing of the product is replaced, only what the browser gives it.
 */
import { MessageChannel as Line } from 'node:worker_threads';
import { VirtualClock } from '@wirebench/clock';
import type { Channel } from '../../protocol/calls/call-protocol.ts';
import { BenchWorker } from '../../worker/bench/bench-worker.ts';
import { acceptTools } from '../../worker/bench/tool-hook.ts';
import { SymbolStore } from '../../worker/crash/symbol-store.ts';

/** Virtual milliseconds that pass in a real one: what a person does next still comes before the product gives up to wait for it. */
const stride = 20;

export class BenchInThread {
  readonly clock = new VirtualClock(Date.UTC(2026, 0, 1));
  readonly #before = globalThis.Worker;
  readonly #ends: (() => void)[] = [];
  #host: BenchWorker | null = null;
  #runs = true;
  #over = false;

  /** Stands in for `Worker` from now on: to be made before the page asks for its bench. */
  constructor() {
    const make = (name: string | undefined) => this.#makeWorker(name);
    // A constructor that gives an object gives this one.
    Object.assign(globalThis, {
      Worker: function Worker(_url: URL, options?: WorkerOptions) {
        return make(options?.name);
      },
    });
    void this.#pass();
  }

  /** Available once the page has requested it. */
  get host(): BenchWorker {
    if (this.#host === null) {
      throw new Error('The page has not asked for its bench.');
    }
    return this.#host;
  }

  /** Lets time stand still, or go on. */
  set runs(runs: boolean) {
    this.#runs = runs;
  }

  /** The page is gone, and its bench with it. */
  stop(): void {
    this.#over = true;
    Object.assign(globalThis, { Worker: this.#before });
    for (const end of this.#ends) {
      end();
    }
  }

  #makeWorker(name: string | undefined): object {
    const { port1, port2 } = new Line();
    // Node's ports are those of the browser, with other types.
    const inside = port1 as unknown as Channel;
    if (name === 'symbols') {
      new SymbolStore(inside, this.clock);
    } else {
      this.#startBench(inside);
    }
    this.#ends.push(() => port1.close());
    port1.start();
    port2.start();
    return Object.assign(port2, { terminate: () => undefined });
  }

  #startBench(inside: Channel): void {
    acceptTools(inside, this.clock, () => host);
    const host = new BenchWorker(inside, {
      clock: this.clock,
      openRecordingFile: () => Promise.reject(new Error('There is no storage in this document.')),
    });
    this.#host = host;
    this.#ends.push(() => host.bench.dispose());
    inside.postMessage({ hello: { serial: true } }, []);
  }

  async #pass(): Promise<void> {
    while (!this.#over) {
      // Pages are rendered, messages travel and hashes are calculated in real time.
      await new Promise<void>((resolve) => setTimeout(resolve));
      if (this.#runs) {
        await this.clock.advance(stride);
      }
    }
  }
}
