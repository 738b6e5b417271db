/** The release manager with content: the account and the project of `examples.ts`. */
import type { Page } from '@playwright/test';
import { pagePaths } from '@wirebench/contract';
import { buildOutput } from './build-output.ts';
import { exampleOwner, exampleProject } from './examples.ts';
import { signIn } from './sign-in.ts';

export async function projects(page: Page): Promise<void> {
  await page.goto('/');
  await signIn(page, exampleOwner);
  await page.goto(pagePaths.releases);
  await page.getByRole('listitem', { name: 'version 1.4.0', exact: true }).waitFor();
}

/** Shows the form of a version with the files of a build. */
export async function newVersion(page: Page): Promise<void> {
  await projects(page);
  const project = page.getByRole('region', { name: exampleProject, exact: true });
  await project.getByRole('button', { name: 'Add version', exact: true }).click();
  const form = page.getByRole('form', { name: 'New version' });
  await form.getByRole('textbox', { name: 'Version' }).fill('1.5.0');
  await form.getByRole('textbox', { name: 'Description' }).fill('Adds a keep-alive setting for MQTT.');
  await form.getByLabel('File 1: choose a .bin file').setInputFiles(buildOutput);
  await form.getByRole('textbox', { name: 'Offset of app.bin' }).waitFor();
}

/** Shows the question before deleting a project, answered with a wrong name. */
export async function deleting(page: Page): Promise<void> {
  await projects(page);
  await page.getByRole('button', { name: `More about ${exampleProject}`, exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('weather');
  await dialog.getByRole('textbox').press('Enter');
}

export async function tokens(page: Page): Promise<void> {
  await projects(page);
  await page.getByRole('button', { name: 'Tokens', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Publishing tokens' });
  await dialog.waitFor();
  await dialog.getByText('Loading').waitFor({ state: 'detached' });
}
