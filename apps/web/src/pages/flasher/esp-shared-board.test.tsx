/** A board that somebody shares, on the Espressif flasher's page. */
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { noise } from '../../workbench/flasher/testing/noise.ts';
import { BenchElsewhere } from '../../workbench/live/testing/bench-elsewhere.ts';
import { says } from '../../workbench/testing/reading.ts';
import { withWholePages } from '../../workbench/testing/whole-page.tsx';
import { addFile, board, fill, openFlasher, press, resultSays, write } from './testing/flasher-steps.ts';

withWholePages();

const guest = 'Priya S.';

it('a link that is lost in the middle of a write is no success, and the write goes on by itself when it is back', async () => {
  const bench = await BenchElsewhere.share('esp32');
  // As a shared bench leads here.
  await openFlasher('esp', `?live=${bench.relay.room}#${bench.link.split('#')[1]}`);
  await fill('Your name', guest);
  await press('Open the link');
  await screen.findByRole('button', { name: 'Ask to use S3 gateway' });
  await bench.setRight(guest, 'use');
  await press('Connect S3 gateway');
  await says(board, 'Chip detected');
  await addFile('data.bin', noise(200_000), '0x110000');
  await write();
  const written = () =>
    Number(screen.getByRole('progressbar', { name: 'Written and verified' }).getAttribute('aria-valuenow'));
  await waitFor(() => expect(written()).toBeGreaterThan(10));
  bench.relay.setNetwork(false);
  await bench.clock.sleep(10_000);
  expect(written()).toBeLessThan(100);
  expect(screen.queryByRole('region', { name: 'Result' })).toBeNull();
  bench.relay.setNetwork(true);
  await resultSays('Written and verified');
});
