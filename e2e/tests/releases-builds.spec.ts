/** A version for several chips: from the folder of its builds to the visitor's page. */

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { releasePath } from '@wirebench/boards';
import { firmwarePaths, type ProjectSummary, pagePaths } from '@wirebench/contract';
import { espFirmware } from '../../scripts/firmware/esp-firmware.ts';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { expectToast } from '../support/toasts.ts';
import { uniqueName } from '../support/unique-name.ts';
import { openProject, ownerOn } from './release-steps.ts';
import { bearer, signIn } from './sign-in-steps.ts';

const chips = ['esp32', 'esp32c3', 'esp32s3'] as const;

/** Writes a PlatformIO project with an environment for each chip. */
async function environments(): Promise<string> {
  const root = test.info().outputPath('thermostat');
  for (const chip of chips) {
    for (const { name, bytes } of espFirmware(chip, { project: 'thermostat', version: '2.0.0', size: 20_000 })) {
      const path = join(root, '.pio', 'build', chip, name === 'app.bin' ? 'firmware.bin' : name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, bytes);
    }
  }
  return root;
}

const form = (page: Page) => page.getByRole('form', { name: 'New version' });
const build = (page: Page, name: string) => form(page).getByRole('group', { name, exact: true });

test('a folder with builds for three chips becomes a version whose page names the boards', async ({
  page,
  elsewhere,
}) => {
  test.slow();
  const name = uniqueName('builds-');
  await page.goto('/');
  await signIn(page, 'maker');
  const owner = await ownerOn(page);
  const project = await owner.newProject(name, { deviceFamily: 'esp', deviceModel: 'esp32s3' });
  try {
    await owner.setPublic(project, true);
    await page.goto(pagePaths.releases);
    const own = await openProject(page, name);
    await own.getByRole('button', { name: 'Add version' }).click();
    await form(page)
      .getByLabel('Build folder')
      .setInputFiles(await environments());
    await expect(form(page).getByText('Found 3 builds: ESP32-S3, ESP32, ESP32-C3.')).toBeVisible();

    await test.step('each build has its files, and the first one is for the chip of the project', async () => {
      await expect(build(page, 'Build 1: ESP32-S3')).toBeVisible();
      const offset = (of: string, file: string) => build(page, of).getByRole('textbox', { name: `Offset of ${file}` });
      await expect(offset('Build 1: ESP32-S3', 'bootloader.bin')).toHaveValue('0x0');
      await expect(offset('Build 2: ESP32', 'bootloader.bin')).toHaveValue('0x1000');
      await expect(offset('Build 3: ESP32-C3', 'firmware.bin')).toHaveValue('0x10000');
      expect(await findings(page)).toEqual([]);
    });

    await test.step('a build is limited to some boards, and a fault is at its build, by keyboard', async () => {
      const first = build(page, 'Build 1: ESP32-S3');
      await first.getByText('For every ESP32-S3 board').focus();
      await page.keyboard.press('Enter');
      await first.getByRole('combobox', { name: 'PSRAM' }).selectOption('With PSRAM');
      await expect(first.getByText('Only for boards with PSRAM')).toBeVisible();
      await form(page).getByRole('button', { name: 'Add a build' }).focus();
      await page.keyboard.press('Enter');
      const added = build(page, 'Build 4');
      await expect(added.getByRole('combobox', { name: 'Chip' })).toBeFocused();
      await form(page).getByRole('textbox', { name: 'Version' }).fill('2.0.0');
      await form(page).getByRole('textbox', { name: 'Description' }).fill('For **three** chips.');
      // An untouched build blocks nothing; one with a file does.
      await added
        .locator('input[type="file"]')
        .first()
        .setInputFiles({ name: 'app.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(64, 1) });
      await form(page).getByRole('button', { name: 'Create version' }).click();
      await expect(added.getByText('Choose the chip that these files are for.')).toBeVisible();
      await expect(added.getByRole('combobox', { name: 'Chip' })).toBeFocused();
      await page.setViewportSize({ width: 390, height: 844 });
      await expectToFit(page);
      expect(await findings(page)).toEqual([]);
      await page.setViewportSize({ width: 1_440, height: 900 });
      await added.getByRole('button', { name: 'Remove build 4' }).click();
      await expect(added).toBeHidden();
    });

    await form(page).getByRole('button', { name: 'Create version' }).click();
    await expectToast(page, 'Version 2.0.0 created', { timeout: 60_000 });
    const row = own.getByRole('listitem', { name: 'version 2.0.0', exact: true });
    await row.getByText('3 builds: ESP32-S3, ESP32, ESP32-C3').click();
    await expect(row.getByText('ESP32-S3 with PSRAM')).toBeVisible();

    await test.step('the same bytes are stored once for all builds', async () => {
      const headers = await bearer(page);
      const { projects } = await (await page.request.get(firmwarePaths.projects, { headers })).json();
      const [version] = projects.find((other: ProjectSummary) => other._id === project._id).versions;
      await owner.setPublic(version, true);
      const tables = version.builds.map(({ files }: { files: { fileName: string; sha256: string }[] }) =>
        files.find(({ fileName }) => fileName === 'partition-table.bin'),
      );
      expect(new Set(tables.map(({ sha256 }: { sha256: string }) => sha256)).size).toBe(1);
    });

    await test.step("the visitor's page names the boards, and has the files of each", async () => {
      const stranger = await elsewhere();
      await stranger.goto(releasePath('project', project.shareId));
      const boards = stranger.getByRole('group').filter({ hasText: /^Boards/ });
      await expect(boards).toContainText('ESP32-S3, ESP32 and ESP32-C3');
      await boards.getByRole('heading').click();
      await expect(boards.getByRole('listitem')).toHaveText(['ESP32-S3 with PSRAM', 'ESP32', 'ESP32-C3']);
      await stranger.getByRole('heading', { name: 'What is written' }).click();
      await stranger.getByRole('combobox', { name: 'Board' }).selectOption('ESP32');
      await expect(stranger.getByRole('row', { name: /bootloader\.bin/ })).toContainText('0x1000');
      await stranger.locator('summary', { hasText: 'For developers' }).focus();
      await stranger.keyboard.press('Enter');
      await expect(stranger.getByText(/<wirebench-flash release="/)).toBeVisible();
      expect(await findings(stranger)).toEqual([]);
      await stranger.setViewportSize({ width: 390, height: 844 });
      await expectToFit(stranger);
    });
  } finally {
    await owner.remove(project);
  }
});
