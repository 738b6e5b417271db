/**
 * The longest task on a flasher page's main thread while a simulated board is written, and while a large file is
 * read. The browser reports only tasks of 50 ms and longer ("Long Tasks API", W3C).
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { staticPages } from '@wirebench/contract';
import { avrFirmware, nrfFirmware, stmFirmware } from '@wirebench/devices';
import { rpFirmwareUf2 } from '@wirebench/devices/rp';
import { noise } from '../../scripts/firmware/esp-firmware.ts';
import { orShortest } from '../shortest.ts';

const kibibyte = 1_024;
const mebibyte = 1_024 * kibibyte;

/** Maximum milliseconds of a task on a flasher's page while a board is written (docs/behaviour.md, "Flashers"). */
export const longestAllowed = 50;

export interface MainThread {
  readonly what: string;
  /** Durations of the long tasks in milliseconds, in order. */
  readonly longTasks: readonly number[];
}

interface Flash {
  readonly what: string;
  readonly page: string;
  readonly demo: string;
  readonly file: { readonly name: string; readonly bytes: Uint8Array };
  /** Offset to type into the page, if nothing else determines it. */
  readonly offset?: string;
}

/**
 * Bytes for bootloaders that acknowledge every few hundred bytes. The browser's timers delay each answer of a
 * simulated board by milliseconds.
 */
const slowly = orShortest(64, 4) * kibibyte;

const flashes: readonly Flash[] = [
  {
    what: `Demo ESP32 written with ${orShortest('1.5 MB', '64 KB')}`,
    page: staticPages.espFlasher,
    demo: 'Demo ESP32',
    file: { name: 'storage.bin', bytes: compressible(orShortest(1.5 * mebibyte, 64 * kibibyte)) },
    offset: '0x110000',
  },
  {
    what: `Demo STM32F407 written with ${slowly / kibibyte} KB`,
    page: staticPages.stmFlasher,
    demo: 'Demo STM32F407',
    file: { name: 'boiler.bin', bytes: stmFirmware({ text: 'Hello.\r\n', size: slowly }) },
  },
  {
    what: `Demo nRF52840 written with ${slowly / kibibyte} KB`,
    page: staticPages.nrfFlasher,
    demo: 'Demo nRF52840',
    file: nrfFirmware({ board: 'nrf52840-secure', size: slowly }),
  },
  {
    what: `Demo Uno written with ${orShortest(24, 1)} KB`,
    page: staticPages.avrFlasher,
    demo: 'Demo Uno',
    file: { name: 'Blink.bin', bytes: avrFirmware({ size: orShortest(24, 1) * kibibyte, seed: 2 }) },
  },
  {
    what: `Demo Pico written with ${orShortest(256, 8)} KB`,
    page: staticPages.rpFlasher,
    demo: 'Demo Pico',
    file: {
      name: 'hello.uf2',
      bytes: rpFirmwareUf2({ chip: 'rp2040', text: 'Hello.\r\n', size: orShortest(256, 8) * kibibyte, seed: 2 }),
    },
  },
];

declare global {
  interface Window {
    longTasks: { readonly start: number; readonly duration: number }[];
  }
}

/** Holds the chosen files until this program ends, because a page reads a file only when it needs it. */
const folder = mkdtempSync(join(tmpdir(), 'wirebench-files-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Measures from the click to the receipt, for a board of each family. */
export async function whileFlashing(browser: Browser, origin: string): Promise<MainThread[]> {
  const seen: MainThread[] = [];
  for (const { what, page: path, demo, file, offset } of flashes) {
    console.error(`${what} …`);
    seen.push(
      await onPage(browser, `${origin}${path}`, async (page) => {
        await choose(page, file);
        if (offset !== undefined) {
          await page.getByRole('textbox', { name: `Offset of ${file.name}` }).fill(offset);
        }
        const baud = page.getByRole('combobox', { name: 'Baud' });
        if ((await baud.count()) > 0) {
          await baud.selectOption('921600');
        }
        await page.getByRole('button', { name: 'Other ways to connect a board' }).click();
        await page.getByRole('menuitem', { name: demo, exact: true }).click();
        const write = page.getByRole('button', { name: /^(Write \d files?|Install .*)$/ });
        await write.click({ trial: true });
        const longTasks = await longTasksDuring(page, async () => {
          await write.click();
          await page.getByRole('region', { name: 'Result' }).waitFor();
        });
        return { what, longTasks };
      }),
    );
  }
  return seen;
}

/** Chooses a file larger than the flash while a board is connected: it is read, hashed, placed and planned. */
export async function whileLooking(browser: Browser, origin: string): Promise<MainThread> {
  const size = orShortest(16, 5);
  console.error(`${size} MiB chosen …`);
  return onPage(browser, `${origin}${staticPages.espFlasher}`, async (page) => {
    await page.getByRole('button', { name: 'Try the Demo ESP32' }).click();
    await page.getByText('Ready', { exact: true }).first().waitFor();
    const file = { name: 'whole-0x0.bin', bytes: noise(size * mebibyte) };
    const longTasks = await longTasksDuring(page, async () => {
      await choose(page, file);
      await page.getByText('Not possible', { exact: true }).first().waitFor();
    });
    return { what: `${size} MiB chosen, read, hashed and planned`, longTasks };
  });
}

/** Makes bytes that compress like firmware: half of them repeat. */
function compressible(length: number): Buffer {
  const bytes = noise(length);
  for (let at = 0; at + 64 <= length; at += 128) {
    bytes.fill(0x5a, at, at + 64);
  }
  return bytes;
}

/** Chooses a file by its path. Sending its bytes through the page would add tasks to the measurement. */
async function choose(page: Page, { name, bytes }: Flash['file']): Promise<void> {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  await page.getByLabel('Firmware files').setInputFiles(path);
}

/**
 * Returns the milliseconds of each long task of the page's main thread while `act` runs.
 *
 * @param page Page from `onPage`.
 */
export async function longTasksDuring(page: Page, act: () => Promise<void>): Promise<number[]> {
  const from = await page.evaluate(() => performance.now());
  await act();
  return page.evaluate(async (start) => {
    // The browser reports tasks after they have ended.
    await new Promise((resolve) => setTimeout(resolve, 100));
    return window.longTasks.filter((task) => task.start >= start).map((task) => task.duration);
  }, from);
}

/** Opens a page in a fresh profile. */
export async function onPage<Seen>(
  browser: Browser,
  address: string,
  use: (page: Page) => Promise<Seen>,
): Promise<Seen> {
  const context = await browser.newContext({ viewport: { width: 1_440, height: 900 }, serviceWorkers: 'block' });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(180_000);
    await page.addInitScript(() => {
      window.longTasks = [];
      new PerformanceObserver((list) => {
        window.longTasks.push(...list.getEntries().map(({ startTime: start, duration }) => ({ start, duration })));
      }).observe({ type: 'longtask', buffered: true });
    });
    await page.goto(address);
    return await use(page);
  } finally {
    await context.close();
  }
}
