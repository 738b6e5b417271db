/** Tests the Espressif flasher's page with a board that another user shares. */
import { screen, waitFor, within } from '@testing-library/react';
import { parseShareLink } from '@wirebench/remote';
import { expect, it } from 'vitest';
import { says } from '../../workbench/testing/reading.ts';
import { savedBy } from '../../workbench/testing/saved-files.ts';
import { reload, withWholePages } from '../../workbench/testing/whole-page.tsx';
import { noise } from '../../worker/flasher/testing/noise.ts';
import { BenchElsewhere } from '../../worker/live/testing/bench-elsewhere.ts';
import { visitorOf } from '../../worker/sharing/testing/visitor.ts';
import { choose } from '../terminal/testing/terminal-steps.ts';
import { addFile, board, fill, openFlasher, press, resultSays, write } from './testing/flasher-steps.ts';

withWholePages();

const guest = 'Priya S.';

async function useShared(bench: BenchElsewhere, isFree = true): Promise<void> {
  // A shared bench leads to the flasher with this address.
  await openFlasher('esp', `?live=${bench.relay.room}#${bench.link.split('#')[1]}`);
  await fill('Your name', guest);
  await press('Open the link');
  await screen.findByRole('button', { name: 'Ask to use S3 gateway' });
  await bench.setRight(guest, 'use');
  await press('Connect S3 gateway');
  if (isFree) {
    await says(board, 'Ready');
  }
}

it('opens the link by itself where the browser knows its guest, who has the rights of before', async () => {
  const bench = await BenchElsewhere.share('esp32');
  const { secret } = parseShareLink(bench.link);
  const { clock } = bench;
  // The guest on the page of the shared bench.
  visitorOf({ clock, dial: bench.relay.dialGuest, secret, name: guest, browserKey: 'key' });
  await bench.setRight(guest, 'use');
  localStorage.setItem('wirebench.guest-name', guest);
  localStorage.setItem('wirebench.guest-key', 'key');
  await openFlasher('esp', `?live=${bench.relay.room}#${secret}`);
  await screen.findByRole('button', { name: 'Connect S3 gateway' });
  expect(screen.queryByRole('button', { name: 'Open the link' })).toBeNull();
  await screen.findByText('mira.k shares these boards with you. They are plugged in there, not here.');
  await press('Connect S3 gateway');
  await says(board, 'Ready');
});

it('asks for a name where the browser knows none, and opens no link that has lost its key', async () => {
  const bench = await BenchElsewhere.share('esp32');
  await openFlasher('esp', `?live=${bench.relay.room}#${bench.link.split('#')[1]}`);
  await screen.findByRole('button', { name: 'Open the link' });
  localStorage.setItem('wirebench.guest-name', guest);
  reload();
  await openFlasher('esp', `?live=${bench.relay.room}`);
  await screen.findByRole('button', { name: 'Open the link' });
  expect(bench.host.status.guests).toEqual([]);
});

it('a simulated board is called a demo in the list, on its card and in the receipt', async () => {
  const bench = await BenchElsewhere.share('esp32');
  await bench.admit();
  await useShared(bench);
  await within(board()).findByText('Demo');
  expect(within(board()).queryByRole('button', { name: 'Unplug the demo' })).toBeNull();
  await addFile('data.bin', noise(4_000), '0x110000');
  await write();
  await resultSays('Written and verified');
  await screen.findByText('This was a simulated board of the shared bench. No hardware was written.');
  const { bytes } = await savedBy(async () =>
    choose(await screen.findByRole('button', { name: 'More actions' }), 'Save receipt'),
  );
  expect(new TextDecoder().decode(bytes)).toMatch(/demo|simulated/i);
});

it('says who has a board that is kept from its guest, and asks for it', async () => {
  const bench = await BenchElsewhere.share('esp32');
  bench.isKept = true;
  await useShared(bench, false);
  await screen.findByText('mira.k has this board');
  expect(screen.queryByText(/usermod|other Wirebench tab/)).toBeNull();
  await press('Ask for the board');
  await bench.asked(guest, 'use');
  await screen.findByRole('button', { name: 'Asked…' });
  bench.isKept = false;
  await press('Try again');
  await says(board, 'Ready');
});

it('a real board is not called a demo', async () => {
  const bench = await BenchElsewhere.share('esp32');
  await useShared(bench);
  expect(within(board()).queryByText('Demo')).toBeNull();
});

it('a link that is lost in the middle of a write is no success, and the write goes on by itself when it is back', async () => {
  const bench = await BenchElsewhere.share('esp32');
  await useShared(bench);
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
