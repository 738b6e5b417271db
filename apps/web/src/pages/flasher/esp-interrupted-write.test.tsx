/**
 * Tests on the Espressif flasher's page that only the rest is written after an interrupted write. Files are added
 * after the board is connected, so that they are compared once, and not again during the write.
 */
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { says } from '../../workbench/testing/reading.ts';
import { withWholePages } from '../../workbench/testing/whole-page.tsx';
import { noise } from '../../worker/flasher/testing/noise.ts';
import {
  addFile,
  connectDemo,
  interruptWrite,
  openFlasher,
  press,
  result,
  resultSays,
  unplugMidWrite,
} from './testing/flasher-steps.ts';

withWholePages();

it('a plug that is pulled in mid-write costs only the rest', async () => {
  await openFlasher('esp');
  await connectDemo();
  await addFile('storage.bin', noise(768 * 1_024), '0x200000');
  await unplugMidWrite(50);
  const [, written = '', same = ''] =
    /([\d.]+) KB written, ([\d.]+) KB was already there/.exec(result().textContent) ?? [];
  expect(Number(same)).toBeGreaterThanOrEqual(256);
  expect(Number(written) + Number(same)).toBeCloseTo(768);
});

it('a write that is stopped says in what state the board is, and goes on', async () => {
  await openFlasher('esp');
  await connectDemo();
  await addFile('storage.bin', noise(512 * 1_024), '0x200000');
  await interruptWrite(30, 'Stop');
  await says(
    () => screen.getByRole('alert', { name: 'Stopped in the middle of the write' }),
    'will not start its program until it is written again',
  );
  await press('Write the rest');
  await resultSays('Written and verified');
});
