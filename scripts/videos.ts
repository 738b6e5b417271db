/**
 * `npm run videos [-- --only uart]`: records the product's demo videos and captions with the demo devices into the
 * web app's public files. Its output is committed; neither start nor test records anything.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium } from '@playwright/test';
import { startServer } from '@wirebench/server';
import { buildWeb, root, webIsBuilt } from './build/web.ts';
import { provideBrowser } from './test/browser.ts';
import { Actor } from './videos/actor.ts';
import { webVtt } from './videos/captions.ts';
import { findFfmpeg } from './videos/ffmpeg.ts';
import { addOverlay } from './videos/overlay.ts';
import { Recorder, videoSize } from './videos/recorder.ts';
import type { Scene } from './videos/scene.ts';
import { scenes } from './videos/scenes/index.ts';

/** Maximum size of one video in bytes. */
const limit = 1_000_000;
/** Quality levels, best first. The first one within the size limit is used; text is sharp at the first. */
const qualities = [34, 40, 46];
/** Page size in pixels, wide enough for panes side by side. */
const viewport = { width: 1_152, height: 648 };

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    to: { type: 'string', default: join(root, 'apps', 'web', 'public', 'videos') },
  },
});

async function film(browser: Browser, ffmpeg: string, name: string, scene: Scene): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'wirebench-video-'));
  const server = await startServer({ PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
  const context = await browser.newContext({
    baseURL: server.address,
    viewport,
    deviceScaleFactor: videoSize.width / viewport.width,
    serviceWorkers: 'block',
  });
  try {
    context.setDefaultTimeout(30_000);
    const page = await context.newPage();
    await page.addInitScript(addOverlay);
    await scene.prepare(page);
    await page.evaluate(() => document.fonts.ready);
    const recorder = await Recorder.start(page);
    const actor = new Actor(page, () => recorder.now);
    await scene.play(actor);
    await actor.finish();
    await recorder.stop();
    const file = (ending: string) => join(values.to, `${name}.${ending}`);
    let size = Number.POSITIVE_INFINITY;
    for (const quality of qualities) {
      if (size > limit) {
        await recorder.save(ffmpeg, file('webm'), quality);
        ({ size } = statSync(file('webm')));
        console.log(`${name}: ${recorder.length.toFixed(1)} s, ${Math.ceil(size / 1_000)} kB`);
      }
    }
    if (size > limit) {
      throw new Error(`The video of ${name} is larger than ${limit} bytes: make it shorter.`);
    }
    await recorder.saveStill(ffmpeg, file('webp'), recorder.length * scene.still);
    writeFileSync(file('vtt'), webVtt(actor.captions));
  } finally {
    await context.close();
    await server.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const ffmpeg = findFfmpeg();
const executablePath = await provideBrowser();
if (!executablePath) {
  console.error('No Chromium could be found or installed: set CHROME to its path.');
  process.exit(1);
}
if (!webIsBuilt()) {
  await buildWeb();
}
mkdirSync(values.to, { recursive: true });
const chosen = Object.entries(scenes).filter(([name]) => name.includes(values.only));
if (chosen.length === 0) {
  console.error(`--only must match one of: ${Object.keys(scenes).join(', ')}.`);
  process.exit(1);
}
const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
try {
  for (const [name, scene] of chosen) {
    await film(browser, ffmpeg, name, scene);
  }
} finally {
  await browser.close();
}
