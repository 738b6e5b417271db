/** A version with its ELF file: visitors send its crashes, the owner sees their counts, and a stranger sees nothing. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { releasePath } from '@wirebench/boards';
import { firmwarePaths, pagePaths, sharedFirmwarePaths } from '@wirebench/contract';
import { appInfo, coreElf, extraInfo, panicDetails, printed, words, xtensaStatus } from '@wirebench/symbols/testing';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { uniqueName } from '../support/unique-name.ts';
import { choose } from './menu-steps.ts';
import { openProject, ownerOn } from './release-steps.ts';
import { bearer, signIn } from './sign-in-steps.ts';
import { drop, openTerminal } from './terminal-steps.ts';

const elf = readFileSync(new URL('../../packages/symbols/src/testing/fixtures/bare-xtensa.elf', import.meta.url));
const hash = createHash('sha256').update(elf).digest('hex');

/** Core dump of the program in the fixture, which crashed in `square`. */
const dump = coreElf({
  machine: 94,
  notes: [
    xtensaStatus(0x3ffa_fba0, 0x4020_000c, 0x60020, [0, 0x3ffb_4ec0, 7, 8]),
    appInfo(0x102, hash.slice(0, 9)),
    extraInfo(0x3ffa_fba0, 232, 29, 238, 0),
    panicDetails('assert failed: weigh bare.c:6 (x > 0)'),
  ],
  memory: [{ address: 0x3ffb_4eb0, bytes: words(0, 0x3ffb_4ee0, 1, 2, 0x1111_2222, 0, 0, 0) }],
});

const monitorLog = { name: 'monitor.log', mimeType: 'text/plain', buffer: Buffer.from(printed(dump)) };

async function openDump(page: Page) {
  await openTerminal(page);
  await drop(page, monitorLog.name, monitorLog.buffer);
  const view = page.getByRole('article', { name: 'Core dump' });
  await expect(view.getByRole('heading', { level: 2 })).toContainText('assert failed: weigh bare.c:6 (x > 0)');
  return view;
}

/** Checks that narrowing the window to a phone's width keeps the content of the form. */
async function expectKeptOnPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  const content = page.getByRole('region', { name: 'What is sent' });
  await expect.poll(async () => (await content.boundingBox())?.width).toBeLessThan(390);
  await expect(content).toContainText('Memorynot sent');
  expect(await findings(page)).toEqual([]);
}

/**
 * Sends a crash as a visitor who has only the link.
 *
 * @param look Inspects the page before the crash is sent.
 */
async function sendCrash(page: Page, link: string, look: (page: Page) => Promise<void>): Promise<void> {
  const view = await openDump(page);
  const more = view.getByRole('button', { name: 'More about this crash' });
  await choose(more, 'Send to the publisher');
  const dialog = page.getByRole('dialog', { name: 'Send this crash to the publisher' });
  await dialog.getByRole('textbox', { name: 'Release link' }).fill(link);
  await expect(dialog.getByRole('region', { name: 'What is sent' })).toContainText('Memorynot sent');
  await look(page);
  await dialog.getByRole('button', { name: 'Send', exact: true }).press('Enter');
  await expect(page.getByText('Crash sent.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(more).toBeFocused();
}

test('only the owner of a version reads its ELF file and the crashes of its visitors', async ({ page, elsewhere }) => {
  test.slow();
  await page.goto('/');
  await signIn(page, 'maker');
  const owner = await ownerOn(page);
  const project = await owner.newProject(uniqueName('Crashing'));
  try {
    await page.goto(pagePaths.releases);
    const region = await openProject(page, project.name);
    await region.getByRole('button', { name: 'Add version' }).click();
    const form = page.getByRole('form', { name: 'New version' });
    await form.getByRole('textbox', { name: 'Version' }).fill('1.2.0');
    await form.getByRole('textbox', { name: 'Description' }).fill('It crashes.');
    const bin = { name: 'app.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(2_048, 7) };
    await form.getByLabel('File 1: choose a .bin file').setInputFiles(bin);
    await form.getByLabel('ELF file: choose a file').setInputFiles({ ...bin, name: 'app.elf', buffer: elf });
    await form.getByRole('button', { name: 'Create version' }).click();
    const row = region.getByRole('listitem', { name: 'version 1.2.0', exact: true });
    await expect(row.getByRole('list', { name: 'ELF file' })).toContainText('app.elf');
    await owner.setPublic(project, true);
    const headers = await bearer(page);
    const listed = await (await page.request.get(firmwarePaths.versions(project._id), { headers })).json();
    const [version] = listed.versions;
    await owner.setPublic(version, true);

    const link = `${new URL(page.url()).origin}${releasePath('version', version.shareId)}`;
    await sendCrash(await elsewhere(), link, expectKeptOnPhone);
    await sendCrash(await elsewhere(), link, () => Promise.resolve());

    await page.reload();
    await row.getByRole('button', { name: /^2 crashes reported/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Crashes of version 1.2.0' });
    await expect(dialog).toContainText('1 different crash, last seen first');
    const crash = dialog.getByRole('button', { name: /assert failed: weigh bare\.c:6/ });
    await expect(crash).toContainText('2 times');
    await crash.press('Enter');
    const stacks = dialog.getByRole('region', { name: 'Stacks of the newest example' });
    await expect(stacks).toContainText('#0  0x4020000C');
    await dialog.getByRole('button', { name: 'Show functions and lines' }).click();
    await expect(stacks).toContainText('square');
    expect(await findings(page)).toEqual([]);
    for (const [width, height] of [
      [390, 844],
      [720, 450],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expectToFit(page);
    }
    await page.setViewportSize({ width: 1_280, height: 800 });
    await page.keyboard.press('Escape');

    // The owner's terminal finds the ELF file automatically.
    const view = await openDump(page);
    await expect(view).toContainText(
      `ELF of ${project.name} 1.2.0, from your releases is the build that crashed: the dump names its SHA-256.`,
    );
    await expect(view.getByRole('list', { name: 'Frames, innermost first' })).toContainText('square');

    const stranger = await elsewhere();
    await stranger.goto('/');
    await signIn(stranger, 'tinkerer');
    const theirs = await bearer(stranger);
    for (const path of [firmwarePaths.versionElf(version._id), firmwarePaths.versionCrashes(version._id)]) {
      expect((await stranger.request.get(path, { headers: theirs })).status()).toBe(404);
      expect((await stranger.request.get(path)).status()).toBe(401);
    }
    const none = await stranger.request.get(`${firmwarePaths.elf}?sha256=${hash}`, { headers: theirs });
    expect(await none.json()).toEqual({ elf: null });
    const shared = await stranger.request.get(sharedFirmwarePaths.item('version', version.shareId));
    expect(await shared.text()).not.toMatch(/"elf"|"crashes"/);
    const unnamed = await openDump(stranger);
    await expect(unnamed).toContainText(`Drop the ELF file whose SHA-256 begins with ${hash.slice(0, 9)}`);
  } finally {
    await owner.remove(project);
  }
});
