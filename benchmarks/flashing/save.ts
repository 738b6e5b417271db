/**
 * Row of the table: from the last byte of a build on the disk to the program's first line in the monitor, in the page
 * itself. A real folder is dropped onto the flasher, and the demo board is written at 921,600 baud.
 */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { staticPages } from '@wirebench/contract';
import { encodePartitionTable, parsePartitionCsv } from '@wirebench/flasher/esp';
import { root } from '../../scripts/build/web.ts';
import { espImage } from '../../scripts/firmware/esp-firmware.ts';
import { isShortest, orShortest } from '../shortest.ts';
import { startProduct } from '../terminal/product.ts';
import { makeImage } from './image.ts';

/** Seconds, with the board's own boot. */
const target = 2;
const CHANGED_AT = orShortest(700_000, 8_192);

/** Has room for the application, which the demo board's own table does not. */
const table = 'nvs,data,nvs,0x9000,0x5000\notadata,data,ota,0xe000,0x2000\nota_0,app,ota_0,0x10000,0x1f0000';

/** Returns an application of 1.5 MB. `build` changes 4 KB of it. */
function application(build: number): Uint8Array {
  const data = makeImage();
  data.set(makeImage(100 + build, 4_096), CHANGED_AT);
  return espImage('esp32', { project: 'weather-node', version: '1.0.0', size: data.length, data });
}

/** Returns the digits of a file's SHA-256 with which the log names its build. */
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex').slice(0, 8);

/** Drops a folder of the disk, as the browser's own input does. Events from a script would give no handles. */
async function drop(page: Page, folder: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [folder], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data });
  }
}

export async function saveRow(runs: number): Promise<string[]> {
  // Chromium gives no handle of a folder in `/dev`, where the tests have their temporary files.
  const cache = join(root, '.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'save-'));
  const product = await startProduct();
  try {
    const write = (build: number) => writeFile(join(folder, 'app.bin'), application(build));
    await writeFile(
      join(folder, 'flasher_args.json'),
      JSON.stringify({ flash_files: { '0x8000': 'table.bin', '0x10000': 'app.bin' } }),
    );
    await writeFile(join(folder, 'table.bin'), encodePartitionTable(parsePartitionCsv(table)));
    await write(0);
    const context = await product.browser.newContext({ serviceWorkers: 'block' });
    context.setDefaultTimeout(180_000);
    const page = await context.newPage();
    await page.goto(`${new URL(product.terminal).origin}${staticPages.espFlasher}`);
    await page.getByRole('button', { name: 'Try the Demo ESP32' }).click();
    await page.getByRole('region', { name: 'Board', exact: true }).getByText('Ready').waitFor();
    await drop(page, folder);
    await page.getByRole('button', { name: /^Write \d files?$/ }).click();
    await page.getByRole('region', { name: 'Result' }).getByText('Written and verified').waitFor();
    await page.getByRole('switch', { name: 'Write each new build by itself' }).click();
    const watch = page.getByRole('region', { name: 'Watch', exact: true });
    await watch.getByText('Waiting for the next build').waitFor();
    const seconds: number[] = [];
    for (let run = 1; run <= runs; run++) {
      await page.waitForTimeout(1_500);
      await write(run);
      const start = performance.now();
      const line = await page.evaluate(
        (hash) =>
          new Promise<string>((resolve, reject) => {
            setTimeout(() => reject(new Error(`No line of the build ${hash}.`)), 60_000);
            // The first line that the program prints after the line of its build.
            const look = () => {
              const text = document.querySelector('[role=log]')?.textContent ?? '';
              const at = text.lastIndexOf(`, ${hash}, written`);
              if (at >= 0 && /rst:0x|boot: |app_init/.test(text.slice(at))) {
                resolve(text.slice(at, at + 80));
              } else {
                requestAnimationFrame(look);
              }
            };
            look();
          }),
        hashOf(application(run)),
      );
      seconds.push((performance.now() - start) / 1_000);
      console.error(`${seconds.at(-1)?.toFixed(2)} s: ${line}`);
    }
    const median = seconds.toSorted((one, other) => one - other)[seconds.length >> 1] ?? 0;
    return [
      'last byte on the disk to the first line',
      'wirebench',
      `${median.toFixed(2)} s`,
      '',
      '',
      isShortest ? '' : '4,096 changed',
      '',
      `≤ ${target} s`,
      median <= target ? 'reached' : 'MISSED',
    ];
  } finally {
    await product.stop();
    await rm(folder, { recursive: true });
  }
}
