/** Tests the Raspberry Pi flasher's page with simulated boards: USB, the drive, refusals, and a board that is unplugged. */
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
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
  plan,
  press,
  resultSays,
  unplugMidWrite,
  write,
} from './testing/flasher-steps.ts';

withWholePages();

const greeting = 'Hello from the greenhouse.';

/** Returns a program for a chip. The simulated boards need streams, which a document has only within a test. */
async function uf2(chip: 'rp2040' | 'rp2350', size = 8_192): Promise<Uint8Array<ArrayBuffer>> {
  const { rpFirmwareUf2 } = await import('@wirebench/devices/rp');
  return rpFirmwareUf2({ chip, text: `${greeting}\r\n`, size, seed: 5 });
}

async function connectPico(): Promise<void> {
  await press('Try the Demo Pico');
  await says(board, 'Ready');
}

it('a program is written to a Pico that was running another one, read back, and heard', async () => {
  await openFlasher('rp');
  await chooseFile('greenhouse.uf2', await uf2('rp2040'));
  await connectPico();
  await says(board, 'RP2040');
  // This program states nothing of itself.
  await says(() => screen.getByRole('region', { name: 'In the files' }), 'Will this image start here? Yes');
  await write();
  await resultSays('Written and verified');
  await says(monitor, greeting);
});

it('a program for a Pico 2 is refused for a Pico before the write, and taken by a Pico 2', async () => {
  await openFlasher('rp');
  await chooseFile('greenhouse.uf2', await uf2('rp2350'));
  await connectPico();
  await screen.findByText('"greenhouse.uf2" was built for RP2350', { exact: false });
  await says(plan, 'Not possible');
  expectNoWrite();
  await press('Disconnect');
  await connectOther('Demo Pico 2');
  await press('In the files');
  await screen.findByText('Will this image start here? Yes');
  await says(() => screen.getByRole('region', { name: 'greenhouse.uf2' }), 'Program Information');
  await write();
  await resultSays('Written and verified');
});

it('a plug that is pulled in mid-write costs only the rest', async () => {
  await openFlasher('rp');
  await chooseFile('greenhouse.uf2', await uf2('rp2040', 65_536));
  await connectPico();
  await unplugMidWrite(30);
  await resultSays(/[\d.]+ KB was already there/);
});

it('without a driver the file is copied to the drive, and the result does not say that it was verified', async () => {
  await openFlasher('rp');
  await chooseFile('greenhouse.uf2', await uf2('rp2040'));
  await press('Other ways to connect a board');
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Demo Pico, drive only' }));
  await screen.findByRole('alert', { name: /interface 1 of "RP2 Boot"/ });
  await press('Copy to its drive');
  await says(board, 'Ready');
  await screen.findByText('The file is copied to the drive of the board', { exact: false });
  await write();
  await resultSays('Written, not verified');
});

it('the program on the board says its name and version when it is asked', async () => {
  await openFlasher('rp');
  await connectPico();
  await press('Read its program’s name and version');
  await screen.findByText('hello_usb');
  expect(screen.getByRole('region', { name: 'On the board' }).textContent).toMatch(/name.*hello_usb.*version.*1\.0\.0/);
});

it('a range of the flash is saved as a file, erased in whole sectors, and empty afterwards', async () => {
  await openFlasher('rp');
  await connectPico();
  const saved = await savedBy(() => press('Read to a file'));
  expect(saved.bytes).toHaveLength(4_096);
  expect(saved.bytes.some((byte) => byte !== 0xff)).toBe(true);
  await press('Erase…');
  await says(() => screen.getByRole('dialog'), '0x10000FFF');
  await eraseInDialog(/^Erase/);
  await says(() => screen.getByRole('region', { name: 'Monitor' }), 'erased');
  const erased = await savedBy(() => press('Read to a file'));
  expect(erased.bytes.every((byte) => byte === 0xff)).toBe(true);
});

it('files of the board that a write takes are saved before it, and offered by the result', async () => {
  await openFlasher('rp');
  // It says nothing of itself, and reaches into the files of MicroPython.
  await chooseFile('large.uf2', await uf2('rp2040', 700_000));
  await connectPico();
  await says(plan, 'The files of MicroPython (LittleFS) are saved first, and not put back.');
  expect(await screen.findAllByRole('button', { name: 'Save the files first' })).toHaveLength(1);
  let before = '';
  const saved = await savedBy(async () => {
    const create = vi.mocked(URL.createObjectURL).getMockImplementation();
    vi.mocked(URL.createObjectURL).mockImplementation((content) => {
      before = plan().textContent;
      return create?.(content) ?? '';
    });
    await write();
  });
  expect(saved.name).toBe('rp2040-files-at-0x100A0000.zip');
  expect(before).toContain('Write 1 file');
  await resultSays('Written and verified');
  const again = await savedBy(() => press('Save the files again'));
  expect(again.bytes).toEqual(saved.bytes);
});

it('files of the board stay where the new program finds them, and are named', async () => {
  await openFlasher('rp');
  await connectPico();
  await press('Use demo firmware');
  await says(plan, 'The files of MicroPython (LittleFS) are kept.');
  const place = /the files of MicroPython \(LittleFS\) 0x100A0000 to 0x101FFFFF, kept/;
  screen.getByRole('img', { name: place });
  await write();
  await resultSays('Written and verified');
  screen.getByRole('img', { name: place });
  expect(screen.queryByRole('button', { name: /Save the files/ })).toBeNull();
});
