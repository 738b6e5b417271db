/** Tests the live plot with a demo device: plotted lines and visible curves. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { withWholePages } from '../../workbench/testing/whole-page.tsx';
import { openTool } from './testing/log-steps.ts';
import { said, startDemo, type, wide } from './testing/terminal-steps.ts';

withWholePages(wide);

async function chooseFormat(format: string) {
  await userEvent.click(await screen.findByRole('button', { name: /^Curves/ }));
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Number format' }), format);
  await userEvent.keyboard('{Escape}');
}

it('an empty plot says which lines it draws, by the format that is chosen', async () => {
  await startDemo();
  await openTool('Plot');
  await chooseFormat('Columns');
  await screen.findByRole('heading', { name: 'No numbers yet' });
  // Focusable, so that the keyboard can scroll it in a low window.
  expect((await screen.findByRole('region', { name: 'No numbers yet' })).tabIndex).toBe(0);
  await screen.findByText('23.4,46,1013.2');
  await waitFor(() => expect(screen.queryByText('temp:23.4 hum:46')).toBeNull());
  await type('adc 2 3 10');
  await said('adc2:');
  expect((await screen.findByRole('heading', { name: 'No numbers yet' })).isConnected).toBe(true);
  await chooseFormat('Name and value');
  await screen.findByRole('button', { name: 'adc2' });
});

it('is paused where it is live by now, also in the moment in which it goes live', async () => {
  await startDemo();
  await openTool('Plot');
  await type('adc 2 100000 10');
  const curves = () => within(screen.getByRole('list', { name: 'Curves' }));
  await screen.findByRole('button', { name: 'adc2' });
  await userEvent.click(await screen.findByRole('button', { name: 'Pause' }));
  // Moves back by three times the range, to a time before the board was connected.
  for (let step = 0; step < 12; step++) {
    await userEvent.click(await screen.findByRole('button', { name: 'Earlier' }));
  }
  await waitFor(() => expect(curves().queryByRole('button', { name: 'adc2' })).toBeNull());
  fireEvent.click(await screen.findByRole('button', { name: 'Go live' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Pause' }));
  await screen.findByRole('button', { name: 'Go live' });
  await waitFor(() => expect(curves().getByRole('button', { name: 'adc2' }).isConnected).toBe(true));
});
