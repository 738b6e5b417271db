/**
 * The STM32 flasher through Chromium's own Web Serial, on a pseudo-terminal with a simulated part, its reset and its
 * BOOT0. The tests compare the part's flash.
 */
import { staticPages } from '@wirebench/contract';
import { expect, test } from '../../web-serial/stm-fixture.ts';
import { board, chooseFile, failure, monitor, remedy, result, writeButton } from '../flasher-steps.ts';
import { flashFast, flashStart, greeting, program } from '../stm-flasher-steps.ts';

const size = 8_192;

test.use({ start: staticPages.stmFlasher });

test.describe('a part whose adapter drives reset and BOOT0', () => {
  test.use({ part: { part: 'stm32f407' } });

  test('is recognised, written, read back and started', async ({ terminal: page, device, board: plugged }) => {
    const bytes = program(size);
    await flashFast(page);
    await chooseFile(page, 'boiler.bin', bytes);
    await page.getByRole('button', { name: 'Connect a board', exact: true }).click();
    await expect(board(page)).toContainText('Ready');
    await expect(board(page)).toContainText(device.uniqueId);
    expect(plugged.baudRate).toBe(921_600);
    await writeButton(page).click();
    await expect(result(page)).toContainText('Written and verified');
    expect(bytes.equals(device.readMemory(flashStart, size))).toBe(true);
    await expect(monitor(page)).toContainText(greeting);
    await expect.poll(() => device.state).toBe('running');
    expect(plugged.baudRate).toBe(115_200);
  });
});

test.describe('a part whose BOOT0 is set by hand', () => {
  test.use({ part: { part: 'stm32g071', wiring: 'by-hand', adapter: 'cp210x' } });

  test('is written after the user has set BOOT0, and is started by its bootloader', async ({
    terminal: page,
    device,
  }) => {
    const bytes = program(size);
    await flashFast(page);
    await chooseFile(page, 'boiler.bin', bytes);
    await page.getByRole('combobox', { name: 'Starting the bootloader' }).selectOption('manual');
    await page.getByRole('button', { name: 'Connect a board', exact: true }).click();
    await expect(remedy(page, 'The board did not enter its bootloader')).toContainText('Press RESET once');
    device.setBoot0(true);
    device.pressReset();
    await failure(page).getByRole('button', { name: 'Try without DTR and RTS' }).click();
    await expect(board(page)).toContainText('Ready');
    await writeButton(page).click();
    await expect(result(page)).toContainText('Written and verified');
    await expect(page.getByText('Set BOOT0 low again')).toBeVisible();
    expect(bytes.equals(device.readMemory(flashStart, size))).toBe(true);
    await expect.poll(() => device.state).toBe('running');
  });
});
