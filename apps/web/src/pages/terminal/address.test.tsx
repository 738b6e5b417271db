import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { reload, withWholePages } from '../../workbench/testing/whole-page.tsx';
import { enter, gone, tab } from './testing/log-steps.ts';
import { connectDemo, openTerminal, wide } from './testing/terminal-steps.ts';

withWholePages(wide);

const hint = () => screen.queryByRole('group', { name: 'What to do about port 1' });
const hinted = (text: string) => waitFor(() => expect(hint()?.textContent).toContain(text));
const baud = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Baud' }).value;
const checked = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name }).checked;

it('an address opens a ready terminal, which leaves the own settings alone', async () => {
  vi.stubGlobal('fetch', async () => new Response('{}', { status: 404 }));
  await openTerminal('/app/uart?baud=38400&data=7&parity=even&stop=2&ending=crlf&name=GNSS%20M10&filter=wifi&jkit=1');
  await hinted('This address opens GNSS M10 at 38400 7E2, and sends with CRLF.');
  expect(baud()).toBe('38400');
  await hinted('Only lines with wifi are shown.');
  await connectDemo(1);
  await tab('GNSS M10', '38400 7E2 · Demo');
  // The demo board uses 8N1, so the wrong parity causes another strip.
  await gone(/This address opens/);
  reload();
  await openTerminal();
  expect(baud()).toBe('115200');
  await tab('Port 1', 'Not connected');
});

it('the settings of an address are remembered once they are changed', async () => {
  const rate = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Rate' });
  await openTerminal('/app/uart?baud=74880');
  await waitFor(async () => expect((await rate()).value).toBe('74880'));
  await userEvent.click(await screen.findByRole('radio', { name: 'Odd' }));
  reload();
  await openTerminal();
  expect((await rate()).value).toBe('74880');
});

it('wrong values of an address are named, and the own settings are one press away', async () => {
  await openTerminal('/app/uart?baud=fast&stop=2');
  await hinted('baud is "fast", but must be a whole number from 1 to 4294967295.');
  expect(checked('2')).toBe(true);
  await enter('Use my settings');
  await waitFor(() => expect(hint()).toBeNull());
  expect(checked('1')).toBe(true);
});
