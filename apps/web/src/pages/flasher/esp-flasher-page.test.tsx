/** Tests the Espressif flasher's page with a simulated ESP32: its demo firmware, refusals, and backups. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { says } from '../../workbench/testing/reading.ts';
import { savedBy } from '../../workbench/testing/saved-files.ts';
import { withWholePages } from '../../workbench/testing/whole-page.tsx';
import { noise } from '../../worker/flasher/testing/noise.ts';
import {
  addFile,
  chooseFile,
  chooseOnBoard,
  connectDemo,
  eraseAll,
  expectNoWrite,
  field,
  fill,
  monitor,
  openFlasher,
  openPartition,
  openSettings,
  plan,
  press,
  result,
  resultSays,
  write,
} from './testing/flasher-steps.ts';

withWholePages();

it('the Demo ESP32 is flashed with its demo firmware, and what it says is saved', async () => {
  await openFlasher('esp');
  await connectDemo();
  await press('Use demo firmware');
  await press('Change offsets');
  expect((await field('Offset of wirebench-demo-esp32.bin')).value).toBe('0x10000');
  expect((await field('Offset of bootloader.bin')).value).toBe('0x1000');
  expect((await field('Offset of partition-table.bin')).value).toBe('0x8000');
  await screen.findByText('The ELF file is for looking up crash addresses', { exact: false });
  expect(screen.queryByRole('button', { name: 'Use demo firmware' })).toBeNull();
  await write();
  await resultSays(/The board restarted and (is talking|runs wirebench-demo 2\.0\.0)\./);
  await says(monitor, 'Hello from the program that you have just flashed.');
  const { bytes } = await savedBy(() => press('Save the monitor’s log'));
  expect(new TextDecoder().decode(bytes)).toContain('Hello from the program that you have just flashed.');
});

it('a Demo ESP32 that was erased is brought back by its demo firmware', async () => {
  await openFlasher('esp');
  await connectDemo();
  await eraseAll();
  await press('Use demo firmware');
  await write();
  await resultSays('wirebench-demo 2.0.0');
  await says(monitor, 'app_init: App version:      2.0.0');
  await says(monitor, 'Hello from the program that you have just flashed.');
  expect(monitor().textContent).not.toContain('invalid header');
});

it('files that overlap are not written', async () => {
  await openFlasher('esp');
  await addFile('one.bin', noise(0x5400), '0x0');
  await addFile('two.bin', noise(0x1000), '0x5000');
  await screen.findByText('Overlaps one.bin');
  await screen.findByText('Fix the overlap and connect a board');
  expectNoWrite();
  await fill('Offset of two.bin', '0x6000');
  await screen.findByText('Connect a board to write 2 files');
});

it('a file that is too large is refused before the erase', async () => {
  await openFlasher('esp');
  await addFile('storage.bin', noise(0x3000), '0x3fe000');
  await connectDemo();
  await screen.findByText(/storage\.bin.* ends at .* the flash of this board ends at/);
  await says(plan, 'Not possible');
  expectNoWrite();
});

it('a browser without Web Serial shows a notice, and has the demo', async () => {
  Reflect.deleteProperty(navigator, 'serial');
  await openFlasher('esp');
  await screen.findByText('Web Serial API not supported in this browser. Please use Chrome or Edge (version 89+).', {
    exact: false,
  });
  await connectDemo();
});

it('a partition is read to a file, and erased as a change of the plan', async () => {
  await openFlasher('esp');
  await connectDemo();
  await openPartition('nvs');
  const { name, bytes } = await savedBy(() => press('Back up'));
  expect(name).toMatch(/^[\da-f]{12}-nvs-0x9000\.bin$/);
  expect(bytes.length).toBe(0x4000);
  await chooseOnBoard('More about nvs', 'Erase nvs');
  const beside = within(await screen.findByRole('complementary', { name: 'Plan of the changes' }));
  await beside.findByText('0x9000 to 0xCFFF erased');
  await press('Undo nvs');
  await waitFor(() => expect(beside.queryByText('0x9000 to 0xCFFF erased')).toBeNull());
  await chooseOnBoard('More about nvs', 'Erase nvs');
  await write();
  await screen.findByRole('region', { name: 'Result' });
  await press('Connect again');
  await says(() => screen.getByRole('button', { name: /^nvs/ }), 'Empty');
});

it('stored settings that were backed up go back where they came from', async () => {
  await openFlasher('esp');
  await connectDemo();
  await openPartition('nvs');
  const { name, bytes } = await savedBy(() => press('Back up'));
  await chooseFile(name, bytes);
  await press('Change offsets');
  expect((await field(`Offset of ${name}`)).value).toBe('0x9000');
  await says(plan, 'choose not to keep the settings stored on the board');
  await openSettings();
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Keep the settings stored on the board (NVS)' }));
  await write();
  await screen.findByRole('region', { name: 'Result' });
  await press('Flash again');
  await resultSays('Nothing to write');
});

it('a file and a change to the same sectors are refused', async () => {
  await openFlasher('esp');
  await connectDemo();
  await chooseOnBoard('More about what is on the board', 'Erase all 4 MB');
  await chooseFile('board-data-0x200000.bin', noise(0x2000));
  await says(plan, 'and the change to "whole flash" are both written at 0x200000');
  expectNoWrite();
});

it('an app alone on an erased board is written, but not said to run', async () => {
  await openFlasher('esp');
  await connectDemo();
  await eraseAll();
  await addFile('storage.bin', noise(0x2000), '0x200000');
  await write();
  await resultSays('Written and verified');
  const said = await screen.findByText('The board does not start: the flash is empty where its bootloader should be.');
  const trouble = said.closest('[role=alert]');
  expect(trouble?.textContent).toContain('Write the complete set: bootloader, partition table and app.');
  expect(result().textContent).not.toMatch(/runs|is talking/);
});
