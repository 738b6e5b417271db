import { test } from '@playwright/test';
const sizes = [[1440,900,'wide'],[1024,768,'tablet'],[390,844,'phone'],[720,450,'small']] as const;
const want = (process.env.SHOTS ?? 'raw').split(',');
async function shots(page, name) {
  for (const [w,h,s] of sizes) { await page.setViewportSize({width:w,height:h}); await page.waitForTimeout(300);
    await page.getByRole('region',{name:'On the board'}).scrollIntoViewIfNeeded();
    await page.screenshot({path:`/tmp/shots-board/${name}-${s}.png`, fullPage: s!=='small'}); }
  await page.setViewportSize({width:1440,height:900});
}
for (const theme of ['dark','light']) test(`shots ${theme}`, async ({ page }) => {
  test.setTimeout(200000);
  await page.emulateMedia({ colorScheme: theme as any });
  await page.goto('/esp_flasher.html');
  await page.getByRole('button', { name: 'Other ways to connect a board' }).click();
  await page.getByRole('menuitem', { name: 'Demo ESP32 that crashed' }).click();
  const c = page.getByRole('region', { name: 'On the board' });
  await c.waitFor();
  await page.waitForTimeout(1500);
  for (const one of want) {
    if (one !== 'list') await c.getByRole('button', { name: new RegExp('^' + one) }).click();
    await page.waitForTimeout(2500);
    await shots(page, `${theme}-${one.replace(/\W/g,'')}`);
    const back = c.getByRole('button', { name: 'Back to the partitions' });
    if (await back.isVisible().catch(() => false)) await back.click();
  }
});
