/** The STM32 flasher with simulated boards, over UART and USB: what a newcomer sees, and what must hold when a cable is pulled. */
import { readFile } from 'node:fs/promises';
import { demoReleaseId, releasePath, staticPages } from '@wirebench/contract';
import { expect, test } from '../support/test.ts';
import { expectToast } from '../support/toasts.ts';
import { uniqueName } from '../support/unique-name.ts';
import {
  board,
  chooseFile,
  monitor,
  plan,
  result,
  unplugMidWrite,
  writeButton,
  writeByKeyboard,
} from './flasher-steps.ts';
import { ownerOn } from './release-steps.ts';
import { signIn } from './sign-in-steps.ts';
import { connectStmDemo, flashFast, flashStart, greeting, program } from './stm-flasher-steps.ts';

const kibibyte = 1_024;

/** One data record of Intel HEX, and what ends the file. */
function intelHex(address: number, data: readonly number[]): Buffer {
  const record = (bytes: readonly number[]) => {
    const sum = (0x100 - (bytes.reduce((total, byte) => total + byte, 0) & 0xff)) & 0xff;
    return `:${Buffer.from([...bytes, sum])
      .toString('hex')
      .toUpperCase()}`;
  };
  const upper = [2, 0, 0, 4, (address >>> 24) & 0xff, (address >>> 16) & 0xff];
  const content = [data.length, (address >>> 8) & 0xff, address & 0xff, 0, ...data];
  return Buffer.from([record(upper), record(content), record([0, 0, 0, 1])].join('\n'));
}

test('the Demo STM32F407 is flashed, read back and started, and nothing is written the second time', async ({
  page,
}) => {
  await page.goto(staticPages.stmFlasher);
  await expect(page.getByText('Experimental', { exact: true })).toBeVisible();
  await flashFast(page);
  await page.getByRole('button', { name: 'Try the Demo STM32F407' }).click();
  await expect(board(page)).toContainText('Product ID 0x413');
  await expect(board(page)).toContainText('4 × 16 KB');
  await page.getByRole('button', { name: 'Use demo firmware' }).click();
  await expect(plan(page)).toContainText('8.0 KB to write.');
  await writeButton(page).click();
  await expect(result(page)).toContainText('Written and verified');
  await expect(monitor(page)).toContainText('Hello from the program that you have just flashed.');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save receipt' }).click();
  const receipt = await readFile(await (await download).path(), 'utf8');
  expect(receipt).toMatch(/^unique id [\dA-F]{24}$/m);
  expect(receipt).toMatch(/^flash {4}0x08000000 8192 bytes read back, SHA-256 [\da-f]{64}$/m);
  await expect(result(page)).toContainText('The board restarted and is talking.');
  await page.getByRole('button', { name: 'Flash again' }).click();
  await expect(result(page)).toContainText('Nothing to write');
});

test('what is no program for an STM32 is refused before the erase', async ({ page }) => {
  await page.goto(staticPages.stmFlasher);
  await chooseFile(page, 'esp-app.bin', Buffer.alloc(2 * kibibyte, 0xe9));
  await connectStmDemo(page);
  await expect(page.getByText('"esp-app.bin" is not a program for an STM32')).toBeVisible();
  await expect(page.getByText('Fix this to continue.')).toBeVisible();
  await expect(writeButton(page)).toBeDisabled();
  await page.getByRole('textbox', { name: 'Address of esp-app.bin' }).fill('0x080FFC00');
  await expect(page.getByText('"esp-app.bin" ends at 0x8100400', { exact: false })).toBeVisible();
  await expect(writeButton(page)).toBeDisabled();
});

test('Intel HEX goes where it says, and nobody types an address', async ({ page }) => {
  await page.goto(staticPages.stmFlasher);
  await flashFast(page);
  await chooseFile(page, 'settings.hex', intelHex(flashStart + 0xc010, [1, 2, 3, 4]));
  await expect(page.getByRole('cell', { name: '0x0800C010' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Address of settings.hex' })).toHaveCount(0);
  await connectStmDemo(page);
  await expect(plan(page)).toContainText('Read and written back');
  await writeButton(page).click();
  await expect(result(page)).toContainText('4 B written');
});

test('a plug that is pulled in mid-write costs only the rest', async ({ page }) => {
  await page.goto(staticPages.stmFlasher);
  await chooseFile(page, 'boiler.bin', program(16 * kibibyte));
  await connectStmDemo(page, 'Demo STM32G071');
  await unplugMidWrite(page, 30);
  await expect(result(page)).toContainText(/[\d.]+ KB was already there/);
  await expect(monitor(page)).toContainText(greeting);
});

test('over USB a part is written, and started by its bootloader', async ({ page }) => {
  await page.goto(staticPages.stmFlasher);
  await chooseFile(page, 'boiler.bin', program(8 * kibibyte));
  await connectStmDemo(page, 'Demo STM32F407 over USB');
  await expect(board(page)).toContainText('STM32F2 or F4');
  await writeButton(page).click();
  await expect(result(page)).toContainText('Written and verified');
  await expect(result(page)).toContainText('Set BOOT0 low again');
  await expect(monitor(page)).toHaveCount(0);
});

test('lines that are wired another way are found by choosing, without touching the board', async ({ page }) => {
  await page.goto(staticPages.stmFlasher);
  const entry = page.getByRole('combobox', { name: 'Starting the bootloader' });
  await entry.selectOption('RTS to reset, DTR to BOOT0');
  await page.getByRole('button', { name: 'Try the Demo STM32F407' }).click();
  const remedy = page.getByRole('alert', { name: 'The board did not enter its bootloader' });
  await expect(remedy.getByRole('img', { name: /BOOT0 and 3.3 volts/ })).toBeVisible();
  await remedy.getByRole('combobox', { name: 'Starting the bootloader' }).selectOption('DTR to reset, RTS to BOOT0');
  await remedy.getByRole('button', { name: 'Reset again' }).click();
  await expect(board(page)).toContainText('Chip detected');
});

test('read protection is removed only after the name of the part was typed', async ({ page }) => {
  await page.goto(staticPages.stmFlasher);
  await chooseFile(page, 'boiler.bin', program(2 * kibibyte));
  await connectStmDemo(page, 'Demo STM32F103, read-protected');
  await expect(plan(page)).toContainText('The flash of this board is read-protected');
  await expect(writeButton(page)).toBeDisabled();
  await page.getByRole('button', { name: 'Remove read protection…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('yes');
  await dialog.getByRole('button', { name: 'Erase everything' }).click();
  await expect(dialog.getByText("Confirmation text doesn't match")).toBeVisible();
  await dialog.getByRole('textbox').fill('STM32F10x medium-density');
  await dialog.getByRole('button', { name: 'Erase everything' }).click();
  await expect(board(page)).toContainText('128 KB');
  await expect(page.getByRole('table', { name: /Option bytes/ })).toContainText('Not protected');
  await writeButton(page).click();
  await expect(result(page)).toContainText('Written and verified');
  await expect(monitor(page)).toContainText(greeting);
});

test('a sector is read to a file, and erased after a question that names all of it', async ({ page }) => {
  await page.goto(staticPages.stmFlasher);
  await flashFast(page);
  await connectStmDemo(page);
  const contents = page.getByRole('region', { name: 'On the board' });
  await contents.getByRole('textbox', { name: 'Length' }).fill('0x4000');
  const download = page.waitForEvent('download');
  await contents.getByRole('button', { name: 'Read to a file' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^[\dA-F]{24}-region-0x08000000\.bin$/);
  expect((await readFile(await file.path())).length).toBe(16 * kibibyte);
  await contents.getByRole('textbox', { name: 'From' }).fill('0x08020000');
  await contents.getByRole('button', { name: 'Erase…' }).click();
  await expect(page.getByRole('dialog')).toContainText('0x08020000 to 0x0803FFFF');
  await page.getByRole('dialog').getByRole('button', { name: 'Erase', exact: true }).click();
  await expectToast(page, '0x08020000 to 0x0803FFFF erased');
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
    await expect(release).toContainText('An STM32F board connected by a USB data cable or a USB serial adapter');
    await expect(release).toContainText('Close STM32CubeProgrammer and serial monitors');
    await expect(release).toContainText('0x08000000');
    await expect(release).not.toContainText(/ESP|Arduino|Nordic|partition/);
    await page.getByRole('link', { name: 'Flash this version' }).click();
    await expect(page.getByText(`From release ${name} 1.0.0`)).toBeVisible();
    await flashFast(page);
    await connectStmDemo(page, 'Demo STM32G071');
    await expect(
      page.getByText('This firmware is meant for STM32F. This board has STM32G', { exact: false }),
    ).toBeVisible();
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

test('a flash needs no mouse', async ({ page }) => {
  await page.goto(staticPages.stmFlasher);
  await flashFast(page);
  await chooseFile(page, 'boiler.bin', program(2 * kibibyte));
  await page.getByRole('button', { name: 'Try the Demo STM32F407' }).focus();
  await page.keyboard.press('Enter');
  await writeByKeyboard(page);
});

test('a browser without Web Serial and WebUSB shows a notice, and has the demo', async ({ page }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(Navigator.prototype, 'serial');
    Reflect.deleteProperty(Navigator.prototype, 'usb');
  });
  await page.goto(staticPages.stmFlasher);
  await expect(
    page.getByText('Web Serial API not supported in this browser. Please use Chrome or Edge (version 89+).'),
  ).toBeVisible();
  await expect(page.getByText('The USB bootloader needs a browser with WebUSB')).toBeVisible();
  await page.getByRole('button', { name: 'Try the Demo STM32F407' }).click();
  await expect(board(page)).toContainText('Chip detected');
});
