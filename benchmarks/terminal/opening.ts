/** Opens a log in a file on its page, and measures the time until all of its lines are there. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logPage } from '@wirebench/contract';
import { logReads } from '../serial/log-source.ts';
import { medianOf, type Result } from '../serial/measure.ts';
import type { Product } from './product.ts';

declare global {
  interface Window {
    /** Milliseconds from the choice of the file to its first line on the screen, and to its last one. */
    opened: Promise<{ readonly first: number; readonly all: number }>;
  }
}

const DAY = 86_400_000;

/** Returns the prefix of a line for each kind of log. */
const kinds: Readonly<Record<string, (clock: string, line: number) => string>> = {
  'a log of tio': (clock) => `[${clock}] `,
  'a log of four ports of the product': (clock, line) => `2026-11-20 ${clock}  Port ${(line % 4) + 1}  RX  `,
};

/** Returns the time of day of a line. The log covers a day. */
const clockOf = (line: number, lines: number) => new Date(Math.floor((line * DAY) / lines)).toISOString().slice(11, 23);

export async function measureOpening(product: Product, lines: number): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'wirebench-log-'));
  try {
    const results: Result[] = [];
    for (const [kind, prefix] of Object.entries(kinds)) {
      let line = -1;
      const decorated = (text: string) => {
        line++;
        return prefix(clockOf(line, lines), line) + text;
      };
      const file = join(folder, 'a.log');
      writeFileSync(file, Buffer.concat([...logReads(lines, 1 << 20, decorated)]));
      const firsts: number[] = [];
      const milliseconds = await medianOf(
        async () => {
          const { first, all } = await open(product, file, lines);
          firsts.push(first);
          return all;
        },
        5,
        1,
      );
      results.push({
        what: `open ${kind}, ${lines.toLocaleString('en')} lines`,
        measured: `first line ${Math.min(...firsts).toFixed(0)} ms, all ${milliseconds.toFixed(0)} ms`,
        target: 'all ≤ 2000 ms',
        reached: milliseconds <= 2_000,
      });
    }
    return results;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function open({ browser, terminal }: Product, file: string, lines: number) {
  const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(watchLog, lines);
  await page.goto(new URL(logPage, terminal).href);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file…' }).click();
  await (await chooser).setFiles(file);
  const opened = await page.evaluate(() => window.opened);
  await context.close();
  return opened;
}

/** Runs in the page. It observes every change of the document at once, where a test would poll. */
function watchLog(lines: number): void {
  window.opened = new Promise((resolve) => {
    let chosen = Number.NaN;
    let first = Number.NaN;
    const look = () => {
      if (Number.isNaN(first) && document.querySelector('[role=log] [data-direction]') !== null) {
        first = performance.now() - chosen;
      }
      const status = document.querySelector('[aria-label="Status"]')?.textContent?.replace(/\s/g, '');
      if (status?.includes(`${lines}lines`)) {
        observer.disconnect();
        resolve({ first, all: performance.now() - chosen });
      }
    };
    const observer = new MutationObserver(look);
    // The input is in no document.
    const { click } = HTMLInputElement.prototype;
    HTMLInputElement.prototype.click = function clickAndWatch() {
      this.addEventListener('change', () => {
        chosen = performance.now();
        observer.observe(document, { childList: true, characterData: true, subtree: true });
      });
      click.call(this);
    };
  });
}
