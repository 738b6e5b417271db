/** The release manager used by its owner, with a stranger at the other end of the link. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { firmwarePaths, pagePaths, releaseLimits, sharedFirmwarePaths } from '@wirebench/contract';
import { expect, test } from '../support/test.ts';
import { expectToast } from '../support/toasts.ts';
import { uniqueName } from '../support/unique-name.ts';
import { chooseOf } from './release-steps.ts';
import { bearer, signIn } from './sign-in-steps.ts';

const project = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
/** Returns a version of the project `of`; the page may also show projects of other tests. */
const version = (of: Locator, number: string) => of.getByRole('listitem', { name: `version ${number}`, exact: true });
const form = (page: Page) => page.getByRole('form', { name: 'New version' });
const press = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true }).click();

async function openManager(page: Page, account: Parameters<typeof signIn>[1]): Promise<void> {
  await page.goto('/');
  await signIn(page, account);
  await page.goto(pagePaths.releases);
  await expect(page.getByText(/of 5 projects/)).toBeVisible();
}

async function createProject(page: Page, name: string, model = 'esp32s3'): Promise<void> {
  await press(page, 'New project');
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('combobox', { name: 'Device model' }).selectOption(model);
  await press(page, 'Create project');
  await expect(project(page, name).getByRole('button', { name, exact: true })).toHaveAttribute('aria-expanded', 'true');
}

const bin = (name: string, size = 2_048) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.alloc(size, 7),
});

async function fillVersion(
  page: Page,
  number: string,
  files: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0],
) {
  await form(page).getByRole('textbox', { name: 'Version' }).fill(number);
  await form(page).getByRole('textbox', { name: 'Description' }).fill(`Notes of **${number}**.`);
  await form(page).getByLabel('File 1: choose a .bin file').setInputFiles(files);
}

/** Creates an ESP-IDF build folder with its list of files and offsets. */
async function buildFolder(): Promise<string> {
  const build = test.info().outputPath('build');
  await mkdir(join(build, 'bootloader'), { recursive: true });
  await mkdir(join(build, 'esp-idf', 'main'), { recursive: true });
  const files = { '0x0': 'bootloader/bootloader.bin', '0x20000': 'weather.bin', '0x9000': 'partition-table.bin' };
  for (const file of Object.values(files)) {
    await writeFile(join(build, file), Buffer.alloc(4_096, 9));
  }
  await writeFile(join(build, 'esp-idf', 'main', 'object.bin'), 'not flashed');
  const args = { flash_files: files, extra_esptool_args: { chip: 'esp32s3' } };
  await writeFile(join(build, 'flasher_args.json'), JSON.stringify(args));
  return build;
}

/** Types the name into the open dialog. */
async function confirm(page: Page, name: string, action: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByRole('button', { name: action }).click();
  await expect(dialog).toBeHidden();
}

/** Removes a test's projects, also after a failed test. */
async function removeProjects(page: Page, begin: string): Promise<void> {
  const headers = await bearer(page);
  const { projects } = await (await page.request.get(firmwarePaths.projects, { headers })).json();
  for (const { _id, name } of projects) {
    if (name.startsWith(begin)) {
      await page.request.delete(firmwarePaths.project(_id), { headers });
    }
  }
}

test('a project lives: created, filled, shared, seen by a stranger, made private, filled from a build, published with a token, deleted', async ({
  page,
  context,
  elsewhere,
  baseURL,
}) => {
  test.slow();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const stranger = await elsewhere();
  const statusFor = async (path: string) => (await stranger.request.get(path)).status();
  const name = uniqueName('life');
  await page.goto(pagePaths.releases);
  await expect(page.getByText('Please sign in to view and manage projects')).toBeVisible();
  const opened = page.waitForEvent('popup');
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click();
  await (await opened).getByRole('button', { name: /\bmaker\b/ }).click();
  await createProject(page, name);
  const own = project(page, name);

  // Adds a version with three files, with suggested offsets, and a terminal set-up.
  await press(own, 'Add version');
  await fillVersion(page, '1.0.0', [bin('bootloader.bin'), bin('partition-table.bin', 3_072), bin('weather.bin')]);
  await expect(form(page).getByRole('textbox', { name: 'Offset of bootloader.bin' })).toHaveValue('0x0');
  await expect(form(page).getByRole('textbox', { name: 'Offset of partition-table.bin' })).toHaveValue('0x8000');
  await expect(form(page).getByRole('textbox', { name: 'Offset of weather.bin' })).toHaveValue('0x10000');
  await form(page).getByLabel('Set up the terminal after a flash').check();
  await form(page).getByRole('combobox', { name: 'Baud rate' }).fill('921600');
  await form(page).getByRole('textbox', { name: 'Version' }).press('Enter');
  await expectToast(page, 'Version 1.0.0 created');
  await expect(form(page)).toBeHidden();
  await expect(version(own, '1.0.0').locator('strong', { hasText: '1.0.0' })).toBeVisible();

  // While the project is private, nothing can be shared, and its version cannot be made public.
  await press(own, 'More about version 1.0.0');
  await expect(page.getByRole('menuitem', { name: 'Share' })).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Escape');
  await expect(own.getByRole('button', { name: 'Private: version 1.0.0' })).toHaveAttribute('aria-disabled', 'true');
  await press(page, `Private: ${name}`);
  await expectToast(page, `${name} is public`);
  await press(own, 'Private: version 1.0.0');
  await expectToast(page, 'Version 1.0.0 is public');

  // The link is copied to the clipboard, and its toast disappears automatically.
  await chooseOf(own, 'version 1.0.0', 'Share');
  await expectToast(page, 'Link to version 1.0.0 copied');
  const panel = page.getByRole('dialog', { name: 'Share version 1.0.0' });
  await expect(panel.getByText('The link to version 1.0.0 is copied.')).toBeVisible();
  await expect(panel.getByRole('img', { name: 'QR code of the link' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
  expect(link.origin + link.pathname).toBe(`${baseURL}/release.html`);
  expect([...link.searchParams.keys()]).toEqual(['type', 'id']);
  const shared = sharedFirmwarePaths.item('version', link.searchParams.get('id') ?? '');
  const answer = await (await stranger.request.get(shared)).json();
  expect(answer.version.files.map(({ offset }: { offset: string }) => offset)).toEqual(['0x0', '0x8000', '0x10000']);
  expect(answer.version.console).toEqual({ baudRate: 921_600, lineEnding: 'lf', jkitId: null });
  await expect(page.getByText('Link to version 1.0.0 copied')).toBeHidden();

  // Flashes are counted by chip and error.
  const flashes = sharedFirmwarePaths.flashes(link.searchParams.get('id') ?? '');
  await stranger.request.post(flashes, { data: { chip: 'ESP32-S3' } });
  await stranger.request.post(flashes, { data: { result: 'failure', chip: 'ESP32-S3', errorCode: 'no-answer' } });
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(version(own, '1.0.0').getByText('1 flash', { exact: true })).toBeVisible();
  await chooseOf(own, 'version 1.0.0', 'Flashes by chip');
  await expect(page.getByRole('dialog').getByText('1 successful, 1 failed')).toBeVisible();
  await expect(page.getByRole('dialog').getByRole('cell', { name: 'Failed: no-answer' })).toBeVisible();
  await page.keyboard.press('Escape');

  // Making it private disables the link at once; making it public restores the link.
  await press(page, `Public: ${name}`);
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('another name');
  await page.getByRole('dialog').getByRole('button', { name: 'Make private' }).click();
  await expect(page.getByText("Confirmation text doesn't match")).toBeVisible();
  expect(await statusFor(shared)).toBe(200);
  await confirm(page, name, 'Make private');
  expect(await statusFor(shared)).toBe(404);
  await expect(page.getByText('Version 1.0.0 becomes visible too.')).toBeVisible();
  await press(page, `Private: ${name}`);
  await expect(own.getByRole('textbox', { name: 'Project link' })).toBeVisible();
  expect(await statusFor(shared)).toBe(200);

  // Descriptions are edited in place; the history lists every change.
  await chooseOf(own, name, 'Edit description');
  await own.getByRole('textbox', { name: 'Description' }).fill('Battery builds only.');
  await press(own, 'Save');
  await expect(own.getByText('Battery builds only.').first()).toBeVisible();
  await chooseOf(own, name, 'History');
  await expect(page.getByRole('dialog').getByText('maker made the project private')).toBeVisible();
  const downloaded = page.waitForEvent('download');
  await page.getByRole('dialog').getByRole('button', { name: 'Export as CSV' }).click();
  expect((await downloaded).suggestedFilename()).toBe(`history-${name}.csv`);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();

  await test.step('the folder of an ESP-IDF build fills rows and offsets', async () => {
    const build = await buildFolder();
    await press(own, 'Add version');
    await form(page).getByLabel('Build folder').setInputFiles(build);
    await expect(page.getByText(/^Filled in from .*flasher_args\.json\.$/)).toBeVisible();
    const offset = (file: string) => form(page).getByRole('textbox', { name: `Offset of ${file}` });
    await expect(offset('bootloader.bin')).toHaveValue('0x0');
    await expect(offset('partition-table.bin')).toHaveValue('0x9000');
    await expect(offset('weather.bin')).toHaveValue('0x20000');
    await expect(offset('object.bin')).toHaveCount(0);
    await form(page).getByRole('textbox', { name: 'Description' }).fill('From the build.');
    await form(page).getByRole('textbox', { name: 'Version' }).fill('1.1.0');
    await press(page, 'Create version');
    await expect(version(own, '1.1.0').getByText('0x20000')).toBeVisible();
    await chooseOf(own, 'version 1.1.0', 'Delete');
    await confirm(page, '1.1.0', 'Delete');
    await expect(version(own, '1.1.0')).toHaveCount(0);
  });

  await test.step('a publishing token is shown once, publishes, and is over when it is revoked', async () => {
    await press(page, 'Tokens');
    const dialog = page.getByRole('dialog', { name: 'Publishing tokens' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
    await dialog.getByRole('combobox', { name: 'Project' }).selectOption({ label: name });
    await dialog.getByRole('button', { name: 'Create token' }).click();
    const authorization = `Bearer ${await dialog.getByRole('textbox', { name: 'Token' }).inputValue()}`;
    const statusOf = async () =>
      (await stranger.request.get(firmwarePaths.projects, { headers: { authorization } })).status();
    expect(await statusOf()).toBe(200);
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await press(page, 'Tokens');
    await expect(dialog.getByRole('row', { name: new RegExp(name) })).toContainText('today');
    await dialog.getByRole('button', { name: `Revoke ${name}`, exact: true }).click();
    await dialog.getByRole('button', { name: `Confirm: revoke ${name}` }).click();
    await expect(dialog.getByRole('row', { name: new RegExp(name) })).toHaveCount(0);
    expect(await statusOf()).toBe(401);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });

  // Deleting a version leaves the project open; deleting a project leaves nothing.
  await chooseOf(own, 'version 1.0.0', 'Delete');
  await confirm(page, '1.0.0', 'Delete');
  await expect(own.getByText('0 of 3 used')).toBeVisible();
  expect(await statusFor(shared)).toBe(404);
  await chooseOf(own, name, 'Delete');
  await confirm(page, name, 'Delete');
  await expect(own).toHaveCount(0);
});

test('four files of 16 MiB are uploaded with progress, and a cancelled upload leaves nothing', async ({ page }) => {
  test.slow();
  const name = uniqueName('upload');
  const files = await Promise.all(
    ['a', 'b', 'c', 'd'].map(async (letter, index) => {
      const path = test.info().outputPath(`${letter}.bin`);
      await writeFile(path, Buffer.alloc(releaseLimits.fileSize, index + 1));
      return path;
    }),
  );
  await openManager(page, 'maker');
  try {
    await createProject(page, name);
    const headers = await bearer(page);
    const versionsOnServer = async () => {
      const { projects } = await (await page.request.get(firmwarePaths.projects, { headers })).json();
      return projects.find((other: { name: string }) => other.name === name).versions;
    };
    const network = await page.context().newCDPSession(page);
    await network.send('Network.enable');
    const throttle = (uploadThroughput: number) =>
      network.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput,
      });
    await press(project(page, name), 'Add version');
    await fillVersion(page, '1.0', files);
    for (const [index, letter] of ['a', 'b', 'c', 'd'].entries()) {
      await form(page)
        .getByRole('textbox', { name: `Offset of ${letter}.bin` })
        .fill(`0x${(index * releaseLimits.fileSize).toString(16)}`);
    }
    const bar = page.getByRole('progressbar', { name: 'Upload of version 1.0' });

    await throttle(500_000);
    await press(page, 'Create version');
    await expect(bar).toHaveAttribute('aria-valuenow', /^([1-9]|[1-9]\d)$/);
    await expect(page.getByText(/^Uploading: .* of 64\.0 MB/)).toBeVisible();
    await press(page, 'Cancel upload');
    await expect(page.getByText('Upload cancelled. Nothing was stored.')).toBeVisible();
    expect(await versionsOnServer()).toEqual([]);

    await throttle(-1);
    await press(page, 'Create version');
    await expectToast(page, 'Version 1.0 created', { timeout: 60_000 });
    const [stored] = await versionsOnServer();
    expect(stored.files.map(({ size }: { size: number }) => size)).toEqual(files.map(() => releaseLimits.fileSize));
    await expect(version(project(page, name), '1.0').getByText('0x03000000')).toBeVisible();
  } finally {
    await removeProjects(page, name);
  }
});
