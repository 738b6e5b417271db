/** A person's actions where builds are written by themselves, and a build that is made again at random moments. */
import { type Page, test } from '@playwright/test';
import { random } from '@wirebench/test-input';
import { DraggedFiles } from '../support/drag-files.ts';
import type { NinjaBuild } from '../support/ninja-build.ts';
import { expect } from '../support/test.ts';
import { expectInMonitorLog, result, savedMonitorLog, writeButton } from './flasher-steps.ts';

export const watch = (page: Page) => page.getByRole('region', { name: 'Watch', exact: true });
export const watchSwitch = (page: Page) => page.getByRole('switch', { name: 'Write each new build by itself' });

/** Drops a folder of the disk onto the page. */
async function drop(page: Page, path: string): Promise<void> {
  const title = await page.getByRole('heading', { level: 2 }).first().boundingBox();
  await new DraggedFiles(page, [path]).dropAt({ x: (title?.x ?? 0) + 5, y: (title?.y ?? 0) + 5 });
}

/**
 * Drops a folder for the connected board, writes it once by hand, and switches the watch on.
 *
 * @param written Words of the result of the write.
 */
export async function watchFolder(page: Page, path: string, written: string): Promise<void> {
  await drop(page, path);
  await expect(watchSwitch(page)).not.toBeChecked();
  await writeButton(page).click();
  await expect(result(page)).toContainText(written);
  await watchSwitch(page).click();
  await expect(watch(page)).toContainText('Waiting for the next build');
}

export interface RandomBuilds {
  readonly builds: number;
  /** Longest pause after a build, in milliseconds. */
  readonly longestPause: number;
  /** Called when the log names the latest build as written, and the watch waits. */
  readonly onWritten?: () => Promise<void>;
}

/**
 * Builds again and again at random moments, and kills a third of the builds. Expects that each image in the log is a whole
 * one, and that each tenth build and the last one, which are not killed, are the latest in the log.
 *
 * @returns Begin of the SHA-256 of each image in the log, in its order.
 */
export async function expectWholeBuilds(
  page: Page,
  build: NinjaBuild,
  { builds, longestPause, onWritten }: RandomBuilds,
): Promise<readonly string[]> {
  let written: readonly string[] = [];
  const { next } = random(test.info().title);
  for (let count = 1; count <= builds; count++) {
    const rests = count === builds || count % 10 === 0;
    const isKilled = !rests && next() < 0.3;
    await build.build(isKilled ? 30 + next() * 500 : null);
    await page.waitForTimeout(next() * longestPause);
    if (rests) {
      const last = build.latest.slice(0, 8);
      await expectInMonitorLog(page, `${last}, written`);
      await expect(watch(page)).toContainText('Waiting for the next build');
      const lines = (await savedMonitorLog(page)).matchAll(/Build \d+ of [^,]+, ([0-9a-f]{8}), written/g);
      written = [...lines].map(([, hash = '']) => hash);
      expect(written.at(-1)).toBe(last);
      await onWritten?.();
    }
  }
  const known = new Set((await build.wholeImages()).map((hash) => hash.slice(0, 8)));
  expect(written.filter((hash) => !known.has(hash))).toEqual([]);
  return written;
}
