/**
 * The lab's bench in a real browser, with the demo board in the bench's thread. Times from a click to its visible
 * result are taken inside the page. Pin changes start at the simulated board itself, beyond the wire.
 */
import type { Browser, Locator, Page, Worker } from '@playwright/test';
import { esp32BenchPage } from '@wirebench/contract';
import type { EspDevice } from '@wirebench/devices';
import { type BenchChip, benchChips } from './virtual-board.ts';

export interface PageTimes {
  /** Milliseconds from the click on *Connect* until the levels of pins are painted. */
  readonly connect: number;
  /** Milliseconds from the click on *Scan* until the list of found and identified devices is painted. */
  readonly scan: number;
  /** Milliseconds from each change at the board until it is painted; empty if no changes were requested. */
  readonly pinChanges: readonly number[];
  readonly changedFlash: number;
}

/** Port number of the lab's board on the bench (`labPort`). */
const benchPort = 1;
/** An unconnected pin that the benchmark holds high or low. */
const heldPin = { esp32: 25, esp32c3: 3 } as const;
/** Milliseconds between changes. Odd, so that they occur at any time within a frame and between two reads. */
const changeInterval = 173;

/**
 * Global scope of the bench's thread: its handle for benchmarks (`bench.worker.ts`), and values that this benchmark
 * stores there.
 */
interface BenchThread {
  readonly bench: { readonly devices: { simulatedBoard(port: number): EspDevice | null } };
  board: EspDevice;
  flashBefore: Uint8Array;
}

declare global {
  interface Window {
    /** Times at which a pin's level was painted, in milliseconds since the Unix epoch. */
    levelTimes: Promise<number>[];
  }
}

/**
 * Measures one page.
 *
 * @param changes Number of pin changes.
 */
export async function measurePage(
  browser: Browser,
  origin: string,
  chip: BenchChip,
  baudRate: number,
  changes: number,
): Promise<PageTimes> {
  const context = await browser.newContext({ viewport: { width: 1_440, height: 900 }, serviceWorkers: 'block' });
  try {
    const page = await context.newPage();
    await page.goto(`${origin}${esp32BenchPage}`);
    await page.getByLabel('Baud rate of the link to the board').selectOption(String(baudRate));
    await page.getByRole('button', { name: 'Other ways to connect a board' }).click();
    const demo = page.getByRole('menuitem', { name: `Demo ${benchChips[chip]} bench`, exact: true });
    const thread = await benchThread(page);
    const connect = await timeOf(demo, '[data-gpio] [data-level="high"], [data-gpio] [data-level="low"]');
    await keepBoard(thread);
    const scan = await timeOf(page.getByRole('button', { name: 'Scan', exact: true }), '#scan-done');
    const pinChanges = changes === 0 ? [] : await timePinChanges(page, thread, heldPin[chip], changes);
    await page.getByRole('button', { name: 'Leave', exact: true }).click();
    await demoIsOffered(page);
    return { connect, scan, pinChanges, changedFlash: await changedFlash(thread) };
  } finally {
    await context.close();
  }
}

const demoIsOffered = (page: Page) => page.getByRole('button', { name: /^Try the Demo/ }).waitFor();

async function benchThread(page: Page): Promise<Worker> {
  return page.workers().find((worker) => worker.url().includes('bench')) ?? page.waitForEvent('worker');
}

/**
 * Clicks inside the page.
 *
 * @returns Milliseconds until the animation frame that paints an element matching `shown`.
 */
function timeOf(button: Locator, shown: string): Promise<number> {
  return button.evaluate((element, selector) => {
    // The end of a scan has no element of its own, only the text of its status line.
    const isShown = () =>
      selector === '#scan-done'
        ? [...document.querySelectorAll('[role=status]')].some(({ textContent }) =>
            textContent?.startsWith('Scan done'),
          )
        : document.querySelector(selector) !== null;
    return new Promise<number>((resolve, reject) => {
      const observer = new MutationObserver(() => {
        if (isShown()) {
          observer.disconnect();
          clearTimeout(limit);
          requestAnimationFrame(() => resolve(performance.now() - begun));
        }
      });
      observer.observe(document, { childList: true, subtree: true, attributes: true, characterData: true });
      const limit = setTimeout(() => {
        const log = document.querySelector('[role=log]')?.textContent ?? 'no log';
        reject(new Error(`Not shown within 30 s: ${selector}. The log says: ${log}`));
      }, 30_000);
      const begun = performance.now();
      (element as HTMLElement).click();
    });
  }, shown);
}

/** Stores the connected board and a copy of its flash in the thread. */
function keepBoard(thread: Worker): Promise<void> {
  return thread.evaluate((port) => {
    const scope = globalThis as unknown as BenchThread;
    const board = scope.bench.devices.simulatedBoard(port);
    if (board === null) {
      throw new Error('No simulated board is on the bench.');
    }
    scope.board = board;
    scope.flashBefore = board.flash.read(0, board.flash.size).slice();
  }, benchPort);
}

/** Returns the number of bytes erased, programmed or changed since the board was connected. */
function changedFlash(thread: Worker): Promise<number> {
  return thread.evaluate(() => {
    const { board, flashBefore } = globalThis as unknown as BenchThread;
    const after = board.flash.read(0, board.flash.size);
    const others = flashBefore.reduce((sum, byte, at) => sum + (byte === after[at] ? 0 : 1), 0);
    return board.flash.erasedBytes + board.flash.programmedBytes + others;
  });
}

async function timePinChanges(page: Page, thread: Worker, gpio: number, changes: number): Promise<number[]> {
  const hold = (level: 'high' | 'low') =>
    thread.evaluate(
      ({ pin, at }) => {
        const { board } = globalThis as unknown as BenchThread;
        board.breadboard?.hold(pin, at);
        return performance.timeOrigin + performance.now();
      },
      { pin: gpio, at: level },
    );
  await page.getByRole('radio', { name: new RegExp(`^GPIO ${gpio}\\b`) }).click();
  await page.getByRole('region', { name: 'Selected pin' }).getByRole('button', { name: 'Input', exact: true }).click();
  await hold('low');
  await page.locator(`[data-gpio="${gpio}"] [data-level="low"]`).waitFor();
  await page.evaluate((pin) => {
    window.levelTimes = [];
    new MutationObserver(() => {
      const painted = new Promise<number>((resolve) => {
        requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()));
      });
      window.levelTimes.push(painted);
    }).observe(document.querySelector(`[data-gpio="${pin}"] [data-level]`) as Element, {
      attributes: true,
      attributeFilter: ['data-level'],
    });
  }, gpio);
  const changedAt: number[] = [];
  for (let change = 0; change < changes; change++) {
    changedAt.push(await hold(change % 2 === 0 ? 'high' : 'low'));
    // Two changes within one tick would be painted as none.
    await page.waitForFunction((count) => window.levelTimes.length === count, change + 1, { polling: 20 });
    await page.waitForTimeout(changeInterval);
  }
  const paintedAt = await page.evaluate(() => Promise.all(window.levelTimes));
  return changedAt.map((at, index) => (paintedAt[index] ?? Number.NaN) - at);
}
