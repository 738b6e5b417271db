/**
 * Requirements for every page: it has its title, and fits each width of the design and a window at 200 % zoom. Pages
 * for reading have no accessibility findings, on a desktop and on a phone.
 */

import type { Page } from '@playwright/test';
import { families, releasePath } from '@wirebench/boards';
import { demoReleaseId, esp32BenchPage, livePage, logPage, pagePaths } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';
import { log, message, tryDemo } from './terminal-steps.ts';

/** Title of each page, before the product's name. */
const titles = {
  [pagePaths.home]: '',
  [pagePaths.intro]: 'Introduction',
  [pagePaths.privacy]: 'Privacy',
  [pagePaths.terms]: 'Terms of use',
  [pagePaths.uart]: 'Serial terminal',
  [pagePaths.uartDocs]: 'Terminal documentation',
  [pagePaths.espFlasher]: 'ESP flasher',
  [pagePaths.espFlasherDocs]: 'Flasher documentation',
  [pagePaths.releases]: 'Firmware releases',
  [pagePaths.releasesDocs]: 'Release documentation',
  [pagePaths.esp32]: 'ESP32 bench',
  [pagePaths.esp32Docs]: 'ESP32 documentation',
  [pagePaths.programsDocs]: 'Programs',
  [pagePaths.docs]: 'Terminal documentation',
  [pagePaths.admin]: 'Admin Dashboard',
  [pagePaths.adminReports]: 'Reports',
  [pagePaths.adminItems]: 'Public items',
  [pagePaths.adminAccounts]: 'Accounts',
  [pagePaths.adminFeedback]: 'Admin Dashboard',
  [pagePaths.adminAudit]: 'Audit',
  [pagePaths.adminState]: 'Server',
  [families.esp.page]: 'Espressif flasher',
  [families.stm.page]: 'STM32 flasher',
  [families.nrf.page]: 'Nordic flasher',
  [families.avr.page]: 'Arduino flasher',
  [families.rp.page]: 'Raspberry Pi flasher',
  [esp32BenchPage]: 'ESP32 bench',
  [livePage]: 'Shared bench',
  [logPage]: 'Opened log',
  [releasePath('project', demoReleaseId)]: 'Wirebench demo',
  [releasePath('version', demoReleaseId)]: 'Wirebench demo 1.0.0',
  '/nowhere': 'Page not found',
} satisfies Record<(typeof pagePaths)[keyof typeof pagePaths], string> & Record<string, string>;

/** Pages that people only read. Other pages in use have their own tests. */
const forReading: readonly string[] = [
  pagePaths.intro,
  pagePaths.esp32,
  pagePaths.privacy,
  pagePaths.terms,
  pagePaths.uartDocs,
  pagePaths.espFlasher,
  pagePaths.espFlasherDocs,
  pagePaths.releasesDocs,
  pagePaths.esp32Docs,
  pagePaths.programsDocs,
];

/** The third one is a window of 1440 × 900 px at 200 % zoom. */
const windows = [
  { width: 768, height: 1_024 },
  { width: 1_440, height: 900 },
  { width: 720, height: 450 },
  { width: 390, height: 844 },
] as const;

const pages = Object.entries(titles);
const inUse = pages.filter(([path]) => !forReading.includes(path));

for (const [kind, group] of [
  ['pages for reading', pages.filter(([path]) => forReading.includes(path))],
  ['pages of the tools', inUse.filter(([path]) => path.startsWith('/app'))],
  ['other pages', inUse.filter(([path]) => !path.startsWith('/app'))],
] as const) {
  const isForReading = kind === 'pages for reading';
  test(`${kind} have their titles, and fit every window${isForReading ? ', without findings' : ''}`, async ({
    page,
  }) => {
    for (const [path, title] of group) {
      await test.step(path, () => look(page, path, title));
    }
  });
}

/** Continues after a failed check, so that all are reported. */
const check = expect.configure({ soft: true });

async function look(page: Page, path: string, title: string): Promise<void> {
  const isForReading = forReading.includes(path);
  await page.setViewportSize(windows[1]);
  await page.goto(path);
  await check(page.getByRole('main').first(), path).toBeVisible();
  await check(page.getByRole('heading').first(), path).toBeVisible();
  await check(page, path).toHaveTitle(title === '' ? 'Wirebench' : `${title}: Wirebench`);
  if (isForReading) {
    await check(page.getByRole('heading', { level: 1 }), path).toBeVisible();
    check(await findings(page), path).toEqual([]);
  }
  for (const size of windows) {
    await page.setViewportSize(size);
    // Returns the elements that overflow, if the page is wider than the window.
    const wider = () =>
      page.evaluate((limit) => {
        const wide = [...document.body.querySelectorAll('*')].filter(
          (element) => element.getBoundingClientRect().right > limit + 1,
        );
        const { scrollWidth } = document.documentElement;
        return scrollWidth > limit ? [scrollWidth, ...wide.slice(0, 5).map((one) => one.outerHTML.slice(0, 100))] : [];
      }, size.width);
    // Layouts by script follow the window's size with a delay.
    await check.poll(wider, `${path}, ${size.width} px`).toEqual([]);
  }
  if (isForReading) {
    // The last window is a phone's.
    check(await findings(page), path).toEqual([]);
  }
}

test.describe('at a zoom of 200 %', () => {
  test.use({ viewport: { width: 720, height: 450 } });

  test('the send field of the terminal can be seen and used', async ({ page }) => {
    await page.goto(pagePaths.uart);
    await tryDemo(page);
    await message(page).fill('help');
    await expect(message(page)).toBeInViewport();
    await expect(log(page)).toBeInViewport();
    await message(page).press('Enter');
    await expect(log(page)).toContainText('panic, then restart');
  });
});
