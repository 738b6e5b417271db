/**
 * Faults of a board on the bench, through Chromium's own Web Serial. Its cable is pulled during an instrument's work,
 * another tab asks for it, or it prints without end. Each fault is reported in one place, nothing hangs, and the same
 * board opens again.
 */
import type { Page } from '@playwright/test';
import { esp32BenchPage } from '@wirebench/contract';
import type { EspDevice } from '@wirebench/devices';
import { expect, test } from '../../web-serial/bench-fixture.ts';
import type { PluggedBoard } from '../../web-serial/plugged-board.ts';
import type { VirtualPort } from '../../web-serial/virtual-port.ts';
import { busLog, capture, connectAtLast, connectBoard, findBus, leaveButton, loadProgram } from '../lab-steps.ts';

const WRITE_REG = 0x09;

interface Plugged {
  readonly device: EspDevice;
  readonly port: VirtualPort;
  readonly board: PluggedBoard;
}

const spi = (page: Page) => page.getByRole('region', { name: 'SPI', exact: true });
const registers = (page: Page) => page.getByRole('region', { name: 'Registers', exact: true });
const alerts = (page: Page) => page.getByRole('alert').filter({ visible: true });

/** Pulls the cable when the next list of entries has reached the board, before its answer arrives. */
function pullAtNextWrite({ device, port, board }: Plugged): void {
  const lists = () => device.commands.get(WRITE_REG) ?? 0;
  const before = lists();
  let pulled = false;
  port.on('data', () => {
    if (!pulled && lists() > before) {
      pulled = true;
      board.unplug();
    }
  });
}

/** Checks that the fault is reported once and in one line, then plugs the board in and connects again. */
async function saidAndConnectedAgain(page: Page, board: PluggedBoard): Promise<void> {
  await expect(alerts(page)).toHaveCount(1);
  await expect(alerts(page).getByRole('heading')).toHaveText('The board was unplugged');
  await expect(alerts(page)).toContainText('Plug it back in and connect again.');
  await expect(busLog(page)).toContainText('A board with a supply of its own may still drive its pins');
  board.plug();
  await connectAtLast(page, 'Connect again');
  await expect(alerts(page)).toHaveCount(0);
}

async function leave(page: Page, device: EspDevice): Promise<void> {
  await leaveButton(page).click();
  await expect(busLog(page)).toContainText('The bench has left the board: its pins were released.');
  await expect.poll(() => device.state).toBe('running');
  expect(device.flash.erasedBytes + device.flash.programmedBytes).toBe(0);
}

test('the cable is pulled in the middle of a register write, of a transfer over SPI, and of the wait for a trigger', {
  tag: '@long',
}, async ({ terminal: page, device, port, board }) => {
  await connectBoard(page);
  await expect(leaveButton(page)).toBeVisible();
  await test.step('in the middle of a register write', async () => {
    const flip = async () => {
      await page.getByRole('tab', { name: 'Registers', exact: true }).click();
      await registers(page).getByRole('button', { name: 'Read', exact: true }).click();
      await registers(page).getByRole('button', { name: 'Bit 26', exact: true }).click();
    };
    const write = () => registers(page).getByRole('button', { name: 'Write', exact: true }).click();
    await flip();
    pullAtNextWrite({ device, port, board });
    await write();
    await saidAndConnectedAgain(page, board);
    await flip();
    await write();
    await expect(registers(page)).toContainText('Click a bit to flip it');
    await leave(page, device);
    // Reloads, because the same fault is not reported twice in a session.
    await page.reload();
    await connectAtLast(page, 'Connect');
  });

  await test.step('in the middle of a transfer over SPI', async () => {
    const exchange = async () => {
      await page.getByRole('tab', { name: 'SPI', exact: true }).click();
      await spi(page).getByRole('button', { name: 'Exchange' }).click();
    };
    await exchange();
    await expect(spi(page)).toContainText(/MISO: ([0-9A-F]{2} ?){4}/);
    pullAtNextWrite({ device, port, board });
    await exchange();
    await saidAndConnectedAgain(page, board);
    await exchange();
    await expect(spi(page)).toContainText(/MISO: ([0-9A-F]{2} ?){4}/);
    await leave(page, device);
    // Reloads, because the same fault is not reported twice in a session.
    await page.reload();
    await connectAtLast(page, 'Connect');
  });

  await test.step('while a capture waits for its trigger', async () => {
    const wait = async () => {
      await loadProgram(page);
      await page.getByRole('tab', { name: 'Capture' }).click();
      await capture(page).getByLabel('Begin').selectOption('At an edge');
      await capture(page).getByRole('button', { name: 'Capture', exact: true }).click();
      await expect(capture(page)).toContainText('Waiting for the trigger.');
    };
    await findBus(page, 'SDA 21 SCL 22');
    await wait();
    board.unplug();
    await saidAndConnectedAgain(page, board);
    await findBus(page, 'SDA 21 SCL 22');
    await wait();
    await capture(page).getByRole('button', { name: 'Cancel' }).click();
    await leave(page, device);
  });
});

test('another tab asks for the board: this one says why it has gone, and has it again when the other has left', {
  tag: '@long',
}, async ({ terminal: page, device }) => {
  await connectBoard(page);
  await expect(leaveButton(page)).toBeVisible();
  const second = await page.context().newPage();
  await second.goto(esp32BenchPage);
  await connectBoard(second);
  const busy = second.getByRole('alert').filter({ hasText: 'Port busy' });
  await expect(busy).toContainText('a board on the bench');
  await busy.getByRole('button', { name: 'Ask the other tab to release it' }).click();
  await expect(leaveButton(second)).toBeVisible();
  await expect(busy).toHaveCount(0);
  await expect(alerts(page)).toHaveCount(1);
  await expect(alerts(page).getByRole('heading')).toHaveText(
    'The board was released: another Wirebench tab asked for it',
  );
  await expect(alerts(page)).toContainText('Connect again once that tab has left it.');
  await expect(busLog(page)).toContainText('The bench has left the board: its pins were released.');
  await leave(second, device);
  await connectAtLast(page, 'Connect again');
  await leave(page, device);
});

test.describe('a board whose program prints without an end', () => {
  test.use({ floodedBy: 'program' });

  test('is taken, and prints on when it has been left', async ({ terminal: page, device, flood }) => {
    await expect.poll(() => flood?.lines ?? 0).toBeGreaterThan(200);
    await connectBoard(page);
    await findBus(page, 'SDA 21 SCL 22');
    expect(device.state).toBe('download');
    await leave(page, device);
    const lines = flood?.lines ?? 0;
    await expect.poll(() => flood?.lines ?? 0).toBeGreaterThan(lines);
  });
});

test.describe('a board with something else that prints on its wire', () => {
  test.use({ floodedBy: 'wire' });

  test('is said to print where answers should be, and taken when that has ended', async ({
    terminal: page,
    device,
    flood,
  }) => {
    if (flood === null) {
      throw new Error('Nobody prints.');
    }
    flood.isOn = false;
    await connectBoard(page);
    await expect(leaveButton(page)).toBeVisible();
    flood.isOn = true;
    await expect(alerts(page)).toContainText('The board prints text where its answers should be');
    await expect(alerts(page)).toContainText('something else on the board uses the same wire');
    flood.isOn = false;
    await connectAtLast(page, 'Connect again');
    await findBus(page, 'SDA 21 SCL 22');
    await leave(page, device);
  });
});
