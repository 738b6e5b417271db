/** A port whose other end is the test: it sends what it is given, byte by byte, in the worker that owns the ports. */
import type { Page, Worker } from '@playwright/test';
import { expect } from '../support/test.ts';

/** What the worker shows of itself, as far as it is used here. */
export interface BenchScope {
  readonly bench: {
    readonly bench: {
      connect(port: number, device: object, settings: object): Promise<void>;
      status(): { readonly ports: Readonly<Record<number, { readonly received: number }>> };
    };
  };
  scripted: { say(bytes: readonly number[]): void };
}

export interface ScriptedPort {
  /** One read for each piece, text or bytes; resolves when the bench has read them. */
  say(...pieces: readonly (string | readonly number[])[]): Promise<void>;
}

/** Opens the port in the worker. */
export async function openScripted(page: Page, port: number): Promise<ScriptedPort> {
  const worker = await benchWorker(page);
  await worker.evaluate(connectScripted, port);
  const received = () =>
    worker.evaluate(
      (number) => (globalThis as unknown as BenchScope).bench.bench.status().ports[number]?.received ?? 0,
      port,
    );
  const sayPiece = async (bytes: readonly number[]) => {
    const wanted = (await received()) + bytes.length;
    await worker.evaluate((said) => (globalThis as unknown as BenchScope).scripted.say(said), bytes);
    while ((await received()) < wanted) {
      // Each question gives the worker a turn.
    }
  };
  return {
    say: async (...pieces) => {
      for (const piece of pieces) {
        await sayPiece(typeof piece === 'string' ? [...Buffer.from(piece)] : piece);
      }
    },
  };
}

/** Runs in the worker. */
async function connectScripted(port: number): Promise<void> {
  const scope = globalThis as unknown as BenchScope;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  scope.scripted = { say: (bytes) => controller?.enqueue(Uint8Array.from(bytes)) };
  const device = {
    readable: new ReadableStream<Uint8Array>({
      start: (made) => {
        controller = made;
      },
    }),
    writable: new WritableStream<Uint8Array>(),
    open: async () => undefined,
    close: async () => undefined,
    getInfo: () => ({}),
    setSignals: async () => undefined,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  };
  const settings = { baudRate: 115_200, dataBits: 8, stopBits: 1, parity: 'none', flowControl: 'none' };
  await scope.bench.bench.connect(port, device, settings);
}

/** The worker that owns the ports, once it can be asked. */
export async function benchWorker(page: Page): Promise<Worker> {
  const isBench = (worker: Worker) => worker.url().includes('bench');
  const worker = page.workers().find(isBench) ?? (await page.waitForEvent('worker', isBench));
  await expect.poll(() => worker.evaluate(() => 'bench' in globalThis)).toBe(true);
  return worker;
}
