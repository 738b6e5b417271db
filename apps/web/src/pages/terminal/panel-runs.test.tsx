/** Tests messages of a device panel that run as a script with a demo device, wait for answers, or are repeated. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { theBench, withWholePages } from '../../workbench/testing/whole-page.tsx';
import { aim, edit, option, panel, panelSays, pin, row, rowSays } from './testing/panels-steps.ts';
import { log, prompt, said, startDemo, wide } from './testing/terminal-steps.ts';

withWholePages(wide);

/** Timeout for an answer in milliseconds, as typed. Long enough for any answer of the board. */
const answerTimeout = '60000';

const runAll = () => panel().getByRole<HTMLButtonElement>('button', { name: 'Run Panel 1' });

it('all messages run as a script, each after the answer to the one before', async () => {
  await startDemo();
  await aim('Port 1');
  await pin('adc 0 4 100');
  await pin('info');
  await edit('adc 0 4 100', { 'Wait for': 'demo>', 'Wait at most': answerTimeout });
  const twice = { 'Times to send': '2', 'Then pause': '50' };
  await edit('info', { 'Wait for': 'free heap', 'Wait at most': answerTimeout, ...twice });
  await userEvent.click(runAll());
  await said(/Panel 1: PASSED, 2 of 2 checks/);
  await rowSays('info', /\d+ ms/);
  // Without the wait, the board would discard the second message, because it is still busy with the first.
  await waitFor(() => expect(within(log()).getAllByText(/mac 02:57:42:00:00:01/)).toHaveLength(2));
});

it('a run stops at the message that gets no answer, or on request', async () => {
  await startDemo();
  await aim('Port 1');
  await pin('info');
  await pin('stop');
  await pin('utf8');
  await edit('stop', { 'Wait for': 'something runs', 'Wait at most': '200' });
  await userEvent.click(runAll());
  await said(
    /Panel 1: FAILED, 0 of 1 checks · [\d.]+ s\. Port 1: no answer to "stop" within 200 ms: awaited "something runs"; last came /,
  );
  await rowSays('stop', 'No answer');
  expect(log().textContent).not.toContain('Grüße');
  await edit('stop', { 'Wait at most': '60000' });
  // The time is stopped, so that the timeout does not expire before the run is stopped.
  theBench().runs = false;
  await userEvent.click(runAll());
  await panelSays(/^Command 2 of 3/);
  await userEvent.click(await panel().findByRole('button', { name: 'Stop the run of Panel 1' }));
  await waitFor(() => expect(runAll().disabled).toBe(false));
  theBench().runs = true;
  await said(prompt);
  expect(log().textContent).not.toContain('Grüße');
});

it('a hidden message is in the log and in the panel by its name alone', async () => {
  await startDemo();
  await aim('Port 1');
  await pin('chunks');
  await option('chunks', 'Edit');
  const form = within(await screen.findByRole('form', { name: 'Edit the command' }));
  fireEvent.change(await form.findByRole('textbox', { name: 'Label' }), { target: { value: 'secret' } });
  await userEvent.click(await form.findByRole('switch', { name: 'Hide in log and saved run' }));
  await userEvent.click(await form.findByRole('button', { name: 'Save' }));
  const button = await panel().findByRole('button', { name: /^Send secret/ });
  expect(button.textContent).not.toContain('chunks');
  expect(button.title).not.toContain('chunks');
  await userEvent.click(button);
  await waitFor(() =>
    expect(log().querySelector('[data-direction="sent"]')?.textContent).toMatch(/\[secret, hidden\]$/),
  );
});

it('a message is repeated until it is stopped', async () => {
  await startDemo();
  await aim('Port 1');
  await pin('adc 0');
  await option('adc 0', 'Repeat…');
  const form = within(await panel().findByRole('form', { name: 'Repeat adc 0' }));
  const every = await form.findByRole('textbox', { name: /^Every/ });
  await waitFor(() => expect(document.activeElement).toBe(every));
  fireEvent.change(every, { target: { value: '100' } });
  await userEvent.click(await form.findByRole('button', { name: 'Start' }));
  // The count follows the message's text, whose 0 must not match.
  await rowSays('adc 0', /adc 0\s*([3-9]|\d\d+)×/);
  await userEvent.click(await form.findByRole('button', { name: 'Stop' }));
  await waitFor(() => expect(row('adc 0').textContent).not.toContain('×'));
  await waitFor(() => expect(within(log()).getAllByText(/^adc0:\d+$/).length).toBeGreaterThanOrEqual(3));
});
