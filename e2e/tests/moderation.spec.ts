import type { Page } from '@playwright/test';
import { releasePath } from '@wirebench/boards';
import { pagePaths } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { uniqueName } from '../support/unique-name.ts';
import { chooseOf, openProject, ownerOn } from './release-steps.ts';
import { signIn } from './sign-in-steps.ts';

async function adminPage(page: Page): Promise<Page> {
  await page.goto('/');
  await signIn(page, 'admin');
  return page;
}

async function publicProject(page: Page) {
  await page.goto('/');
  await signIn(page, 'maker');
  const owner = await ownerOn(page);
  const project = await owner.newProject(uniqueName('reported'));
  const version = await owner.newVersion(project, '1.0.0');
  await owner.setPublic(project, true);
  await owner.setPublic(version, true);
  return { owner, project, link: releasePath('project', project.shareId) };
}

test('a visitor reports a release, an operator takes it down, and its link says so', async ({ page, elsewhere }) => {
  const { owner, project, link } = await publicProject(page);
  const visitor = await elsewhere();
  await visitor.goto(link);
  await visitor.getByRole('button', { name: 'Report this release' }).click();
  const form = visitor.getByRole('dialog', { name: /^Report / });
  await form.getByRole('combobox', { name: 'Reason' }).selectOption('harmful');
  await form.getByRole('textbox', { name: 'Note (optional)' }).fill('It erases the bootloader.');
  expect(await findings(visitor, { within: '[role=dialog]' })).toEqual([]);
  await form.getByRole('button', { name: 'Send report' }).click();
  await expect(form.getByText('Report sent.')).toBeVisible();

  const admin = await adminPage(await elsewhere());
  await admin.getByRole('button', { name: 'Account of admin' }).click();
  await admin.getByRole('menuitem', { name: 'Admin Dashboard' }).click();
  await expect(admin.getByPlaceholder('Enter email to filter...')).toBeVisible();
  await admin.getByRole('link', { name: /^Reports/ }).click();
  const row = admin.getByRole('row', { name: new RegExp(project.name) });
  await expect(row).toContainText('It erases the bootloader.');
  expect(await findings(admin)).toEqual([]);
  await row.getByRole('button', { name: `Take down ${project.name}` }).click();
  const ask = admin.getByRole('dialog', { name: `Take down ${project.name}?` });
  await ask.getByRole('textbox', { name: 'Reason' }).fill('Erases the bootloader');
  await admin.keyboard.press('Enter');
  await expect(row).toHaveCount(0);

  await visitor.goto(link);
  await expect(visitor.getByRole('heading', { name: 'This release was taken down' })).toBeVisible();
  await page.goto(pagePaths.releases);
  const own = await openProject(page, project.name);
  await expect(own.getByText('Reason: Erases the bootloader')).toBeVisible();

  await admin.getByRole('link', { name: /^Audit/ }).click();
  await expect(admin.getByRole('row', { name: new RegExp(project.name) })).toContainText('Erases the bootloader');
  await admin.getByRole('link', { name: 'Public items' }).click();
  await admin.getByRole('button', { name: `Restore ${project.name}` }).click();
  await admin
    .getByRole('dialog', { name: `Restore ${project.name}?` })
    .getByRole('textbox', { name: 'Reason' })
    .fill('Fixed');
  await admin.keyboard.press('Enter');
  await expect(admin.getByRole('button', { name: `Take down ${project.name}` })).toBeVisible();
  await visitor.goto(link);
  await expect(visitor.getByRole('heading', { level: 1, name: project.name })).toBeVisible();
  await owner.remove(project);

  await test.step('moderation fits a phone', async () => {
    await admin.setViewportSize({ width: 390, height: 844 });
    for (const path of [
      pagePaths.adminReports,
      pagePaths.adminItems,
      pagePaths.adminAccounts,
      pagePaths.adminAudit,
      pagePaths.adminState,
    ]) {
      await admin.goto(path);
      await expect(admin.getByRole('navigation', { name: 'Administration' })).toBeVisible();
      await expectToFit(admin);
      expect(await findings(admin)).toEqual([]);
    }
  });
});

test('a renewed link leads on, and the old one is dead; a public name is changed in the menu of the account and shown there', async ({
  page,
}) => {
  const { owner, project, link } = await publicProject(page);
  await page.goto(pagePaths.releases);
  await chooseOf(await openProject(page, project.name), project.name, 'Link settings');
  const dialog = page.getByRole('dialog', { name: `Link to ${project.name}` });
  expect(await findings(page, { within: '[role=dialog]' })).toEqual([]);
  await dialog.getByRole('button', { name: 'Renew the link' }).click();
  await dialog.getByRole('button', { name: 'Confirm: renew the link' }).click();
  await expect(dialog.getByText(project.shareId)).toHaveCount(0);
  const renewed = (await dialog.locator('code').first().textContent()) ?? '';
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'There is no release at this link' })).toBeVisible();
  await page.goto(renewed);
  await expect(page.getByRole('heading', { level: 1, name: project.name })).toBeVisible();
  await page.goto('/');

  const name = uniqueName('Fox').slice(0, 40);
  const rename = async (to: string) => {
    await page.getByRole('button', { name: 'Account of maker' }).click();
    await page.getByRole('menuitem', { name: 'Public name' }).click();
    const dialog = page.getByRole('dialog', { name: 'Public name' });
    await dialog.getByRole('textbox', { name: 'Public name' }).fill(to);
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
  };
  await rename(name);
  await page.goto(renewed);
  await expect(page.getByText(`by ${name}`, { exact: true })).toBeVisible();
  await page.goto('/');
  await rename('maker');
  await page.goto(renewed);
  await expect(page.getByText('by maker', { exact: true })).toBeVisible();
  await owner.remove(project);
});
