/** Tests the inspector of the hex display, which shows selected bytes as text and as numbers. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { withWholePages } from '../../workbench/testing/whole-page.tsx';
import { openScripted, rowWith } from './testing/console-steps.ts';
import { openTerminal, said, wide } from './testing/terminal-steps.ts';

withWholePages(wide);

const inspector = () => screen.queryByRole('region', { name: 'Inspector' });

const reads = (label: string, value: string) =>
  waitFor(() => {
    const shown = within(screen.getByRole('region', { name: 'Inspector' })).getByText(label).parentElement;
    expect(shown?.querySelector('dd')?.textContent).toBe(value);
  });

/** Selects the first `count` bytes of the row with `text`: a click, then Shift with the right arrow key. */
async function mark(text: string, count: number): Promise<void> {
  await userEvent.click(await rowWith(text));
  await userEvent.keyboard(`{Shift>}${'{ArrowRight}'.repeat(count)}{/Shift}`);
}

it('selected bytes are explained, and no more once nothing is selected', async () => {
  await openTerminal();
  const port = await openScripted(1);
  // One line of 22 bytes, which fills two rows.
  await port.say(Uint8Array.of(0xb5, 0x62, 0x0b, 0x04, 0x46, 0x00, ...new TextEncoder().encode('ROM SPG 5.1000\r\n')));
  await userEvent.click(await screen.findByText('Hex'));
  await said('B5 62 0B 04');
  expect(inspector()).toBeNull();
  await mark('B5 62 0B 04', 4);
  await reads('Selection', '4 B at 0x0000');
  await reads('ASCII', '·b··');
  await reads('u8', '181');
  await reads('u16 LE', '25\u2009269');
  await reads('Bits', '1011 0101');
  await screen.findByText('Jump to newest');
  await mark('31 30 30 30', 3);
  await reads('Selection', '3 B at 0x0010');
  await reads('ASCII', '100');
  await reads('u32 LE', '–');
  await userEvent.click(await screen.findByRole('button', { name: 'Close the inspector' }));
  await waitFor(() => expect(inspector()).toBeNull());
  await mark('B5 62 0B 04', 3);
  await waitFor(() => expect(inspector()).not.toBeNull());
  await userEvent.click(await screen.findByRole('radio', { name: 'Text' }));
  await waitFor(() => expect(inspector()).toBeNull());
});
