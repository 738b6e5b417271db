/** A port controlled by the test: it sends given bytes in the worker that owns the ports. */
import type { Page, Worker } from '@playwright/test';
import { expect } from '../support/test.ts';

/** The part of the worker's global scope that is used here. */
export interface BenchScope {
  readonly bench: {
    readonly bench: {
      connect(port: number, device: object, settings: object): Promise<void>;
      status(): { readonly ports: Readonly<Record<number, { readonly received: number }>> };
    };
  };
  scripted: { say(bytes: readonly number[]): void; written: number[] };
}

export interface ScriptedPort {
  /** Sends each piece (text or bytes) as one read; resolves when the bench has read them all. */
  say(...pieces: readonly (string | readonly number[])[]): Promise<void>;
  /** Waits until the page has written `count` bytes, and takes them. */
  heard(count: number): Promise<Buffer>;
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
      // Each call lets the worker run.
    }
  };
  return {
    heard: async (count) => {
      const take = (wanted: number) => {
        const { written } = (globalThis as unknown as BenchScope).scripted;
        return written.length < wanted ? null : written.splice(0, wanted);
      };
      await expect
        .poll(() => worker.evaluate(() => (globalThis as unknown as BenchScope).scripted.written.length))
        .toBeGreaterThanOrEqual(count);
      return Buffer.from((await worker.evaluate(take, count)) ?? []);
    },
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
  const written: number[] = [];
  scope.scripted = { say: (bytes) => controller?.enqueue(Uint8Array.from(bytes)), written };
  const device = {
    readable: new ReadableStream<Uint8Array>({
      start: (made) => {
        controller = made;
      },
    }),
    writable: new WritableStream<Uint8Array>({
      write: (bytes) => {
        for (const byte of bytes) {
          written.push(byte);
        }
      },
    }),
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

/** Returns the worker that owns the ports, as soon as it answers. */
export async function benchWorker(page: Page): Promise<Worker> {
  const isBench = (worker: Worker) => worker.url().includes('bench');
  const worker = page.workers().find(isBench) ?? (await page.waitForEvent('worker', isBench));
  await expect.poll(() => worker.evaluate(() => 'bench' in globalThis)).toBe(true);
  return worker;
}
