/** Tests the Arduino flasher's page with simulated boards: files, EEPROM, saving, reset by hand, and an unplugged board. */
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { avrFirmwareHex } from '@wirebench/devices';
import { expect, it } from 'vitest';
import { says } from '../../workbench/testing/reading.ts';
import { savedBy } from '../../workbench/testing/saved-files.ts';
import { withWholePages } from '../../workbench/testing/whole-page.tsx';
import {
  board,
  chooseFile,
  connectOther,
  eraseInDialog,
  expectNoWrite,
  monitor,
  openFlasher,
  openSettings,
  plan,
  press,
  resultSays,
  unplugMidWrite,
  write,
} from './testing/flasher-steps.ts';

withWholePages();

const greeting = 'Hello from the sketch.';
const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
/** A sketch that prints its greeting at 9,600 baud when it runs. */
const sketch = (size = 1_024) => bytesOf(avrFirmwareHex({ lines: [greeting], size, seed: 5 }));
const eeprom = bytesOf(':0400000001020304F2\n:00000001FF\n');

async function connectUno(): Promise<void> {
  await press('Try the Demo Uno');
  await says(board, 'Ready');
}

it('a sketch is written to an Uno, read back, and heard at 9,600 baud', async () => {
  await openFlasher('avr');
  await chooseFile('Blink.ino.hex', sketch());
  await connectUno();
  await says(board, 'Signature 0x1E950F');
  await write();
  await resultSays('Written and verified');
  await says(monitor, greeting);
});

it('a Nano is found at 57,600 baud, and the strip names the old bootloader', async () => {
  await openFlasher('avr');
  await connectOther('Demo Nano, old bootloader');
  await says(board, 'Signature 0x1E950F, old bootloader');
});

it('a Leonardo comes back as its bootloader, and as its sketch afterwards', async () => {
  await openFlasher('avr');
  await chooseFile('Blink.ino.hex', sketch());
  await connectOther('Demo Leonardo');
  await says(board, 'ATmega32U4');
  await write();
  await resultSays('Written and verified');
  await says(monitor, greeting);
});

it('EEPROM data goes along where the bootloader can write it, and is saved as .eep', async () => {
  await openFlasher('avr');
  await chooseFile('Log.ino.eep', eeprom);
  await connectOther('Demo Mega 2560');
  await screen.findByText('EEPROM 0x0');
  expect(screen.queryByText('Beyond the end of the flash')).toBeNull();
  await write();
  await resultSays('4 B written');
  await press('Connect again');
  await says(board, 'Ready');
  const { name, bytes } = await savedBy(() => press('Save EEPROM'));
  expect(name).toMatch(/^atmega2560-\d{4}-\d{2}-\d{2}-\d{4}-eeprom\.eep$/);
  expect(new TextDecoder().decode(bytes)).toMatch(/^:1000000001020304F{24}/);
});

it('EEPROM data is refused on an Uno, unless the setting leaves it out', async () => {
  await openFlasher('avr');
  await chooseFile('Blink.ino.hex', sketch());
  await chooseFile('Blink.ino.eep', eeprom);
  await connectUno();
  await says(plan, 'cannot write');
  expectNoWrite();
  expect(screen.queryByRole('button', { name: /EEPROM/ })).toBeNull();
});

it('a file that reaches into the bootloader is refused before the erase', async () => {
  await openFlasher('avr');
  await chooseFile('Blink.ino.hex', sketch(0x7f00));
  await connectUno();
  await says(plan, 'Not possible');
  await screen.findByText('the bootloader is at 0x7E00 to 0x7FFF and is never written', { exact: false });
  expectNoWrite();
});

it('a plug that is pulled in mid-write costs only the rest', async () => {
  await openFlasher('avr');
  await connectUno();
  await chooseFile('Blink.ino.hex', sketch(8_192));
  await unplugMidWrite(40);
  await resultSays(/[\d.]+ KB was already there/);
  await says(monitor, greeting);
});

it('the sketch is saved as .hex, and erased after a question', async () => {
  await openFlasher('avr');
  await connectUno();
  const { name, bytes } = await savedBy(() => press('Save .hex'));
  expect(name).toMatch(/^atmega328p-\d{4}-\d{2}-\d{2}-\d{4}-sketch\.hex$/);
  expect(new TextDecoder().decode(bytes)).toMatch(/^:10000000[\dA-F]{34}\n/);
  await press('Erase all 31.5 KB…');
  await screen.findByRole('heading', { name: 'Erase 31.5 KB, all flash except the bootloader?' });
  await screen.findByText(/^The program is erased\. The bootloader and the EEPROM stay as they are\./);
  await eraseInDialog('Erase 31.5 KB');
  await screen.findByRole('heading', { name: 'Erased and checked' });
  await press('Save .hex');
  await screen.findByText('The flash is erased: there is nothing to save');
});

it('a rate that no bootloader answers at leads to the reset by hand', async () => {
  await openFlasher('avr');
  await openSettings();
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Baud' }), '19200');
  await press('Try the Demo Uno');
  const answer = within(await screen.findByRole('region', { name: 'Failure' }));
  await answer.findByRole('button', { name: 'Connect with reset by hand' });
});
