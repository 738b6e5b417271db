import { mkdtempSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { startServer } from '@wirebench/server';
const server = await startServer({ PORT: '0', DATA_DIR: mkdtempSync('/tmp/shotdata-'), LOG_LEVEL: 'warn', RATE_LIMIT_WRITES: '0' });
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', chromiumSandbox: false });
const sizes = (process.argv[2] ?? '1440x900,1024x768,720x450,390x500,844x390,390x844').split(',').map((s) => s.split('x').map(Number));
const ports = Number(process.argv[3] ?? 4);
const steps = process.argv[4] ?? 'ports,plot,panel';
const theme = process.argv[5] ?? 'dark';
for (const [width, height] of sizes) {
  const ctx = await browser.newContext({ viewport: { width: 1440, height: 900 }, baseURL: server.address, reducedMotion: 'reduce', serviceWorkers: 'block',
    storageState: { cookies: [], origins: [{ origin: server.address, localStorage: [{ name: 'wirebench.theme', value: theme }] }] } });
  const page = await ctx.newPage();
  page.on('pageerror', (e) => console.log('pageerror', e.message));
  page.setDefaultTimeout(8000);
  try {
    await page.goto('/app/uart');
    await page.setViewportSize({ width, height });
    await page.waitForTimeout(500);
    const shot = (n) => page.screenshot({ path: `/tmp/shots/${n}-${theme}-${width}x${height}.png` });
    if (steps.includes('empty')) await shot('empty');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: 'Try the demo device' }).click();
    await page.getByRole('log').getByText('demo>').first().waitFor();
    for (let p = 2; p <= ports; p++) {
      await page.getByRole('button', { name: `Other ways to connect port ${p}` }).click();
      await page.getByRole('menuitem', { name: 'Demo device' }).click();
      await page.getByRole('button', { name: `Disconnect port ${p}` }).waitFor();
    }
    await page.getByRole('textbox', { name: 'Message' }).fill('help');
    await page.keyboard.press('Enter');
    await page.getByRole('log').getByText('restart').first().waitFor();
    await page.setViewportSize({ width, height });
    await page.waitForTimeout(400);
    const count = () => page.evaluate(() => { const log = document.querySelector('[role=log]'); if (!log) return null; const b = log.getBoundingClientRect();
      const rows = [...log.querySelectorAll('[data-direction]')].filter((r) => { const x = r.getBoundingClientRect(); return x.top >= b.top - 1 && x.bottom <= b.bottom + 1; });
      return { log: Math.round(b.height), rows: rows.length, over: document.documentElement.scrollWidth - innerWidth, overY: document.documentElement.scrollHeight - innerHeight, focus: document.activeElement?.tagName + ' ' + (document.activeElement?.getAttribute('aria-label') ?? '') }; });
    console.log(width, height, 'ports', await count());
    if (steps.includes('ports')) await shot('ports');
    if (steps.includes('more')) { await page.getByRole('button', { name: 'More', exact: true }).click(); await page.getByRole('button', {name: /^Send options/}).click(); await page.waitForTimeout(200); await shot('more'); console.log('more', await count());
      await page.getByRole('button', { name: 'More', exact: true }).click(); await page.getByRole('button', {name: /^Send options/}).click(); }
    if (steps.includes('plot')) {
      await page.getByRole('button', { name: 'Tools', exact: true }).press('Enter');
      await page.getByRole('menuitemcheckbox', { name: 'Plot' }).press('Enter');
      await page.getByRole('textbox', { name: 'Message' }).fill('sensors on'); await page.keyboard.press('Enter');
      await page.waitForTimeout(3000);
      console.log('plot', await count(), await page.evaluate(() => Math.round(document.querySelector('[data-tool-dock]').getBoundingClientRect().height)));
      await shot('plot');
    }
    if (steps.includes('panel')) {
      const b = page.getByRole('button', { name: /^(Device panels|Panels)$/ });
      if (await b.isVisible()) await b.click();
      await page.waitForTimeout(300);
      console.log('panel', await count());
      await shot('panel');
    }
    if (steps.includes('guide')) {
      const s = page.getByRole('button', { name: 'Port settings' });
      if (await s.isVisible()) await s.click();
      await page.getByRole('button', { name: /^Quick guide/ }).click();
      await page.waitForTimeout(300);
      await shot('guide');
    }
  } catch (e) { console.log(width, height, 'FAILED', e.message.split('\n').slice(0,4).join(' | ')); await page.screenshot({ path: `/tmp/shots/failed-${width}x${height}.png` }); }
  await ctx.close();
}
await browser.close(); await server.close(); process.exit(0);
