/** `npm run icons`: draws the icons and the link preview from the product's mark into the web app's public files. */
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chromium } from '@playwright/test';
import { root } from './build/web.ts';
import { pictures } from './pictures/marks.ts';
import { provideBrowser } from './test/browser.ts';

const executablePath = await provideBrowser();
if (!executablePath) {
  console.error('No Chromium could be found or installed: set CHROME to its path.');
  process.exit(1);
}
const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
try {
  for (const [name, { width, height, markup }] of Object.entries(pictures)) {
    const page = await browser.newPage({ viewport: { width, height } });
    await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${markup}`);
    await page.evaluate(() => document.fonts.ready);
    const path = join(root, 'apps', 'web', 'public', name);
    mkdirSync(dirname(path), { recursive: true });
    await page.screenshot({ path, omitBackground: true });
    await page.close();
    console.log(`Drew ${path}`);
  }
} finally {
  await browser.close();
}
