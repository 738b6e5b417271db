/** What is on the tab of each page. */
import { demoReleaseId, esp32BenchPage, livePage, pagePaths, releasePath, staticPages } from '@wirebench/contract';
import { expect, test } from '../support/test.ts';

const titles: readonly (readonly [string, string])[] = [
  [pagePaths.home, 'Wirebench'],
  [pagePaths.intro, 'Introduction: Wirebench'],
  [pagePaths.privacy, 'Privacy: Wirebench'],
  [pagePaths.terms, 'Terms of use: Wirebench'],
  [pagePaths.uart, 'Serial terminal: Wirebench'],
  [pagePaths.uartDocs, 'Terminal documentation: Wirebench'],
  [pagePaths.espFlasher, 'ESP flasher: Wirebench'],
  [pagePaths.espFlasherDocs, 'Flasher documentation: Wirebench'],
  [pagePaths.releases, 'Firmware releases: Wirebench'],
  [pagePaths.releasesDocs, 'Release documentation: Wirebench'],
  [pagePaths.esp32, 'ESP32 hardware debugger: Wirebench'],
  [pagePaths.esp32Docs, 'ESP32 documentation: Wirebench'],
  [pagePaths.admin, 'Admin Dashboard: Wirebench'],
  ['/nowhere', 'Page not found: Wirebench'],
  [staticPages.espFlasher, 'Espressif flasher: Wirebench'],
  [esp32BenchPage, 'ESP32 bench: Wirebench'],
  [livePage, 'Shared bench: Wirebench'],
  [staticPages.stmFlasher, 'STM32 flasher: Wirebench'],
  [staticPages.nrfFlasher, 'Nordic flasher: Wirebench'],
  [releasePath('project', demoReleaseId), 'Wirebench demo: Wirebench'],
  [releasePath('version', demoReleaseId), 'Wirebench demo 1.0.0: Wirebench'],
];

for (const [path, title] of titles) {
  test(`${path} is called ${title}`, async ({ page }) => {
    await page.goto(path);
    await expect(page.getByRole('heading').first()).toBeVisible();
    await expect(page).toHaveTitle(title);
  });
}
