/** The Arduino flasher with simulated boards: from the Blink demo, a file or a release to the result. */
import { readFile } from 'node:fs/promises';
import { releasePath } from '@wirebench/boards';
import { staticPages } from '@wirebench/contract';
import { firstUnlessLong } from '@wirebench/test-input';
import { findings } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';
import { uniqueName } from '../support/unique-name.ts';
import { connectAvrDemo, greeting, sketch } from './avr-flasher-steps.ts';
import { board, monitor, openFacts, plan, result, writeButton, writeByKeyboard } from './flasher-steps.ts';
import { choose } from './menu-steps.ts';
import { ownerOn } from './release-steps.ts';
import { signIn } from './sign-in-steps.ts';

const demos = [
  { name: 'Demo Uno', part: 'ATmega328P', facts: ['optiboot', '115200'] },
  { name: 'Demo Mega 2560', part: 'ATmega2560', facts: ['256 KB', '115200'] },
  { name: 'Demo Leonardo', part: 'ATmega32U4', facts: ['28 KB for the sketch'] },
  { name: 'Demo Nano, old bootloader', part: 'ATmega328P', facts: ['57600, old bootloader'] },
] as const;

for (const { name, part, facts } of firstUnlessLong(demos, 3)) {
  test(`the ${name} is flashed with Blink without a mouse, read back, and heard in the monitor`, async ({ page }) => {
    await page.goto(staticPages.avrFlasher);
    await expect(page.getByText('Experimental', { exact: true })).toBeVisible();
    await connectAvrDemo(page, name);
    await expect(board(page)).toContainText(part);
    const card = await openFacts(page);
    for (const fact of facts) {
      await expect(card).toContainText(fact);
    }
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Use demo firmware' }).click();
    await expect(plan(page)).toContainText('Write 1 file, 12.0 KB');
    await writeByKeyboard(page);
    await expect(monitor(page)).toContainText('Hello from the sketch that you have just flashed.');
    await expect(result(page)).toContainText('The board restarted and is talking.');
  });
}

test('the receipt says that the sketch was read back, a second flash writes nothing, and nothing is found in the result', async ({
  page,
}) => {
  await page.goto(staticPages.avrFlasher);
  await page.getByRole('button', { name: 'Try the Demo Uno' }).click();
  await page.getByRole('button', { name: 'Use demo firmware' }).click();
  await writeButton(page).click();
  await expect(result(page)).toContainText('Written and verified');
  const download = page.waitForEvent('download');
  await choose(page.getByRole('button', { name: 'More actions' }), 'Save receipt');
  const receipt = await readFile(await (await download).path(), 'utf8');
  expect(receipt).toMatch(/^board {4}ATmega328P, demo board$/m);
  expect(receipt).toMatch(/^unique id unknown$/m);
  expect(receipt).toMatch(/^flash {4}0x0 12288 bytes read back, SHA-256 [\da-f]{64}$/m);
  await page.getByRole('button', { name: 'Flash again' }).click();
  await expect(result(page)).toContainText('Nothing to write');
  expect(await findings(page)).toEqual([]);
});

test('a release for an Uno opens here, is written to a board with its chip, and is refused for another', async ({
  page,
}) => {
  await page.goto('/');
  await signIn(page, 'maker');
  const owner = await ownerOn(page);
  const name = uniqueName('Greenhouse ');
  const project = await owner.newProject(name, { deviceFamily: 'avr', deviceModel: 'uno' });
  try {
    const file = { name: 'greenhouse.ino.hex', offset: 0, bytes: sketch(2_048) };
    const version = await owner.newBuilds(project, '1.0.0', [{ deviceModel: 'uno', files: [file] }]);
    await owner.setPublic(project, true);
    await owner.setPublic(version, true);
    await page.goto(releasePath('version', version.shareId));
    const release = page.getByRole('main');
    await expect(release.getByText('Experimental', { exact: true })).toBeVisible();
    await expect(release).toContainText('Arduino Uno');
    await page.goto((await page.getByRole('link', { name: 'Install', exact: true }).getAttribute('href')) ?? '');
    await expect(page.getByText(`From release ${name} 1.0.0`)).toBeVisible();
    await connectAvrDemo(page, 'Demo Mega 2560');
    await expect(plan(page)).toContainText('This board is an ATmega2560, but the release is for Arduino Uno');
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await connectAvrDemo(page, 'Demo Nano, old bootloader');
    await writeButton(page).click();
    await expect(monitor(page)).toContainText(greeting);
  } finally {
    await owner.remove(project);
  }
});
