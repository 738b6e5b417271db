/** Eight hours at a terminal, shortened: the output of a busy port in that time, through one recording. @long */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type Page, chromium as playwright } from '@playwright/test';
import { chromium } from '../support/chromium.ts';
import { expect, test } from '../support/test.ts';
import { type BenchScope, benchWorker } from './scripted-port.ts';
import { log, openTerminal, startRecording, tryDemo } from './terminal-steps.ts';

const mebibyte = 1 << 20;
/** Bytes of about six hours at 921,600 baud. */
const total = 2_048 * mebibyte;
const block = mebibyte / 4;
const blocks = total / block;
const lineLength = 64;
/** Maximum growth of memory once the ring is full: uncollected garbage. */
const maxGrowth = 64 * mebibyte;

/** Runs in the worker: connects port 2 to a board that sends `blocks` numbered blocks of lines as fast as they are read. */
async function connectTalker({ blocks: count, block: size, lineLength: width }: typeof shape): Promise<void> {
  const encoder = new TextEncoder();
  const bytes = encoder.encode(`${'.'.repeat(width - 1)}\n`.repeat(size / width));
  let said = 0;
  const readable = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        if (said === count) {
          return new Promise<void>(() => undefined);
        }
        // Lets the worker run other tasks between two reads.
        await new Promise((resolve) => setTimeout(resolve));
        bytes.set(encoder.encode(String(said++).padStart(10, '0')));
        controller.enqueue(bytes.slice());
      },
    },
    { highWaterMark: 0 },
  );
  const nothing = async () => undefined;
  const device = {
    readable,
    writable: new WritableStream<Uint8Array>(),
    open: nothing,
    close: nothing,
    getInfo: () => ({}),
    setSignals: nothing,
    addEventListener: nothing,
    removeEventListener: nothing,
  };
  const settings = { baudRate: 921_600, dataBits: 8, stopBits: 1, parity: 'none', flowControl: 'none' };
  await (globalThis as unknown as BenchScope).bench.bench.connect(2, device, settings);
}

const shape = { blocks, block, lineLength };

/** Generates the same bytes here and returns their hash. */
function expectedHash(): string {
  const bytes = Buffer.from(`${'.'.repeat(lineLength - 1)}\n`.repeat(block / lineLength));
  const hash = createHash('sha256');
  for (let said = 0; said < blocks; said++) {
    bytes.write(String(said).padStart(10, '0'));
    hash.update(bytes);
  }
  return hash.digest('hex');
}

async function hashOf(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash: Hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: mebibyte })) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/**
 * Returns the bytes of memory that the page's process holds, the worker's included (proc_pid_status(5)); null if the
 * system does not report it.
 */
async function heldBytes(browser: Browser | null): Promise<number | null> {
  if (browser === null || process.platform !== 'linux') {
    return null;
  }
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const held = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => {
      const sizes = readFileSync(`/proc/${id}/status`, 'utf8').matchAll(/^(?:RssAnon|RssShmem):\s+(\d+) kB$/gm);
      return [...sizes].reduce((sum, [, kibibytes]) => sum + Number(kibibytes) * 1_024, 0);
    });
  return Math.max(...held);
}

async function waitForBytes(page: Page, wanted: number): Promise<void> {
  const worker = await benchWorker(page);
  const received = () =>
    worker.evaluate(() => (globalThis as unknown as BenchScope).bench.bench.status().ports[2]?.received ?? 0);
  await expect.poll(received, { timeout: 900_000, intervals: [1_000] }).toBeGreaterThanOrEqual(wanted);
}

test('2 GB through one port while recording: memory stays flat, and the file is equal by its hash @long', async ({
  baseURL,
}) => {
  test.setTimeout(1_800_000);
  // Uses a profile on disk. Without one the browser keeps files in memory, with little room.
  const profile = await mkdtemp(join(tmpdir(), 'wirebench-profile-'));
  const context = await playwright.launchPersistentContext(profile, { ...chromium, ...(baseURL && { baseURL }) });
  try {
    const page = await context.newPage();
    await openTerminal(page);
    await tryDemo(page);
    const stop = await startRecording(page);
    await (await benchWorker(page)).evaluate(connectTalker, shape);
    await waitForBytes(page, total / 4);
    const early = await heldBytes(context.browser());
    await waitForBytes(page, total);
    const late = await heldBytes(context.browser());
    if (early !== null && late !== null) {
      expect(late - early).toBeLessThan(maxGrowth);
    }
    await expect(log(page)).toContainText('.'.repeat(lineLength - 1));
    const download = page.waitForEvent('download', { timeout: 300_000 });
    await stop.click();
    const path = await (await download).path();
    expect(await hashOf(path)).toEqual({ bytes: total, sha256: expectedHash() });
  } finally {
    await context.close();
    await rm(profile, { recursive: true, force: true });
  }
});
