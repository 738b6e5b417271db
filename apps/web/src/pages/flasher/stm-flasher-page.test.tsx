/** Tests the STM32 flasher's page with simulated boards, over UART and USB: refusals, and boards that are unplugged. */
import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { stmFirmware } from '@wirebench/devices';
import { afterEach, expect, it } from 'vitest';
import { says } from '../../workbench/testing/reading.ts';
import { savedBy } from '../../workbench/testing/saved-files.ts';
import { theBench, withWholePages } from '../../workbench/testing/whole-page.tsx';
import {
  board,
  chooseFile,
  connectOther,
  eraseInDialog,
  expectNoWrite,
  fill,
  monitor,
  openFlasher,
  openSettings,
  plan,
  press,
  remedy,
  resultSays,
  unplugMidWrite,
  write,
} from './testing/flasher-steps.ts';

withWholePages();
afterEach(() => Reflect.deleteProperty(navigator, 'usb'));

const kibibyte = 1_024;
const flashStart = 0x0800_0000;
const greeting = 'Hello from the boiler room.';

/** Returns a program that prints its greeting when it runs. */
const program = (size: number) => Uint8Array.from(stmFirmware({ text: `${greeting}\r\n`, size }));

const connectStmDemo = (name = 'Demo STM32F407') => connectOther(name);

/** Selects the highest rate that the bootloaders support. */
async function flashFast(): Promise<void> {
  await openSettings();
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Baud' }), '921600');
}

/** Returns an Intel HEX file with one data record. */
function intelHex(address: number, data: readonly number[]): Uint8Array<ArrayBuffer> {
  const record = (bytes: readonly number[]) => {
    const sum = (0x100 - (bytes.reduce((total, byte) => total + byte, 0) & 0xff)) & 0xff;
    const digits = [...bytes, sum].map((byte) => byte.toString(16).padStart(2, '0'));
    return `:${digits.join('').toUpperCase()}`;
  };
  const upper = [2, 0, 0, 4, (address >>> 24) & 0xff, (address >>> 16) & 0xff];
  const content = [data.length, (address >>> 8) & 0xff, address & 0xff, 0, ...data];
  return new TextEncoder().encode([record(upper), record(content), record([0, 0, 0, 1])].join('\n'));
}

it('a file that is not a program for an STM32 is refused before the erase', async () => {
  await openFlasher('stm');
  await chooseFile('esp-app.bin', new Uint8Array(2 * kibibyte).fill(0xe9));
  await connectStmDemo();
  await screen.findByText('"esp-app.bin" is not a program for an STM32', { exact: false });
  await says(plan, 'Not possible');
  expectNoWrite();
  await press('Change addresses');
  await fill('Address of esp-app.bin', '0x080FFC00');
  await screen.findByText('"esp-app.bin" ends at 0x08100400', { exact: false });
  expectNoWrite();
});

it('Intel HEX is written to its own address without an entry', async () => {
  await openFlasher('stm');
  await flashFast();
  await chooseFile('settings.hex', intelHex(flashStart + 0xc010, [1, 2, 3, 4]));
  await screen.findByRole('cell', { name: '0x0800C010' });
  expect(screen.queryByRole('textbox', { name: 'Address of settings.hex' })).toBeNull();
  await connectStmDemo();
  await says(() => document.body, 'Read and written back');
  await write();
  await resultSays('4 B written');
});

it('a plug that is pulled in mid-write costs only the rest', async () => {
  await openFlasher('stm');
  await connectStmDemo('Demo STM32G071');
  await chooseFile('boiler.bin', program(16 * kibibyte));
  await unplugMidWrite(30);
  await resultSays(/[\d.]+ KB was already there/);
  await says(monitor, greeting);
});

it('over USB a part is written, and started by its bootloader', async () => {
  await openFlasher('stm');
  await chooseFile('boiler.bin', program(8 * kibibyte));
  await connectStmDemo('Demo STM32F407 over USB');
  await says(board, 'STM32F2 or F4');
  await write();
  await resultSays('Written and verified');
  await screen.findByText('Set BOOT0 low again', { exact: false });
  expect(screen.queryByRole('log', { name: 'Monitor' })).toBeNull();
});

it('lines that are wired another way are found by choosing, without touching the board', async () => {
  await openFlasher('stm');
  expect(screen.queryByRole('combobox', { name: 'Starting the bootloader' })).toBeNull();
  await openSettings();
  const entry = await screen.findByRole('combobox', { name: 'Starting the bootloader' });
  await userEvent.selectOptions(entry, 'RTS to reset, DTR to BOOT0');
  await press('Try the Demo STM32F407');
  const name = 'The board did not enter its bootloader';
  const steps = within(await screen.findByRole('group', { name }));
  const answer = within(screen.getByRole('region', { name: 'Failure' }));
  await steps.findByRole('img', { name: /BOOT0 and 3.3 volts/ });
  await userEvent.selectOptions(
    await answer.findByRole('combobox', { name: 'Starting the bootloader' }),
    'DTR to reset, RTS to BOOT0',
  );
  await press('Reset again');
  await says(board, 'Ready');
});

it('read protection is removed only after the name of the part was typed', async () => {
  await openFlasher('stm');
  await chooseFile('boiler.bin', program(2 * kibibyte));
  await connectStmDemo('Demo STM32F103, read-protected');
  await says(plan, 'The flash of this board is read-protected');
  expectNoWrite();
  await press('Remove read protection…');
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.change(await dialog.findByRole('textbox'), { target: { value: 'yes' } });
  await press('Erase everything');
  await dialog.findByText("Confirmation text doesn't match");
  fireEvent.change(await dialog.findByRole('textbox'), { target: { value: 'STM32F10x medium-density' } });
  await press('Erase everything');
  await says(board, '128 KB');
  await press('On the board');
  await says(() => screen.getByRole('table', { name: /Option bytes/ }), 'Not protected');
  await write();
  await resultSays('Written and verified');
  await says(monitor, greeting);
});

it('the question about read protection stays while files are compared', async () => {
  await openFlasher('stm');
  await connectStmDemo('Demo STM32F103, read-protected');
  await press('Remove read protection…');
  await screen.findByRole('dialog', { name: 'Remove read protection?' });
  theBench().runs = false;
  await chooseFile('boiler.bin', program(2 * kibibyte));
  await says(() => document.body, 'Comparing');
  screen.getByRole('dialog', { name: 'Remove read protection?' });
  theBench().runs = true;
  await says(() => document.body, 'The flash of this board is read-protected');
  screen.getByRole('dialog', { name: 'Remove read protection?' });
});

it('a sector is read to a file, and erased after a question that names all of it', async () => {
  await openFlasher('stm');
  await flashFast();
  await connectStmDemo();
  await fill('Length', '0x4000');
  const { name, bytes } = await savedBy(() => press('Read to a file'));
  expect(name).toMatch(/^stm32f405-[a-z\d-]+-\d{4}-\d{2}-\d{2}-\d{4}-region-0x0?8000000\.bin$/);
  expect(bytes.length).toBe(16 * kibibyte);
  await fill('From', '0x08020000');
  await press('Erase…');
  await says(() => screen.getByRole('dialog'), '0x08020000 to 0x0803FFFF');
  await eraseInDialog();
  await screen.findByText('0x08020000 to 0x0803FFFF erased');
});

it('a browser without Web Serial and WebUSB shows a notice, and has the demo', async () => {
  Reflect.deleteProperty(navigator, 'serial');
  expect('usb' in navigator).toBe(false);
  await openFlasher('stm');
  await screen.findByText('Web Serial API not supported in this browser. Please use Chrome or Edge (version 89+).', {
    exact: false,
  });
  await screen.findByText('This way needs a browser with WebUSB', { exact: false });
  await press('Try the Demo STM32F407');
  await says(board, 'Ready');
});

it('a browser that refuses USB devices is asked for these, not for serial ports', async () => {
  const requestDevice = () =>
    Promise.reject(new DOMException('Access to the feature "usb" is disallowed.', 'SecurityError'));
  const usb = Object.assign(new EventTarget(), { requestDevice, getDevices: async () => [] });
  Object.defineProperty(navigator, 'usb', { configurable: true, value: usb });
  await openFlasher('stm');
  await press('Choose USB device');
  const name = 'This browser does not let the page open USB devices';
  const card = await screen.findByRole('alert', { name });
  expect(remedy(name).textContent).toContain('Set USB devices to Ask');
  expect(card.textContent).toContain('Nothing on the board was changed.');
  await screen.findByRole('button', { name: 'Choose another device' });
});
