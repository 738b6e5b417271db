import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { releasePath } from '@wirebench/boards';
import { demoReleaseId, type Project, sharedFirmwarePaths, type Version } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expectToBeReached, expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { uniqueName } from '../support/unique-name.ts';
import { ownerOn } from './release-steps.ts';
import { signIn } from './sign-in-steps.ts';
import { sha256 } from './terminal-steps.ts';

const nothing = 'There is no release at this link';
const install = (page: Page) => page.getByRole('link', { name: 'Install', exact: true });

test('the demo release opens without a sign-in and findings, can be used before 100 kB of script have come, and gives its files as they were published', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const seen = new MutationObserver(() => {
      if (document.querySelector('a[href^="/esp_flasher.html?type"]') !== null) {
        seen.disconnect();
        const scripts = performance
          .getEntriesByType('resource')
          .filter((entry): entry is PerformanceResourceTiming => new URL(entry.name).pathname.endsWith('.js'));
        document.documentElement.dataset['scriptBytes'] = String(
          scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
        );
      }
    });
    seen.observe(document, { childList: true, subtree: true });
  });
  await page.goto(releasePath('project', demoReleaseId));
  await expect(page.getByRole('heading', { level: 1, name: 'Wirebench demo' })).toBeVisible();
  await expect(page).toHaveTitle(/^Wirebench demo/);
  await expect(page.getByText('This release is for demo boards.')).toBeVisible();
  await expect(install(page)).toHaveAttribute('href', `/esp_flasher.html?type=project&id=${demoReleaseId}`);
  const bytes = Number(await page.locator('html').getAttribute('data-script-bytes'));
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(100_000);
  // Further content: notes as Markdown, and a QR code where developers find it.
  await page.getByRole('heading', { name: 'New in 1.0.0' }).click();
  await expect(page.locator('strong', { hasText: 'demo board' })).toBeVisible();
  await page.getByText('For developers').click();
  await expect(page.getByRole('img', { name: 'QR code of the link' }).locator('path')).toBeAttached();
  await page.getByText('What is written').click();
  expect(await findings(page)).toEqual([]);

  const downloaded = page.waitForEvent('download');
  await page.getByRole('link', { name: /^Download wirebench-demo\.bin/ }).click();
  const download = await downloaded;
  expect(download.suggestedFilename()).toBe('wirebench-demo.bin');
  const shared = await (await page.request.get(sharedFirmwarePaths.item('project', demoReleaseId))).json();
  const file = shared.project.versions[0].files.at(-1);
  expect(sha256(await readFile(await download.path()))).toBe(file.sha256);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page);
});

test('Install, Install 1.0.0, Stop and the next step are one button that does not move, on the page of the release', async ({
  page,
}) => {
  test.slow();
  await page.goto(releasePath('project', demoReleaseId));
  const place = await install(page).boundingBox();
  await install(page).click();
  const inPlace = async (name: RegExp) => {
    const button = page.getByRole('button', { name });
    await expect(button).toBeVisible();
    const { x, y, width, height } = (await button.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    expect([x, Math.round(y), width, height]).toEqual([
      place?.x,
      Math.round(place?.y ?? 0),
      place?.width,
      place?.height,
    ]);
    return button;
  };
  const write = await inPlace(/^Install 1\.0\.0$/);
  await expect(write).toBeFocused();
  await expect(page.getByRole('radio', { name: /^Keep its Wi-Fi and settings/ })).toBeChecked();
  await expect(page).toHaveURL(/\/release\.html/);
  await page.setViewportSize({ width: 1_440, height: 900 });
  expect(await findings(page)).toEqual([]);
  await write.click();
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('Written and verified');
  await expect(page.getByRole('log', { name: 'Monitor' })).toContainText('Wirebench demo 1.0.0');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Wirebench demo');
});

test('the life of a share, as its owner and a stranger see it on the page', async ({ page, elsewhere }) => {
  test.slow();
  await page.goto('/');
  await signIn(page, 'admin');
  const owner = await ownerOn(page);
  const name = uniqueName('Life of a share ');
  const project = await owner.newProject(name);
  const version = await owner.newVersion(project, '1.0.0');
  const stranger = await elsewhere();

  const ownPage = (item: Project | Version, type: 'project' | 'version', id = item.shareId) =>
    page.goto(`${releasePath(type, id)}&owned=true`);
  const strangerSees = async (item: Project | Version, type: 'project' | 'version', heading: string) => {
    await stranger.goto(releasePath(type, item.shareId));
    await expect(stranger.getByRole('heading', { level: 1, name: heading })).toBeVisible();
  };

  await test.step('private, never shared: it opens for its owner by its id, for strangers there is nothing', async () => {
    await ownPage(project, 'project', project._id);
    await expect(page.getByText(`${name} is private: only you can see this page.`)).toBeVisible();
    await expect(install(page)).toBeVisible();
    await strangerSees(project, 'project', nothing);
    await strangerSees(version, 'version', nothing);
    await stranger.goto(releasePath('project', project._id));
    await expect(stranger.getByRole('heading', { name: nothing })).toBeVisible();
  });

  await test.step('public project, no public version', async () => {
    await owner.setPublic(project, true);
    await ownPage(project, 'project');
    await expect(page.getByText('Version 1.0.0 is private: only you can see it.')).toBeVisible();
    await strangerSees(project, 'project', name);
    await expect(stranger.getByRole('heading', { name: 'No version published yet' })).toBeVisible();
    await strangerSees(version, 'version', nothing);
  });

  await test.step('public project, public version, shared', async () => {
    await owner.setPublic(version, true);
    await strangerSees(project, 'project', name);
    await expect(stranger.getByRole('combobox', { name: 'Version' })).toContainText('1.0.0');
    await strangerSees(version, 'version', name);
    await expect(install(stranger)).toHaveAttribute('href', `/esp_flasher.html?type=version&id=${version.shareId}`);
  });

  await test.step('project made private: gone at once, for versions too', async () => {
    await owner.setPublic(project, false);
    await strangerSees(project, 'project', nothing);
    await strangerSees(version, 'version', nothing);
  });

  await test.step('before it is public again the page names what becomes visible too', async () => {
    await ownPage(project, 'project');
    await expect(page.getByText('When you make it public, this version becomes visible too: 1.0.0.')).toBeVisible();
    await owner.setPublic(project, true);
    await strangerSees(project, 'project', name);
    await strangerSees(version, 'version', name);
  });

  await test.step('version private or deleted: its link is gone, the project link shows the rest', async () => {
    const second = await owner.newVersion(project, '1.1.0');
    await owner.setPublic(second, true);
    await owner.setPublic(version, false);
    await strangerSees(version, 'version', nothing);
    await strangerSees(project, 'project', name);
    await expect(stranger.getByRole('combobox', { name: 'Version' }).locator('option')).toHaveText(['1.1.0 (latest)']);
    await owner.remove(second);
    await strangerSees(second, 'version', nothing);
    await strangerSees(project, 'project', name);
    await expect(stranger.getByRole('heading', { name: 'No version published yet' })).toBeVisible();
  });

  await test.step('project deleted: nothing for anyone', async () => {
    await owner.remove(project);
    await strangerSees(project, 'project', nothing);
    await ownPage(project, 'project');
    await expect(page.getByRole('heading', { name: nothing })).toBeVisible();
  });
});

test('on phones a file keeps its name in one piece, and everything in its row is on the screen', async ({ page }) => {
  await page.goto(releasePath('version', demoReleaseId));
  await page.getByText('What is written').click();
  for (const width of [390, 360]) {
    await page.setViewportSize({ width, height: 844 });
    const row = page.getByRole('row', { name: /bootloader\.bin/ });
    await expectToBeReached(row.getByRole('rowheader'));
    await expect(row.getByRole('link', { name: 'Download bootloader.bin' })).toBeInViewport({ ratio: 1 });
    const name = row.getByRole('rowheader');
    await expect(name).toHaveText('bootloader.bin');
    const lines = await name.evaluate((element) => {
      const text = document.createRange();
      text.selectNodeContents(element);
      return new Set([...text.getClientRects()].map(({ top }) => Math.round(top))).size;
    });
    expect(lines, `${width} px`).toBe(1);
  }
});

test('the first screen is a picture, a name, one sentence and one button, which an opened line does not move', async ({
  page,
}) => {
  await page.goto(releasePath('project', demoReleaseId));
  const lines = page.getByRole('main').locator('summary');
  await expect(lines).toHaveText([/^New in 1/, /^Boards/, /^What is written/, /^How we know/, /^For developers/]);
  const picture = page.getByRole('img', { name: 'Drawing of a board with ESP32' });
  await expect(picture).toBeVisible();
  const box = async () => (await install(page).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const before = await box();
  const frame = await picture.locator('..').boundingBox();
  expect(Math.abs(before.y + before.height - (frame?.y ?? 0) - (frame?.height ?? 0))).toBeLessThanOrEqual(1);
  await lines.nth(2).click();
  await expect(page.getByRole('table')).toBeVisible();
  expect(await box()).toEqual(before);
  for (const [width, height] of [
    [1_024, 768],
    [720, 450],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect(install(page), `${width} px`).toBeInViewport({ ratio: 1 });
    await expectToFit(page);
  }
});

test('a link that was cut short is distinguished from one that leads nowhere, which is without findings', async ({
  page,
}) => {
  await page.goto('/release.html?type=project');
  await expect(page.getByRole('heading', { name: 'This link is incomplete' })).toBeVisible();
  await page.goto(releasePath('version', 'AAAAAAAAAAAAAAAAAAAAAA'));
  await expect(page.getByRole('heading', { name: nothing })).toBeVisible();
  expect(await findings(page)).toEqual([]);
});
