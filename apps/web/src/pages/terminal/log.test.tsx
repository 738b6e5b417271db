import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { reload, withWholePages } from '../../workbench/testing/whole-page.tsx';
import { stubClipboard } from './testing/console-steps.ts';
import { atOnce, held, numberIn, pressOn, received, rows } from './testing/log-steps.ts';
import { log, message, openTerminal, press, said, startDemo, type, wide } from './testing/terminal-steps.ts';

withWholePages(wide);

const shift = (key: string) => `{Shift>}${key}{/Shift}`;

const display = () => within(screen.getByRole('radiogroup', { name: 'Display' }));
const checked = (name: string) => display().getByRole<HTMLInputElement>('radio', { name }).checked;

/** Returns the row that contains `text`, with the pointer over it. */
async function pointAt(text: string): Promise<HTMLElement> {
  const row = rows('[data-direction=received]').find(({ textContent }) => textContent.includes(text));
  if (row === undefined) {
    throw new Error(`No row says ${text}.`);
  }
  await userEvent.hover(row);
  return row;
}

it('the hex display shows each byte, and is remembered', async () => {
  await startDemo();
  await pressOn(message(), '{Escape}');
  await userEvent.keyboard(shift('H'));
  await said('64 65 6D 6F 3E 20');
  reload();
  await openTerminal();
  expect(checked('Hex')).toBe(true);
});

it('the log is cleared, and goes on', async () => {
  await startDemo();
  await press('Clear');
  await screen.findByText('Messages cleared');
  await waitFor(() => expect(rows()).toHaveLength(0));
  await waitFor(() => expect(held()).toBe('0 lines'));
  await type('stop');
  await said('nothing is running');
});

it('cleared messages come back, before what has come since', async () => {
  await startDemo();
  const before = numberIn(held());
  await userEvent.keyboard('{Escape}');
  await pressOn(log(), shift('C'));
  await waitFor(() => expect(rows()).toHaveLength(0));
  // Undo expires after a minute of the boards' time, so the time is stopped.
  await atOnce(async () => {
    const undo = await screen.findByRole('button', { name: 'Undo' });
    undo.focus();
    await type('stop');
  });
  await said('nothing is running');
  await atOnce(() => press('Undo'));
  await screen.findByText('Messages restored');
  await waitFor(() => expect(numberIn(held())).toBeGreaterThan(before));
  await said('console: ready');
  await said('nothing is running');
  await pressOn(log(), '{Home}');
  await said('Port 1 connected');
});

it('shortcuts do nothing while one types', async () => {
  await startDemo();
  await userEvent.type(message(), 'HACX');
  expect(message().value).toBe('HACX');
  expect(checked('Text')).toBe(true);
  expect(log().textContent).toContain('demo>');
});

it('no shortcut acts in a field, whichever it is', async () => {
  await startDemo();
  const pressAll = async () => {
    for (const key of ['H', 'A', 'C', 'X']) {
      await userEvent.keyboard(shift(key));
    }
  };
  const panel = within(screen.getByRole('region', { name: 'Panel 1' }));
  for (const field of [
    await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' }),
    await screen.findByRole<HTMLInputElement>('textbox', { name: 'Find in the console' }),
    message(),
    await panel.findByRole<HTMLInputElement>('textbox', { name: 'Add a command' }),
  ]) {
    field.focus();
    await pressAll();
    expect(field.value).toMatch(/HACX$/);
  }
  (await screen.findByRole('combobox', { name: 'Baud' })).focus();
  await pressAll();
  expect(checked('Text')).toBe(true);
  expect((await screen.findByRole('button', { name: /^Following/ })).getAttribute('aria-pressed')).toBe('true');
  expect(screen.queryByText('Messages cleared')).toBeNull();
  expect(screen.queryByText('Messages exported to file')).toBeNull();
});

it('a line is copied by the button that its pointer shows', async () => {
  const clipboard = stubClipboard();
  await startDemo();
  const row = await pointAt('flash: image header says 2MB');
  await userEvent.click(await within(row).findByRole('button', { name: 'Copy line' }));
  await screen.findByText('Line copied');
  expect(clipboard()).toMatch(/^W \(\d+\) flash: image header says 2MB/);
});

it('a line is offered for copying by hand where the browser has no clipboard', async () => {
  Reflect.deleteProperty(navigator, 'clipboard');
  await startDemo();
  const row = await pointAt('demo>');
  await userEvent.click(await within(row).findByRole('button', { name: 'Copy line' }));
  const dialog = await screen.findByRole('dialog', { name: 'Copy it by hand' });
  const field = within(dialog).getByRole<HTMLTextAreaElement>('textbox', { name: 'Text to copy' });
  expect(field.value).toContain('demo>');
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(field.value.slice(field.selectionStart, field.selectionEnd)).toContain('demo>');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Copy it by hand' })).toBeNull());
});

it('scopes are in the find field as chips, which go by a press', async () => {
  await startDemo();
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Find in the console' });
  fireEvent.change(field, { target: { value: 'dir:tx ' } });
  await waitFor(() => expect(field.value).toBe(''));
  await waitFor(() => expect(received()).toEqual([]));
  await pressOn(await screen.findByRole('button', { name: 'Remove dir:tx' }), '{Enter}');
  await waitFor(() => expect(received()).not.toEqual([]));
  await userEvent.type(field, 'port:1 level:error ');
  await screen.findByRole('button', { name: 'Remove level:error' });
  await userEvent.type(field, '{Backspace}');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove level:error' })).toBeNull());
  await screen.findByRole('button', { name: 'Remove port:1' });
});
