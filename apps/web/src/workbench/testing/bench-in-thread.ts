/**
 * The page's bench without a worker: it runs in the thread of the test, on virtual time. Tests can show whole pages
 * with simulated boards in a simulated document. Only browser APIs are replaced, no product code.
 */
import { MessageChannel as Line } from 'node:worker_threads';
import { VirtualClock } from '@wirebench/clock';
import type { Channel } from '../../protocol/calls/call-protocol.ts';
import { BenchWorker } from '../../worker/bench/bench-worker.ts';
import { acceptTools } from '../../worker/bench/tool-hook.ts';
import { SymbolStore } from '../../worker/crash/symbol-store.ts';
import { FileSystemStore } from '../../worker/file-systems/file-system-store.ts';

/**
 * Virtual milliseconds for each real one. Small enough that a test's next action arrives before a timeout of the
 * product.
 */
const stride = 20;

export class BenchInThread {
  readonly clock = new VirtualClock(Date.UTC(2026, 0, 1));
  readonly #before = globalThis.Worker;
  readonly #ends: (() => void)[] = [];
  #worker: BenchWorker | null = null;
  #runs = true;
  #over = false;

  /** Replaces the global `Worker`. Create it before the page requests its bench. */
  constructor() {
    const make = (name: string | undefined) => this.#makeWorker(name);
    // A constructor that returns an object makes `new` return that object.
    Object.assign(globalThis, {
      Worker: function Worker(_url: URL, options?: WorkerOptions) {
        return make(options?.name);
      },
    });
    void this.#pass();
  }

  /** Available once the page has requested it. */
  get worker(): BenchWorker {
    if (this.#worker === null) {
      throw new Error('The page has not asked for its bench.');
    }
    return this.#worker;
  }

  /** Stops or continues the virtual time. */
  set runs(runs: boolean) {
    this.#runs = runs;
  }

  /** Simulates the end of the page: its bench ends with it. */
  stop(): void {
    this.#over = true;
    Object.assign(globalThis, { Worker: this.#before });
    for (const end of this.#ends) {
      end();
    }
  }

  #makeWorker(name: string | undefined): object {
    const { port1, port2 } = new Line();
    // Ports of Node behave like those of the browser, but have other types.
    const inside = port1 as unknown as Channel;
    if (name === 'symbols') {
      new SymbolStore(inside, this.clock);
    } else if (name === 'file-systems') {
      new FileSystemStore(inside, this.clock);
    } else {
      this.#startBench(inside);
    }
    this.#ends.push(() => port1.close());
    port1.start();
    port2.start();
    return Object.assign(port2, { terminate: () => undefined });
  }

  #startBench(inside: Channel): void {
    acceptTools(inside, this.clock, () => worker);
    const worker = new BenchWorker(inside, {
      clock: this.clock,
      openRecordingFile: () => Promise.reject(new Error('There is no storage in this document.')),
    });
    this.#worker = worker;
    this.#ends.push(() => worker.bench.dispose());
    inside.postMessage({ hello: { serial: true } }, []);
  }

  async #pass(): Promise<void> {
    while (!this.#over) {
      // Rendering, messages and hashes need real time.
      await new Promise<void>((resolve) => setTimeout(resolve));
      if (this.#runs) {
        await this.clock.advance(stride);
      }
    }
  }
}
