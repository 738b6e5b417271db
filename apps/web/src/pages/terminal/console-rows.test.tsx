/**
 * Tests the columns of the console's lines, and copying lines including those off the screen. The last is decided by
 * `key-selecting.dom.test.ts` and `copy-rows.test.ts`, and repeated on the page in the long run.
 */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { isLong } from '@wirebench/test-input';
import { expect, it } from 'vitest';
import { reload, withWholePages } from '../../workbench/testing/whole-page.tsx';
import { chooseView, extendTo, openScripted, pointAtRow, rowWith, stubClipboard } from './testing/console-steps.ts';
import { pressOn, rows } from './testing/log-steps.ts';
import { clearLog, log, openTerminal, press, prompt, said, startDemo, type, wide } from './testing/terminal-steps.ts';

withWholePages(wide);

/** Returns true if the display option is chosen. */
const isChosen = async (role: 'radio' | 'checkbox', name: string) => {
  await press('View');
  const options = within(await screen.findByRole('dialog', { name: 'View' }));
  return (await options.findAllByRole<HTMLInputElement>(role, { name }))[0]?.checked;
};

it('the time in front of a line is the clock, since the start, since the previous line, or nothing', async () => {
  await startDemo();
  await type('help');
  await said('which addresses answer');
  const times = () => rows('time').map(({ textContent }) => textContent);
  const areAll = (form: RegExp, from = 0) =>
    waitFor(() =>
      expect(times().slice(from)).toEqual(
        times()
          .slice(from)
          .map(() => expect.stringMatching(form)),
      ),
    );
  expect(times()).not.toHaveLength(0);
  await areAll(/^\d\d:\d\d:\d\d\.\d{3}$/);
  await chooseView('Since start');
  await areAll(/^(\d+:)?\d+\.\d{3}$/);
  await chooseView('Since previous line');
  await areAll(/^\+\d+\.\d{3}$/, 1);
  await chooseView('Off');
  await waitFor(() => expect(times().join('')).toBe(''));
  reload();
  await openTerminal();
  expect(await isChosen('radio', 'Off')).toBe(true);
});

it('control bytes are written out on request, colours included, and that is remembered', async () => {
  await openTerminal();
  const port = await openScripted(1);
  await port.say('\x1b[31mred\x1b[0m\tand\x07 bell\n');
  expect((await rowWith('bell')).textContent).toMatch(/red\s+and bell/);
  await chooseView('Control bytes');
  await said('\\x1b[31mred\\x1b[0m\\tand\\x07 bell');
  reload();
  await openTerminal();
  expect(await isChosen('checkbox', 'Control bytes')).toBe(true);
});

it.runIf(isLong)('rows beyond the screen are selected and copied', async () => {
  await startDemo();
  await clearLog();
  const copied = stubClipboard();
  await type('load 10000 2');
  await said('load: 500 lines, 20000 bytes');
  await said(prompt);
  await pressOn(log(), '{Control>}ac{/Control}');
  await screen.findByText('505 lines copied');
  const all = copied().trimEnd().split('\n');
  expect(all).toHaveLength(505);
  expect(rows('[data-selected]')).not.toHaveLength(0);
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(rows('[data-selected]')).toHaveLength(0));
  // Selects from a line scrolled out of view to a line at the other end.
  await userEvent.keyboard('{Home}');
  await pointAtRow(await rowWith('bytes/s for 2 s'));
  await pressOn(log(), '{End}');
  await extendTo(await rowWith('500 lines'));
  await pressOn(log(), '{Shift>}{ArrowUp}{/Shift}');
  await userEvent.keyboard('{Control>}c{/Control}');
  await screen.findByText('501 lines copied');
  expect(copied().trimEnd().split('\n')).toEqual(all.slice(2, 503));
});
