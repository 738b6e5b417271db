import { staticPages } from '@wirebench/contract';
import { manifestFiles, manifestHost } from '../support/manifest-host.ts';
import { expect, test } from '../support/test.ts';
import { setTheme } from '../support/theme.ts';
import { connectOther, openSettings, plan } from './flasher-steps.ts';

const sizes = [
  [1440, 900],
  [1024, 768],
  [390, 844],
  [720, 450],
] as const;
for (const theme of ['dark', 'light'] as const) {
  test(`shots ${theme}`, async ({ page }) => {
    test.setTimeout(400000);
    await page.emulateMedia({ colorScheme: theme });
    await using host = await manifestHost(manifestFiles(['esp32', 'esp32s3']));
    const files = manifestFiles(['esp32', 'esp32c3', 'esp32s3']);
    const m = JSON.parse(String(files['/lamp/manifest.json']));
    m.wirebench = {
      publisher: 'ada',
      builds: m.builds.flatMap((b: any) => {
        const plain = {
          deviceFamily: 'esp',
          deviceModel: b.chipFamily.toLowerCase().replace('-', ''),
          guards: {},
          files: b.parts,
        };
        return b.chipFamily === 'ESP32' ? [plain, { ...plain, guards: { psram: true } }] : [plain];
      }),
    };
    files['/lamp/manifest.json'] = JSON.stringify(m);
    await using guarded = await manifestHost(files);
    await using blocked = await manifestHost(files, { cors: false });
    const shot = async (name: string) => {
      for (const [width, height] of sizes) {
        await page.setViewportSize({ width, height });
        await page.waitForTimeout(300);
        await page.screenshot({ path: `/tmp/linkscratch/shots/${theme}-${name}-${width}.png` });
      }
      await page.setViewportSize({ width: 1440, height: 900 });
    };
    const open = (m: string) => page.goto(`${staticPages.espFlasher}?${new URLSearchParams({ manifest: m })}`);
    await open(`${host.address}/lamp/manifest.json`);
    await expect(page.getByRole('heading', { name: 'Lamp', level: 1 })).toBeVisible();
    await shot('1-open');
    await connectOther(page, 'Demo ESP32-C3');
    await expect(plan(page)).toContainText('Not possible');
    await shot('2-refused');
    await open(`${guarded.address}/lamp/manifest.json`);
    await page.getByRole('button', { name: 'Try the Demo ESP32' }).click();
    await expect(plan(page)).toContainText('This board fits');
    await shot('3-choice');
    await page.getByRole('button', { name: 'Files and settings' }).click();
    await shot('4-files');
    await openSettings(page);
    await page.getByRole('switch', { name: /Batch/ }).click();
    await shot('5-batch');
    await open(`${blocked.address}/lamp/manifest.json`);
    await expect(page.getByRole('alert').first()).toContainText('Access-Control');
    await shot('6-cors');
  });
}
