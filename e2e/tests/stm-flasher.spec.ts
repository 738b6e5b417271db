/** The STM32 flasher with simulated boards: from demo firmware, a file or a release to the result. */

import { readFile } from 'node:fs/promises';
import { releasePath } from '@wirebench/boards';
import { demoReleaseId, staticPages } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';
import { uniqueName } from '../support/unique-name.ts';
import { board, monitor, openFacts, plan, result, writeButton, writeByKeyboard } from './flasher-steps.ts';
import { choose } from './menu-steps.ts';
import { ownerOn } from './release-steps.ts';
import { signIn } from './sign-in-steps.ts';
import { connectStmDemo, flashFast, flashStart, greeting, program } from './stm-flasher-steps.ts';

const kibibyte = 1_024;

test('the Demo STM32F407 is flashed, read back and started without a mouse, nothing is written the second time, and nothing is found in the result', async ({
  page,
}) => {
  await page.goto(staticPages.stmFlasher);
  await expect(page.getByText('Experimental', { exact: true })).toBeVisible();
  await flashFast(page);
  await page.getByRole('button', { name: 'Try the Demo STM32F407' }).focus();
  await page.keyboard.press('Enter');
  await expect(board(page)).toContainText('Product ID 0x413');
  await expect(await openFacts(page)).toContainText('4 × 16 KB');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Use demo firmware' }).click();
  await expect(plan(page)).toContainText('Write 1 file, 8.0 KB');
  await writeByKeyboard(page);
  await expect(monitor(page)).toContainText('Hello from the program that you have just flashed.');
  const download = page.waitForEvent('download');
  await choose(page.getByRole('button', { name: 'More actions' }), 'Save receipt');
  const receipt = await readFile(await (await download).path(), 'utf8');
  expect(receipt).toMatch(/^unique id [\dA-F]{24}$/m);
  expect(receipt).toMatch(/^flash {4}0x08000000 8192 bytes read back, SHA-256 [\da-f]{64}$/m);
  await expect(result(page)).toContainText('The board restarted and is talking.');
  await page.getByRole('button', { name: 'Flash again' }).click();
  await expect(result(page)).toContainText('Nothing to write');
  expect(await findings(page)).toEqual([]);
});

test('a release for STM32 opens here and is written, on a demo board without being counted; one for others is led away', async ({
  page,
}) => {
  await page.goto('/');
  await signIn(page, 'maker');
  const owner = await ownerOn(page);
  const name = uniqueName('Boiler ');
  const project = await owner.newProject(name, { deviceFamily: 'stm', deviceModel: 'stm32f' });
  try {
    const file = { name: 'boiler.bin', offset: flashStart, bytes: program(4 * kibibyte) };
    const version = await owner.newVersion(project, '1.0.0', [file]);
    await owner.setPublic(project, true);
    await owner.setPublic(version, true);
    await page.goto(releasePath('version', version.shareId));
    const release = page.getByRole('main');
    await expect(release.getByText('Experimental', { exact: true })).toBeVisible();
    await expect(release).toContainText('Flashing STM32 boards is experimental: keep another way to flash yours.');
    await release.getByText('What is written').click();
    await expect(release).toContainText('0x08000000');
    await expect(release).not.toContainText(/ESP|Arduino|Nordic|partition/);
    await page.goto((await page.getByRole('link', { name: 'Install', exact: true }).getAttribute('href')) ?? '');
    await expect(page.getByText(`From release ${name} 1.0.0`)).toBeVisible();
    await page.getByRole('button', { name: 'Files and settings' }).click();
    await flashFast(page);
    await connectStmDemo(page, 'Demo STM32G071');
    await expect(plan(page)).toContainText('This firmware is meant for STM32F. This board has STM32G');
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await connectStmDemo(page);
    let reports = 0;
    page.on('request', (request) => {
      reports += request.url().endsWith('/flashes') ? 1 : 0;
    });
    await writeButton(page).click();
    await expect(monitor(page)).toContainText(greeting);
    expect(reports).toBe(0);
    await page.goto(`${staticPages.espFlasher}?type=version&id=${version.shareId}`);
    await expect(page.getByText(`${name} is for STM32.`)).toBeVisible();
  } finally {
    await owner.remove(project);
  }
  await page.goto(`${staticPages.stmFlasher}?type=version&id=${demoReleaseId}`);
  await page.getByRole('link', { name: 'Open it in the flasher for Espressif chips' }).click();
  await expect(page.getByText('From release Wirebench demo 1.0.0')).toBeVisible();
});
