/**
 * The page's bench without a worker: it runs in the thread of the test, on virtual time. Tests can show whole pages
 * with simulated boards in a simulated document. Only browser APIs are replaced, no product code.
 */
import { MessageChannel as Line } from 'node:worker_threads';
import { VirtualClock } from '@wirebench/clock';
import type { Channel } from '../../protocol/calls/call-protocol.ts';
import type { ToolRequest } from '../../protocol/tool-request.ts';
import { BenchWorker } from '../../worker/bench/bench-worker.ts';
import { acceptTools } from '../../worker/bench/tool-hook.ts';
import { SymbolStore } from '../../worker/crash/symbol-store.ts';
import { FileSystemStore } from '../../worker/file-systems/file-system-store.ts';

/**
 * Virtual milliseconds for each real one. Small enough that a test's next action arrives before a timeout of the
 * product.
 */
const stride = 20;

/** Milliseconds of ticks without a gap after which a job counts as long, and the gap that ends such a series. */
const longAfter = 2_000;
const gap = 400;
/** Virtual milliseconds between the ticks of a long job. */
const longTickPause = 250;

/**
 * Lets a long job of a tool send fewer ticks: hands the page's acknowledgement of each to the worker after a pause.
 * Virtual time runs fifty times as fast as a browser's, and a tick for each frame would spend most of a test on drawing
 * progress.
 */
function holdTicks(line: Channel, clock: VirtualClock): void {
  const listen = line.addEventListener.bind(line);
  let since = clock.now();
  let last = clock.now();
  line.addEventListener = (type: 'message', listener: (event: MessageEvent) => void) =>
    listen(type, (event: MessageEvent<object>) => {
      if (!('tickTaken' in event.data)) {
        listener(event);
        return;
      }
      const now = clock.now();
      since = now - last > gap ? now : since;
      last = now;
      if (now - since < longAfter) {
        listener(event);
      } else {
        clock.schedule(longTickPause, () => listener(event));
      }
    });
}

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
    inside.addEventListener('message', ({ data }: MessageEvent<object | ToolRequest>) => {
      if ('line' in data) {
        holdTicks(data.line, this.clock);
      }
    });
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
