/**
 * Tests the Nordic flasher's page with a simulated board for each bootloader: refusals, and steps that a user must do
 * by hand.
 */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { nrfFirmware } from '@wirebench/devices';
import { expect, it } from 'vitest';
import { firstOf, says } from '../../workbench/testing/reading.ts';
import { withWholePages } from '../../workbench/testing/whole-page.tsx';
import {
  board,
  chooseFile,
  connectOther,
  expectNoWrite,
  monitor,
  openFlasher,
  plan,
  press,
  remedy,
  result,
  resultSays,
  unplugMidWrite,
  write,
} from './testing/flasher-steps.ts';

withWholePages();

const demos = {
  'Demo nRF52840': 'Secure DFU (nRF5 SDK)',
  'Demo Feather nRF52840': 'Adafruit nRF52',
  'Demo nRF52840 with MCUboot': 'MCUboot (nRF Connect SDK)',
} as const;

/** Connects a demo board, and waits until it is in its bootloader. */
async function connectNrfDemo(label: keyof typeof demos): Promise<void> {
  await connectOther(label);
  await says(board, demos[label]);
}

async function addFirmware(options: Parameters<typeof nrfFirmware>[0]): Promise<void> {
  const { name, bytes } = nrfFirmware(options);
  await chooseFile(name, Uint8Array.from(bytes));
}

/** Returns the element with `text`, once it is not inside closed details. */
async function readable(text: string): Promise<HTMLElement> {
  const found = await screen.findByText(text, { exact: false });
  await waitFor(() => expect(found.closest('details:not([open]) > :not(summary)')).toBeNull());
  return found;
}

it('a Feather is asked into its bootloader, and its report claims no more than was proven', async () => {
  await openFlasher('nrf');
  await connectNrfDemo('Demo Feather nRF52840');
  await addFirmware({ board: 'feather-nrf52840', size: 16_384 });
  await says(() => document.body, 'cannot resume after an interruption');
  await write();
  await resultSays('Written and verified');
  await says(monitor, 'demo firmware version 2');
  await press('Flash again');
  await screen.findByRole('region', { name: 'Progress' });
  await resultSays('Written and verified');
  await resultSays('The board restarted and is talking.');
});

it('MCUboot lists its slots, takes a signed image, and recognises it', async () => {
  await openFlasher('nrf');
  await connectNrfDemo('Demo nRF52840 with MCUboot');
  await says(() => screen.getByRole('region', { name: 'On the board' }), 'Slot 0');
  await press('Use demo firmware');
  await screen.findByText('Application for MCUboot, version 2.0.0+0, signed', { exact: false });
  await write();
  await resultSays('Written and verified');
  await says(monitor, 'demo firmware version 2');
  await press('Flash again');
  const failure = () => remedy('Nothing was received from this port');
  await waitFor(() => within(failure()).getByRole('img', { name: /RESET is pressed twice/ }));
  await says(failure, 'Unplug the demo board and plug it in again');
  await press('Unplug the demo');
  await userEvent.click(firstOf(await screen.findAllByRole('button', { name: 'Plug in again' })), { delay: null });
  await userEvent.click(await within(failure()).findByRole('button', { name: 'Try again' }), { delay: null });
  await says(plan, 'is already there: nothing needs to be written.');
});

it('a Nordic board that waits for a hand says so, and the page has a button for that on a demo board', async () => {
  await openFlasher('nrf');
  await connectNrfDemo('Demo nRF52840 with MCUboot');
  await press('Use demo firmware');
  await write();
  await screen.findByText('To flash it again, start its bootloader first', { exact: false });
  await press('Flash again');
  await press('Replug it with its button held');
  await says(board, 'Ready');
  await says(plan, 'is already there: nothing needs to be written.');
});

it('a package for another bootloader is refused before anything is sent', async () => {
  await openFlasher('nrf');
  await connectNrfDemo('Demo Feather nRF52840');
  await addFirmware({ board: 'nrf52840-secure' });
  await says(plan, "The board has Adafruit's bootloader");
  await says(plan, 'Not possible');
  expectNoWrite();
});

it('firmware for other hardware is refused by the bootloader before it erases', async () => {
  await openFlasher('nrf');
  await connectNrfDemo('Demo nRF52840');
  await addFirmware({ board: 'nrf52840-secure', hardwareVersion: 57 });
  await write();
  const refusal = () => screen.getByRole('alert', { name: 'This firmware was built for another hardware version' });
  await says(refusal, 'Nothing on the board was changed.');
  await press('Remove this package');
  await screen.findByText(/^Drop a DFU package/);
});

it('a plain program and a UF2 file are explained, not written', async () => {
  await openFlasher('nrf');
  const uf2 = new DataView(new ArrayBuffer(512));
  uf2.setUint32(0, 0x0a324655, true);
  uf2.setUint32(4, 0x9e5d5157, true);
  // One block of 256 bytes at 0x26000, for an nRF52840 (microsoft/uf2, README).
  uf2.setUint32(8, 0x2000, true);
  uf2.setUint32(12, 0x2_6000, true);
  uf2.setUint32(16, 256, true);
  uf2.setUint32(24, 1, true);
  uf2.setUint32(28, 0xada5_2840, true);
  uf2.setUint32(508, 0x0ab16f30, true);
  await chooseFile('app.uf2', new Uint8Array(uf2.buffer));
  await readable("copied to the board's drive");
  await readable('it fits SoftDevice S140 6.x');
  await readable('a drive with INFO_UF2.TXT appears');
  await readable('Copy the file there; the board restarts automatically.');
  // The ways into the bootloader come with the first connection that fails.
  expect(screen.queryByText('Starting the bootloader')).toBeNull();
});

it('a plug that is pulled in mid-write costs only the rest', async () => {
  await openFlasher('nrf');
  await connectNrfDemo('Demo nRF52840');
  await addFirmware({ board: 'nrf52840-secure', size: 204_800 });
  await unplugMidWrite(40);
  const [, same = ''] = /([\d.]+) KB was already there/.exec(result().textContent) ?? [];
  expect(Number(same)).toBeGreaterThanOrEqual(60);
});
