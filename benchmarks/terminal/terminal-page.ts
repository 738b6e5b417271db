/** The terminal in its own page, for the scenarios. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Locator, Page, Worker } from '@playwright/test';
import { loadChunks, loadLineCount, loadLineLength } from '@wirebench/devices';
import type { Bench } from '@wirebench/serial';
import type { Product } from './product.ts';

/** Globals that the bench's worker exposes to benchmarks. */
declare global {
  var bench: { readonly bench: Bench };
}

export interface TerminalOptions {
  readonly baudRate: number;
  /** MiB of buffer for each port. */
  readonly bufferSize: number;
}

export interface SavedFile {
  readonly bytes: number;
  readonly sha256: string;
}

export class TerminalPage {
  readonly page: Page;

  private constructor(page: Page) {
    this.page = page;
  }

  static async open({ browser, terminal }: Product, options: TerminalOptions): Promise<TerminalPage> {
    const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } });
    const page = await context.newPage();
    await page.addInitScript(remember, options);
    await page.goto(terminal);
    return new TerminalPage(page);
  }

  get message(): Locator {
    return this.page.getByRole('textbox', { name: 'Message' });
  }

  get worker(): Worker {
    const [worker] = this.page.workers();
    if (worker === undefined) {
      throw new Error('The bench has no worker.');
    }
    return worker;
  }

  /** Opens a demo device and waits for its prompt. */
  async connectDemo(port: number): Promise<void> {
    await this.page
      .getByRole('button', { name: `Other ways to connect port ${port}` })
      .first()
      .click();
    await this.page.getByRole('menuitem', { name: 'Demo board' }).click();
    await this.page.locator(`[data-port="${port}"]`, { hasText: 'demo>' }).first().waitFor();
  }

  /** Selects the port with the keyboard: a click on a selected tab would open its settings. */
  async select(port: number): Promise<void> {
    await this.page.getByRole('tab', { selected: true }).focus();
    await this.page.keyboard.press('Home');
    for (let step = 1; step < port; step++) {
      await this.page.keyboard.press('ArrowRight');
    }
  }

  async type(port: number, text: string): Promise<void> {
    await this.message.fill(text);
    await this.page.getByRole('button', { name: `Port ${port} Send` }).click();
  }

  async clear(): Promise<void> {
    await this.page.getByRole('button', { name: 'Clear' }).click();
    await this.page.getByText('Messages cleared').waitFor();
  }

  /** Returns the bytes received by the port, according to the bench. */
  received(port: 1 | 2 | 3 | 4): Promise<number> {
    return this.worker.evaluate((asked) => globalThis.bench.bench.status().ports[asked].received, port);
  }

  /** Resolves after a second without received bytes. */
  async quiet(): Promise<void> {
    const total = () =>
      this.worker.evaluate(() =>
        Object.values(globalThis.bench.bench.status().ports).reduce((sum, { received }) => sum + received, 0),
      );
    for (let last = -1, now = await total(); now !== last; ) {
      await this.page.waitForTimeout(1_000);
      last = now;
      now = await total();
    }
  }

  async saved(button: Locator): Promise<SavedFile> {
    const [download] = await Promise.all([this.page.waitForEvent('download', { timeout: 120_000 }), button.click()]);
    const path = await download.path();
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of createReadStream(path)) {
      hash.update(chunk);
      bytes += chunk.length;
    }
    return { bytes, sha256: hash.digest('hex') };
  }

  async exported(port: number): Promise<SavedFile> {
    await this.page.getByRole('button', { name: 'Save the log' }).click();
    return this.saved(this.page.getByRole('menuitem', { name: `Received bytes of Port ${port}` }));
  }

  close(): Promise<void> {
    return this.page.context().close();
  }
}

/** Runs in the page before its own code: stores settings like those of an earlier visit. */
function remember({ baudRate, bufferSize }: TerminalOptions): void {
  const settings = { baudRate, dataBits: 8, stopBits: 1, parity: 'none', flowControl: 'none' };
  const port = { name: '', settings };
  const kept = { version: 1, bufferSize, ports: { 1: port, 2: port, 3: port, 4: port } };
  localStorage.setItem('wirebench.terminal', JSON.stringify(kept));
}

/** Returns the output of the demo device with `seed` for a typed load command, up to its next prompt. */
export function expectedLoad(rate: number, seconds: number, seed: number): SavedFile {
  const count = loadLineCount(rate, seconds);
  const hash = createHash('sha256');
  let bytes = 0;
  const add = (chunk: Uint8Array | string) => {
    hash.update(chunk);
    bytes += chunk.length;
  };
  add(`load ${rate} ${seconds}\r\nload: ${rate} bytes/s for ${seconds} s\r\n`);
  for (const chunk of loadChunks(count, seed)) {
    add(chunk);
  }
  add(`load: ${count} lines, ${count * loadLineLength} bytes\r\ndemo> `);
  return { bytes, sha256: hash.digest('hex') };
}
