/** The page of a guest: a shared bench as a person with the link sees and uses it. */
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { livePage } from '@wirebench/contract/constants';
import { formatShareLink, makeSecret, webCrypto } from '@wirebench/remote';
import { expect, it, vi } from 'vitest';
import { firstOf, says } from '../../workbench/testing/reading.ts';
import { reload, showPage, withWholePages } from '../../workbench/testing/whole-page.tsx';
import { BenchElsewhere } from '../../worker/live/testing/bench-elsewhere.ts';
import { find } from '../terminal/testing/console-steps.ts';
import { exported, rows } from '../terminal/testing/log-steps.ts';
import { log, message, press, prompt, said, type, wide } from '../terminal/testing/terminal-steps.ts';

withWholePages(wide);

const guest = 'Priya S.';

const banner = () => screen.getByRole('region', { name: 'Shared bench' });
const bannerSays = (text: string) => says(() => screen.queryByRole('region', { name: 'Shared bench' }), text);
const tabSays = (name: RegExp, text: string) => says(() => screen.queryByRole('tab', { name }), text);
const heading = (name: string) => screen.findByRole('heading', { name });

async function pressInBanner(name: string): Promise<void> {
  await userEvent.click(await within(banner()).findByRole('button', { name }));
}

/** @param link what stands in the field for addresses */
async function open(link: string): Promise<void> {
  const { pathname, search, hash } = new URL(link, location.origin);
  await showPage(`${pathname}${search}${hash}`, async () => (await import('./live-page.tsx')).LivePage);
}

/** Opens the link for the first time in this browser and says who it is. */
async function askToWatch(link: string): Promise<void> {
  await open(link);
  await heading('A bench is shared with you');
  await userEvent.type(await screen.findByRole('textbox', { name: 'Your name' }), guest);
  await press('Watch the bench');
}

/** Shares a bench and opens its link as a guest, up to the log. */
async function visit(): Promise<BenchElsewhere> {
  const bench = await BenchElsewhere.share();
  await askToWatch(bench.link);
  await bannerSays('mira.k shares this bench with you.');
  await screen.findByRole('log');
  return bench;
}

const remote = '115200 8N1 · remote';
const canWatch = 'You may watch. Ask to type to send on port 1.';

it('a guest watches: lines, find, hex, and an export with every byte', async () => {
  const bench = await visit();
  await tabSays(/S3 gateway/, remote);
  await tabSays(/Port 2/, 'Not shared');
  const from = bench.bytes.length;
  await bench.type('help\r');
  await said('which addresses answer on the I2C bus');
  await said(prompt);
  await find('I2C');
  await screen.findByText('1 found');
  await userEvent.clear(await screen.findByRole('textbox', { name: 'Find in the console' }));
  await userEvent.click(await screen.findByRole('radio', { name: 'Hex' }));
  await said('64 65 6D 6F 3E 20');
  const { bytes } = await exported('Received bytes of S3 gateway');
  expect(bytes.length).toBeGreaterThan(0);
  expect([...bytes]).toEqual(bench.bytes.slice(from));
});

it('a guest asks to type, is refused, asks again and types; then the right is taken back', async () => {
  const bench = await visit();
  await waitFor(() => expect(message().placeholder).toBe(canWatch));
  expect(await screen.findAllByRole('button', { name: 'Ask to type' })).toHaveLength(1);
  await pressInBanner('Ask to type');
  await within(banner()).findByRole('button', { name: 'Asked to type…' });
  await bench.asked(guest, 'type');
  bench.refuse(guest);
  await said('mira.k has not given you the right to type on port 1.');
  await pressInBanner('Ask to type');
  await bench.asked(guest, 'type');
  await bench.setRight(guest, 'type');
  await bannerSays('You may type on port 1.');
  await type('help');
  await said('which addresses answer on the I2C bus');
  await waitFor(() => expect(rows('[data-direction="sent"]')).toHaveLength(1));
  await bench.setRight(guest, 'watch');
  await said('mira.k has taken back the right to type on port 1. You may watch it.');
  await waitFor(() => expect(message().placeholder).toBe(canWatch));
});

it('a guest uses the port: opens it at another rate, sets its lines, resets the board, and gives it back', async () => {
  const bench = await visit();
  await bench.setRight(guest, 'use');
  await pressInBanner('Use port 1');
  await waitFor(() => {
    const back = within(banner()).getByRole('button', { name: 'Give port 1 back' });
    // Until the port is open.
    expect(back.getAttribute('aria-busy')).not.toBe('true');
  });
  const dtr = () => screen.getByRole<HTMLInputElement>('switch', { name: 'DTR' });
  const dtrIs = (checked: boolean) => waitFor(() => expect(dtr()).toMatchObject({ checked, disabled: false }));
  const { changeSettings } = await import('../../features/terminal/settings/settings-store.ts');
  act(() => changeSettings({ settingsPinned: true }));
  await dtrIs(true);
  await userEvent.click(dtr());
  await dtrIs(false);
  await type('help');
  await said('which addresses answer on the I2C bus');
  await press('Reset board');
  await said('Asked the board on Port 1 to restart');
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Baud' }), '9600');
  await tabSays(/S3 gateway/, '9600 8N1');
  await userEvent.click(firstOf(await screen.findAllByRole('button', { name: 'Give port 1 back' })));
  await tabSays(/S3 gateway/, remote);
  await within(banner()).findByRole('button', { name: 'Use port 1' });
});

it('a port that is unplugged, comes back and changes its rate says so as at a local port', async () => {
  const bench = await visit();
  await bench.unplug();
  await said('Device disconnected from Port 1');
  await tabSays(/S3 gateway/, 'No board there');
  await bench.replug();
  await tabSays(/S3 gateway/, remote);
  await bench.close();
  await tabSays(/S3 gateway/, 'Closed there');
  await bench.open({ baudRate: 9_600 });
  await said('Port 1 connected (9600 8N1)');
});

it('an expelled guest and a guest of a stopped share learn it at once, and keep the log', async () => {
  const bench = await visit();
  await bench.type('help\r');
  await said(prompt);
  await bench.expel(guest);
  await screen.findByText('Your visit was ended.');
  expect(log().textContent).toContain('which addresses answer on the I2C bus');
  await press('Open the link again');
  await bannerSays('You may watch port 1.');
  bench.host.stop();
  await screen.findByText('Sharing has ended.');
  expect(log().textContent).toContain('which addresses answer on the I2C bus');
  bench.relay.closeRoom();
  reload();
  // The name is remembered: nothing is asked.
  await open(bench.link);
  await heading('No bench is shared at this link');
});

it("the host's network is cut for ten seconds: what a guest exports is what the host has", async () => {
  const bench = await visit();
  const from = bench.bytes.length;
  bench.say('before the cut\r\n');
  await said('before the cut');
  bench.relay.setNetwork(false);
  await screen.findByText('The connection of mira.k is lost.');
  for (let line = 0; line < 100; line++) {
    bench.say(`line ${line} of what passed meanwhile\r\n`);
    await bench.clock.sleep(100);
  }
  bench.relay.setNetwork(true);
  bench.say('after the cut\r\n');
  await said('after the cut');
  await bannerSays('mira.k shares this bench with you.');
  const { bytes } = await exported('Received bytes of S3 gateway');
  expect(bytes.length).toBeGreaterThan(3_000);
  expect([...bytes]).toEqual(bench.bytes.slice(from));
});

it('a link with the key of another bench says that its key does not fit', async () => {
  const bench = await BenchElsewhere.share();
  const [address = '', key = ''] = bench.link.split('#');
  const other = `${key.slice(0, 4)}${key[4] === 'A' ? 'B' : 'A'}${key.slice(5)}`;
  await askToWatch(`${address}#${other}`);
  await heading('The key in this link does not fit');
});

it.each([
  ['This link is not complete', livePage],
  ['This link has lost its key', `${livePage}?id=${'A'.repeat(22)}`],
  ['This link has lost its key', `${livePage}?id=${'A'.repeat(22)}#${'k'.repeat(23)}`],
])('a link without what it needs is not opened: %s', async (title, link) => {
  await open(link);
  await heading(title);
  expect(screen.queryByRole('textbox')).toBeNull();
});

// Others are for `share-link.test.ts`.
it.each(['.', '>', ')'])('a link is opened with what a mail program has left behind its key: %s', async (behind) => {
  const secret = makeSecret(webCrypto);
  await open(`${formatShareLink({ origin: location.origin, room: 'A'.repeat(22), secret })}${behind}`);
  await heading('A bench is shared with you');
});

it('a browser without WebSockets gets an explanation', async () => {
  const bench = await BenchElsewhere.share();
  vi.stubGlobal('WebSocket', undefined);
  await open(bench.link);
  await heading('This browser has no WebSockets');
});
