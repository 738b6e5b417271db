/** Tests the inspector of the hex display, which shows selected bytes as text and as numbers. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { withWholePages } from '../../workbench/testing/whole-page.tsx';
import { openScripted } from './testing/console-steps.ts';
import { log, openTerminal, said, wide } from './testing/terminal-steps.ts';

withWholePages(wide);

const inspector = () => screen.queryByRole('region', { name: 'Inspector' });

const reads = (label: string, value: string) =>
  waitFor(() => {
    const shown = within(screen.getByRole('region', { name: 'Inspector' })).getByText(label).parentElement;
    expect(shown?.querySelector('dd')?.textContent).toBe(value);
  });

/** Selects a range of characters in the log's text node that contains `text`. */
function mark(text: string, from: number, to: number): void {
  const texts = document.createTreeWalker(log(), NodeFilter.SHOW_TEXT);
  let node = texts.nextNode();
  while (node !== null && !node.textContent?.includes(text)) {
    node = texts.nextNode();
  }
  if (node === null) {
    throw new Error(`The log has no ${text}.`);
  }
  const at = node.textContent?.indexOf(text) ?? 0;
  getSelection()?.setBaseAndExtent(node, at + from, node, at + to);
}

it('what is marked among the digits or the characters is explained, and no more once nothing is', async () => {
  await openTerminal();
  const port = await openScripted(1);
  // One line of 22 bytes, which fills two rows.
  await port.say(Uint8Array.of(0xb5, 0x62, 0x0b, 0x04, 0x46, 0x00, ...new TextEncoder().encode('ROM SPG 5.1000\r\n')));
  await userEvent.click(screen.getByText('Hex'));
  await said('B5 62 0B 04');
  expect(inspector()).toBeNull();
  mark('B5 62 0B 04', 0, 11);
  await reads('Selection', '4 B at 0x0000');
  await reads('ASCII', '·b··');
  await reads('u8', '181');
  await reads('u16 LE', '25\u2009269');
  await reads('Bits', '1011 0101');
  await screen.findByText('Follow is paused');
  mark('ROM SPG', 0, 3);
  await reads('Selection', '3 B at 0x0006');
  await reads('ASCII', 'ROM');
  await reads('u32 LE', '–');
  await userEvent.click(screen.getByRole('button', { name: 'Close the inspector' }));
  await waitFor(() => expect(inspector()).toBeNull());
  // The pressed button disappears and the focus moves to another one. In jsdom, but not in browsers, that clears the
  // selection.
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Jump to newest'));
  mark('ROM SPG', 0, 3);
  await waitFor(() => expect(inspector()).not.toBeNull());
  await userEvent.click(screen.getByText('Text'));
  await waitFor(() => expect(inspector()).toBeNull());
});
