/** Tests the terminal on a phone: long lines, and the state that is kept when the phone is turned. */
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { withWholePages } from '../../workbench/testing/whole-page.tsx';
import { extendTo, field, openScripted, pointAtRow, rowWith, stubClipboard } from './testing/console-steps.ts';
import { rows } from './testing/log-steps.ts';
import { log, message, openTerminal, startDemo } from './testing/terminal-steps.ts';
import { phone, resizeTo, startInWindow, turnedPhone } from './testing/window-steps.ts';

withWholePages();
startInWindow(phone);

it('long lines are selected as one row and copied whole', async () => {
  await openTerminal();
  const copied = stubClipboard();
  const port = await openScripted(1);
  const long = 'a long line '.repeat(20).trim();
  await port.say(`one\n${long}\nthree\n`);
  await pointAtRow(await rowWith('one'));
  expect(log().hasAttribute('data-wrap')).toBe(true);
  await extendTo(await rowWith('three'));
  await waitFor(() => expect(rows('[data-selected]')).toHaveLength(3));
  await userEvent.keyboard('{Control>}c{/Control}');
  await screen.findByText('3 lines copied');
  expect(copied()).toBe(`one\n${long}\nthree`);
  expect(message().isConnected).toBe(true);
});

it('turning a phone leaves the focus and what is typed where they were: find, message, log', async () => {
  await startDemo();
  const hasFocus = (place: () => HTMLElement) => waitFor(() => expect(document.activeElement).toBe(place()));
  field().focus();
  fireEvent.change(field(), { target: { value: 'wifi' } });
  resizeTo(turnedPhone);
  await hasFocus(field);
  await userEvent.keyboard(' lost');
  resizeTo(phone);
  await hasFocus(field);
  expect(field().value).toBe('wifi lost');
  await userEvent.keyboard('{Escape}');
  for (const place of [message, log]) {
    place().focus();
    resizeTo(turnedPhone);
    await hasFocus(place);
    resizeTo(phone);
    await hasFocus(place);
  }
});
