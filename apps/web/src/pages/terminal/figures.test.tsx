import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { withWholePages } from '../../workbench/testing/whole-page.tsx';
import { atOnce, enter, openTool, tab, toolSays } from './testing/log-steps.ts';
import { press, said, startDemo, type, wide } from './testing/terminal-steps.ts';

withWholePages(wide);

const baud = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Baud' });

/** Returns the most likely rate in the ranking. */
const first = () => within(screen.getByRole('list', { name: 'Rates, most likely first' })).getAllByRole('listitem')[0];

it('the rate of a board is found by listening, and applied', async () => {
  await startDemo();
  await type('sensors on');
  await said('temperature:');
  await userEvent.selectOptions(baud(), '9600');
  await tab('Port 1', '9600 8N1 · Demo');
  await enter('Find the rate…');
  await screen.findByRole('button', { name: 'Find the baud rate' });
  await enter('Find the baud rate');
  await screen.findByText(/The baud rate is/);
  expect((await screen.findByRole('region', { name: 'Baud finder' })).textContent).toContain(
    'The baud rate is 115200.',
  );
  expect(first()?.textContent).toContain('temperature:');
  expect(first()?.textContent).toContain('of the text is readable');
  await enter('Use 115200 baud');
  await tab('Port 1', '115200 8N1 · Demo');
  expect(baud().value).toBe('115200');
  await waitFor(() => expect(first()?.textContent).toContain('In use'));
});

it('a search for the rate shows how far it is, and leaves the port open when it is cancelled', async () => {
  await startDemo();
  await enter('Find the rate…');
  await screen.findByRole('button', { name: 'Find the baud rate' });
  await press('Find the baud rate');
  await screen.findByText(/Listening at \d+ baud, [2-9] of 9/);
  await atOnce(async () => {
    await screen.findByRole('progressbar', { name: 'Rates tried' });
    await enter('Cancel: stop looking for the baud rate');
  });
  await tab('Port 1', '115200 8N1 · Demo');
  await screen.findByRole('button', { name: 'Find the baud rate' });
});

it('the statistics count what passes, and say what to check when there are errors', async () => {
  await startDemo();
  await openTool('Statistics');
  const cell = () => within(screen.getByRole('row', { name: /^Received/ })).getAllByRole('cell')[0];
  await waitFor(() => expect(cell()?.textContent).toMatch(/[\d.]+ K?B/));
  expect(document.body.textContent).not.toMatch(/check the parity and the data bits/i);
  await userEvent.click(await screen.findByRole('radio', { name: 'Even' }));
  await tab('Port 1', '115200 8E1 · Demo');
  await press('Reset board');
  await toolSays('Parity errors: check the parity and the data bits.');
});
