/**
 * Time from a core dump and its ELF file to the stacks of all tasks: in this process, and on the terminal's page. The
 * page's main thread must stay free.
 */
import { openAsBlob, statSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { blobSource, crashReport, elfHash, openSymbolFile, readCoreDump, readCrashProgram } from '@wirebench/symbols';
import { longestAllowed, longTasksDuring, onPage } from '../pages/long-tasks.ts';
import { quantile, type Result } from '../serial/measure.ts';
import { orShortest } from '../shortest.ts';
import { startProduct } from '../terminal/product.ts';
import type { CrashedFirmware } from './crashed-firmware.ts';

const RUNS = orShortest(5, 1);
/** Milliseconds. */
const target = 2_000;

const sizes = ({ elf, dump }: CrashedFirmware) =>
  `a dump of ${(statSync(dump).size / 1_024).toFixed(0)} KiB and an ELF file of ${(statSync(elf).size / 1_000_000).toFixed(1)} MB`;

interface Reading {
  readonly took: number;
  readonly tasks: number;
  readonly frames: number;
}

async function readWhole({ elf, dump }: CrashedFirmware): Promise<Reading> {
  const start = performance.now();
  const source = blobSource(await openAsBlob(elf));
  const file = await openSymbolFile(source);
  await elfHash(source);
  const program = await readCrashProgram(file);
  const core = await readCoreDump(new Uint8Array(await (await openAsBlob(dump)).arrayBuffer()));
  const { tasks } = await crashReport(core, program);
  const took = performance.now() - start;
  const frames = tasks.flatMap((task) => task.frames);
  if (frames.length < 8 * tasks.length || frames.some(({ places }) => places[0]?.file === undefined)) {
    throw new Error('The stacks are not whole');
  }
  return { took, tasks: tasks.length, frames: frames.length };
}

export async function measureDump(firmware: CrashedFirmware): Promise<Result[]> {
  const first = await readWhole(firmware);
  const again: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    again.push((await readWhole(firmware)).took);
  }
  const { took, tasks, frames } = first;
  return [
    {
      what: `${sizes(firmware)}, to the ${frames} frames of ${tasks} tasks`,
      measured: `${took.toFixed(0)} ms the first time, ${quantile(again, 0.5).toFixed(0)} ms after that`,
      target: `≤ ${target} ms`,
      reached: took <= target,
    },
  ];
}

/** Drops the log of a crash on the page, which opens the crash inspector. */
async function dropCrash(page: Page): Promise<void> {
  const drag = (kind: 'dragover' | 'drop') =>
    page.evaluate((type) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['Backtrace: 0x4020000c:0x3ffb4e10\n'], 'crash.log'));
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    }, kind);
  // The page listens for files a moment after its first content.
  while (!(await page.getByText('Drop the ELF file of the firmware').isVisible())) {
    await drag('dragover');
    await page.waitForTimeout(50);
  }
  await drag('drop');
  // The newest crash is the one that is shown: the dump has to come after this one.
  await page.getByText('0x4020000C', { exact: true }).first().waitFor();
}

export async function measureDumpOnPage(firmware: CrashedFirmware): Promise<Result[]> {
  const product = await startProduct();
  try {
    const { took, longTasks } = await onPage(product.browser, product.terminal, async (page) => {
      await page.getByRole('button', { name: 'Try the demo board' }).waitFor();
      await dropCrash(page);
      const input = page.getByLabel('ELF files of the firmware, and core dumps');
      const start = performance.now();
      const seen = await longTasksDuring(page, async () => {
        await input.setInputFiles([firmware.elf, firmware.dump]);
        await page.getByText('is the build that crashed').waitFor();
        await page.getByRole('list', { name: 'Frames, innermost first' }).getByRole('listitem').nth(7).waitFor();
      });
      return { took: performance.now() - start, longTasks: seen };
    });
    const longest = Math.max(0, ...longTasks);
    return [
      {
        what: 'the same on the page of the terminal, from the choice of both files to the stacks',
        measured: `${took.toFixed(0)} ms`,
        target: `≤ ${target} ms`,
        reached: took <= target,
      },
      {
        what: 'the longest task of the page meanwhile',
        measured: longTasks.length === 0 ? `none over ${longestAllowed} ms` : `${longest.toFixed(0)} ms`,
        target: `< ${longestAllowed} ms`,
        reached: longest < longestAllowed,
      },
    ];
  } finally {
    await product.stop();
  }
}
