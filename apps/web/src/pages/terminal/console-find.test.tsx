/** Tests finding and filtering in the console with a demo device. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { withWholePages } from '../../workbench/testing/whole-page.tsx';
import { chooseView, field, find } from './testing/console-steps.ts';
import { pressOn, rows } from './testing/log-steps.ts';
import { clearLog, connectDemo, log, press, said, startDemo, type, wide } from './testing/terminal-steps.ts';

withWholePages(wide);

/** Returns the alert of the find field. The containers of other alerts are empty. */
const alert = () =>
  within(screen.getByRole('region', { name: 'Console' }))
    .getAllByRole('alert')
    .find(({ textContent }) => textContent !== '');
/** Returns the marked matches with the text `text`. */
const marks = (text: string) => within(log()).queryAllByText(text);

it('matches are counted, marked and stepped through by the keyboard', async () => {
  await startDemo();
  await clearLog();
  await type('load 10000 2');
  await said('load: 500 lines, 20000 bytes');
  await pressOn(log(), '/');
  await waitFor(() => expect(document.activeElement).toBe(field()));
  fireEvent.change(field(), { target: { value: 'load:' } });
  await screen.findByText('2 found');
  await waitFor(() => expect(marks('load:')).toHaveLength(1));
  await pressOn(field(), '{Enter}');
  await screen.findByText('2 of 2');
  await screen.findByText('Jump to newest');
  await pressOn(field(), '{Shift>}{Enter}{/Shift}');
  await screen.findByText('1 of 2');
  await waitFor(() => expect(rows('[data-current]')[0]?.textContent).toContain('load: 10000 bytes/s for 2 s'));
  await pressOn(field(), '{Escape}');
  expect(field().value).toBe('');
  await waitFor(() => expect(marks('load:')).toHaveLength(0));
  await pressOn(field(), '{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(log()));
  await userEvent.keyboard('{Control>}f{/Control}');
  await waitFor(() => expect(document.activeElement).toBe(field()));
});

it('only lines that match are shown on request, and new ones come in', async () => {
  await startDemo();
  await find('/unknown|nothing is r.nning/');
  await screen.findByText('0 found');
  await press('Show only lines that match');
  await waitFor(() => expect(rows()).toHaveLength(0));
  await type('stop');
  await waitFor(() => expect(rows()).toHaveLength(1));
  expect(rows()[0]?.textContent).toContain('nothing is running');
  fireEvent.change(field(), { target: { value: '' } });
  await said('demo>');
});

it('bytes are found in either display', async () => {
  await startDemo();
  await find('hex:64656D6F3E');
  await waitFor(() => expect(marks('demo>').at(-1)).toBeDefined());
  await userEvent.click(await screen.findByText('Hex'));
  await waitFor(() => expect(marks('64 65 6D 6F 3E').at(-1)).toBeDefined());
});

it('an invalid search shows its fault', async () => {
  await startDemo();
  fireEvent.change(field(), { target: { value: 'port:7' } });
  await waitFor(() => expect(alert()?.textContent).toBe('There is no port 7. Ports are 1 to 4, as in port:1,2.'));
  fireEvent.change(field(), { target: { value: '/(?=x)/' } });
  await waitFor(() => expect(alert()?.textContent).toContain('Lookahead and lookbehind are not supported here'));
  expect(field().getAttribute('aria-invalid')).toBe('true');
  fireEvent.change(field(), { target: { value: 'help' } });
  await waitFor(() => expect(alert()).toBeUndefined());
});

it('one of several ports is shown alone, and hidden', async () => {
  await startDemo();
  await connectDemo(2);
  const of = (port: number) => rows(`[data-port="${port}"]`);
  await waitFor(() => expect(of(2)).not.toHaveLength(0));
  await chooseView('Only Port 2');
  await screen.findByRole('button', { name: 'Remove port:2' });
  await waitFor(() => expect(of(1)).toHaveLength(0));
  expect(of(2)).not.toHaveLength(0);
  await chooseView('All ports');
  await chooseView('Show Port 2');
  await waitFor(() => expect(of(2)).toHaveLength(0));
  expect(of(1)).not.toHaveLength(0);
});
