/** The release manager for a screen reader, by keyboard, and on a phone. */
import type { Page } from '@playwright/test';
import { pagePaths } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { expectToast } from '../support/toasts.ts';
import { uniqueName } from '../support/unique-name.ts';
import { choose } from './menu-steps.ts';
import { chooseOf, openProject, ownerOn } from './release-steps.ts';
import { signIn } from './sign-in-steps.ts';

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** Closes the form of a new version and discards its content. */
async function leaveForm(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Version' }).press('Escape');
  await expect(page.getByRole('form', { name: 'New version' })).toBeHidden();
}

/** Opens a public project with a public and a private version. */
async function openVersions(page: Page, name: string) {
  await page.goto('/');
  await signIn(page, 'admin');
  const owner = await ownerOn(page);
  const project = await owner.newProject(name);
  await owner.newVersion(project, '1.0');
  const newer = await owner.newVersion(project, '2.0');
  await owner.setPublic(project, true);
  await owner.setPublic(newer, true);
  await page.goto(pagePaths.releases);
  const own = await openProject(page, name);
  await expect(own.getByText('2 of 3 used')).toBeVisible();
  return { owner, project };
}

test('the release manager, signed out, at work, with its forms and dialogs, by keyboard alone, and on a phone', async ({
  page,
}) => {
  test.slow();
  const name = uniqueName('access-');
  await page.goto(pagePaths.releases);
  await expect(page.getByText('Please sign in to view and manage projects')).toBeVisible();
  expect(await findings(page)).toEqual([]);
  const { owner, project } = await openVersions(page, name);
  try {
    await test.step('is without findings', async () => {
      await choose(page.getByRole('button', { name: 'Help', exact: true }), 'Quick guide');
      await expect(page.getByRole('region', { name: 'Quick guide' })).toBeVisible();
      await region(page, name).getByRole('button', { name: 'Add version' }).click();
      await page.getByLabel('File 1: choose a .bin file').setInputFiles({
        name: 'app.bin',
        mimeType: 'application/octet-stream',
        buffer: Buffer.from('bytes'),
      });
      await page.getByLabel('Set up the terminal after a flash').check();
      await page.getByRole('button', { name: 'Create version' }).click();
      await expect(page.getByText('Please enter a version number')).toBeVisible();
      // The header covers a part of a button where the page has been scrolled to the field.
      await page.evaluate(() => scrollTo(0, 0));
      expect(await findings(page)).toEqual([]);
      await page.getByRole('button', { name: 'New project' }).click();
      await page.getByRole('button', { name: 'Create project' }).click();
      await expect(page.getByText('Project name is required')).toBeVisible();
      expect(await findings(page)).toEqual([]);
      const dialogs = [
        () => chooseOf(region(page, name), name, 'Compare versions'),
        () => chooseOf(region(page, name), name, 'History'),
        () => chooseOf(region(page, name), name, 'Delete'),
        () => chooseOf(region(page, name), 'version 2.0', 'Flashes by chip'),
        () => region(page, name).getByRole('button', { name: 'Public: version 2.0', exact: true }).click(),
      ];
      for (const open of dialogs) {
        await open();
        await expect(page.getByRole('dialog')).toBeVisible();
        await expect(page.getByRole('dialog').getByText('Loading')).toHaveCount(0);
        expect(await findings(page)).toEqual([]);
        await page.keyboard.press('Escape');
        await expect(page.getByRole('dialog')).toBeHidden();
      }
      await page.getByRole('button', { name: 'Tokens' }).click();
      await expect(page.getByRole('dialog').getByText('Loading')).toHaveCount(0);
      expect(await findings(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await region(page, name).getByRole('button', { name: 'More about version 2.0' }).click();
      await expect(page.getByRole('menuitem', { name: 'Terminal set-up' })).toBeVisible();
      // Ignores the target size: the menu covers a part of a button.
      const open = await findings(page, { landmarks: true });
      expect(open.filter((finding) => !finding.startsWith('target-size'))).toEqual([]);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('menuitem', { name: 'Terminal set-up' })).toBeHidden();
      await page.getByRole('textbox', { name: 'Name' }).press('Escape');
      await leaveForm(page);
    });

    await test.step('the actions of a version are one tab stop with arrow keys', async () => {
      const row = region(page, name).getByRole('listitem', { name: 'version 2.0', exact: true });
      const more = row.getByRole('button', { name: 'More about version 2.0' });
      await row.getByRole('button', { name: 'Public: version 2.0' }).focus();
      await page.keyboard.press('Tab');
      await expect(more).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('menuitem', { name: 'Share' })).toBeVisible();
      await page.keyboard.press('ArrowDown');
      await expect(page.getByRole('menuitem', { name: 'Share' })).toBeFocused();
      await page.keyboard.press('ArrowDown');
      await expect(page.getByRole('menuitem', { name: 'Open in flasher' })).toBeFocused();
      await page.keyboard.press('End');
      await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(more).toBeFocused();
      await page.keyboard.press('Tab');
      await expect(row.locator(':focus')).toHaveCount(0);
      await page.keyboard.press('Shift+Tab');
      await expect(more).toBeFocused();
    });

    await test.step('on a phone nothing is cut off, and everything can be reached', async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      await region(page, name).getByRole('button', { name: 'Add version' }).click();
      await expectToFit(page);
      expect(await findings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Tokens' }).click();
      await expect(page.getByRole('dialog', { name: 'Publishing tokens' })).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toBeHidden();
      await region(page, name).getByRole('button', { name: 'More about version 2.0' }).click();
      const opened = page.waitForEvent('popup');
      await page.getByRole('menuitem', { name: 'Open release page' }).click();
      const release = await opened;
      await expect(release).toHaveURL(/\/release\.html\?type=version&id=.*&owned=true$/);
      await release.close();
      await leaveForm(page);
      await page.setViewportSize({ width: 1_440, height: 900 });
    });

    await test.step('a version is published by keyboard alone', async () => {
      await region(page, name).getByRole('button', { name: 'Add version' }).focus();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('textbox', { name: 'Version' })).toBeFocused();
      await page.keyboard.type('3.0');
      await page.keyboard.press('Tab');
      await page.keyboard.type('First line');
      await page.keyboard.press('Enter');
      await page.keyboard.type('second line');
      await page.keyboard.press('Tab');
      await expect(page.getByRole('checkbox', { name: 'Beta' })).toBeFocused();
      await page.keyboard.press('Tab');
      await expect(page.getByRole('button', { name: 'Choose a build folder' })).toBeFocused();
      await page.keyboard.press('Tab');
      await expect(page.getByRole('button', { name: 'Choose a zip' })).toBeFocused();
      await page.keyboard.press('Tab');
      const chooser = page.waitForEvent('filechooser');
      await page.keyboard.press('Enter');
      await (await chooser).setFiles({
        name: 'app.bin',
        mimeType: 'application/octet-stream',
        buffer: Buffer.from('3'),
      });
      const offset = page.getByRole('textbox', { name: 'Offset of app.bin' });
      await expect(offset).toBeVisible();
      await page.keyboard.press('Tab');
      await expect(offset).toBeFocused();
      await page.keyboard.press('Enter');
      await expectToast(page, 'Version 3.0 created');
      await expect(region(page, name).getByText('3 of 3 used')).toBeVisible();
    });
  } finally {
    await owner.remove(project);
  }
});
