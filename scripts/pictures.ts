/**
 * `npm run pictures [-- --only flasher]`: takes the documentation's pictures from the running product, in both
 * themes, and the picture of the README (`--only readme`) with the list of its controls. Its output is committed.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Page } from '@playwright/test';
import { startServer } from '@wirebench/server';
import { buildWeb, root, webIsBuilt } from './build/web.ts';
import { type DocsPicture, docsPictures } from './pictures/docs-pictures.ts';
import { makeExamples } from './pictures/examples.ts';
import { controlsOf, readmePicture } from './pictures/readme-picture.ts';
import { inTheme, type Theme, themes } from './pictures/views.ts';
import { toWebp } from './pictures/webp.ts';
import { provideBrowser } from './test/browser.ts';

/** Image pixels for each window pixel. The text column shows wide pictures reduced. */
const scale = 1.15;

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    to: { type: 'string', default: join(root, 'apps', 'web', 'src', 'pages', 'docs', 'pictures') },
  },
});
const executablePath = await provideBrowser();
if (!executablePath) {
  console.error('No Chromium could be found or installed: set CHROME to its path.');
  process.exit(1);
}
if (!webIsBuilt()) {
  await buildWeb();
}
mkdirSync(values.to, { recursive: true });
const sizesFile = join(values.to, 'sizes.json');
const dataDir = mkdtempSync(join(tmpdir(), 'wirebench-pictures-'));
const server = await startServer({ PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn', RATE_LIMIT_WRITES: '0' });
const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Takes one picture.
 *
 * @returns Its size in window pixels.
 */
async function take(name: string, { screen, window, part }: DocsPicture, theme: Theme): Promise<Size> {
  return onScreen({ screen, window, theme, scale }, async (page) => {
    const png = part === undefined ? await page.screenshot(options) : await part(page).screenshot(options);
    const webp = await toWebp(browser, png);
    writeFileSync(join(values.to, `${name}-${theme}.webp`), webp);
    console.log(`${name}-${theme}.webp: ${Math.ceil(webp.length / 1_000)} kB`);
    // In a PNG file width and height are at bytes 16 and 20 (W3C, "PNG", section 11.2.1).
    return { width: Math.round(png.readUInt32BE(16) / scale), height: Math.round(png.readUInt32BE(20) / scale) };
  });
}

/** Takes the picture of the README in window pixels, and lists its controls. */
function takeReadmePicture(): Promise<void> {
  return onScreen({ ...readmePicture, scale: 1 }, async (page) => {
    writeFileSync(readmePicture.controlsFile, `${JSON.stringify(await controlsOf(page), null, 2)}\n`);
    const png = await page.screenshot({ ...options, path: readmePicture.file });
    console.log(`${readmePicture.file}: ${Math.ceil(png.length / 1_000)} kB`);
  });
}

const options = { caret: 'hide', animations: 'disabled' } as const;

interface Scene extends Pick<DocsPicture, 'screen' | 'window'> {
  readonly theme: Theme;
  readonly scale: number;
}

/** Reaches a screen in an empty browser and calls `act` while it is open. */
async function onScreen<Result>(scene: Scene, act: (page: Page) => Promise<Result>): Promise<Result> {
  const context = await browser.newContext({
    baseURL: server.address,
    viewport: scene.window,
    deviceScaleFactor: scene.scale,
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    storageState: { cookies: [], origins: [{ origin: server.address, localStorage: inTheme(scene.theme) }] },
  });
  try {
    context.setDefaultTimeout(30_000);
    const page = await context.newPage();
    await scene.screen(page);
    await page.evaluate(() => document.fonts.ready);
    // Moves the pointer away, so that no control looks pointed at.
    await page.mouse.move(0, 0);
    return await act(page);
  } finally {
    await context.close();
  }
}

try {
  const names = [...Object.keys(docsPictures('')), 'readme'];
  // An exact name selects only that picture.
  const chosen = names.filter((name) =>
    names.includes(values.only) ? name === values.only : name.includes(values.only),
  );
  if (chosen.length === 0) {
    console.error(`--only must match one of: ${names.join(', ')}.`);
    process.exitCode = 2;
  }
  if (chosen.includes('readme')) {
    await takeReadmePicture();
  }
  const sizes = new Map<string, Size>(Object.entries(readSizes()));
  const wanted = chosen.filter((name) => name !== 'readme');
  // The example content takes longer than one picture.
  const pictures = wanted.length === 0 ? {} : docsPictures(await makeExamples(browser, server.address));
  for (const [name, picture] of Object.entries(pictures)) {
    if (wanted.includes(name)) {
      for (const theme of themes) {
        sizes.set(name, await take(name, picture, theme));
      }
    }
  }
  const sorted = [...sizes].sort(([one], [other]) => one.localeCompare(other));
  writeFileSync(sizesFile, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
} finally {
  await browser.close();
  await server.close();
  rmSync(dataDir, { recursive: true, force: true });
}

function readSizes(): Record<string, Size> {
  const others = values.only !== '' && existsSync(sizesFile);
  return others ? (JSON.parse(readFileSync(sizesFile, 'utf8')) as Record<string, Size>) : {};
}
