/** Tests device panels with demo devices: pinning, sending, and changes of their targets. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { reload, withWholePages } from '../../workbench/testing/whole-page.tsx';
import { aim, endWith, option, pane, panel, panelSays, pin, press, send } from './testing/panels-steps.ts';
import {
  choose,
  connectDemo,
  log,
  message,
  openTerminal,
  prompt,
  said,
  selectTab,
  startDemo,
  wide,
} from './testing/terminal-steps.ts';

withWholePages(wide);

it('a pinned message is sent with one press, and the device answers', async () => {
  await startDemo();
  await pin('help');
  // The only open port is the target by itself.
  await aim('No target');
  expect(send('help').getAttribute('aria-disabled')).toBe('true');
  await userEvent.click(send('help'));
  await panelSays('Please select a connected port first');
  await aim('Port 1');
  await press('help');
  await said('which addresses answer on the I2C bus');
  expect(log().querySelectorAll('[data-direction=sent]')).toHaveLength(1);
});

it('hex is sent as its bytes, text with the line ending of the panel', async () => {
  await startDemo();
  await aim('Port 1');
  await userEvent.click(await panel().findByRole('textbox', { name: 'Add a command' }));
  await userEvent.click(await panel().findByRole('radio', { name: 'Hex' }));
  await pin('68656c700a', 'Panel 1', '68 65 6C 70 0A');
  await press('68 65 6C 70 0A');
  await said('which addresses answer on the I2C bus');
  await said(prompt);
  await userEvent.click(await panel().findByRole('radio', { name: 'Text' }));
  await pin('utf8');
  await endWith('nothing');
  await press('utf8');
  await said('demo> utf8');
  await endWith('CR');
  await press('utf8');
  await said('unknown command: utf8utf8');
});

it('panels survive a reload', async () => {
  await openTerminal();
  await pin('wifi status');
  await userEvent.click(await pane().findByRole('button', { name: 'Add panel' }));
  await waitFor(() => panel('Panel 2'));
  await choose(await panel('Panel 2').findByRole('button', { name: 'Options of Panel 2' }), 'Rename');
  const name = await screen.findByRole('textbox', { name: 'Name of Panel 2' });
  await waitFor(() => expect(document.activeElement).toBe(name));
  await userEvent.keyboard('GNSS setup{Enter}');
  await waitFor(() => panel('GNSS setup'));
  await aim(/^Port 2/, 'GNSS setup');
  await endWith('CRLF', 'GNSS setup');
  await pin('$PUBX,00*33', 'GNSS setup');
  await option('wifi status', 'Copy to GNSS setup');
  await waitFor(() => send('wifi status', 'GNSS setup'));
  reload();
  await openTerminal();
  await waitFor(() => send('wifi status'));
  await waitFor(() => send('wifi status', 'GNSS setup'));
  panel('GNSS setup').getByRole('button', { name: /^Target of GNSS setup:\s*Port 2$/ });
  await userEvent.click(panel('GNSS setup').getByRole('button', { name: 'Options of GNSS setup' }));
  const ending = await screen.findByRole('menuitemcheckbox', { name: 'End lines with CRLF' });
  expect(ending.getAttribute('aria-checked')).toBe('true');
  await userEvent.keyboard('{Escape}');
  await userEvent.click(send('wifi status', 'GNSS setup'));
  await panelSays('Port 2 is not connected', 'GNSS setup');
});

it('the target is cleared when the device is unplugged, and the timeline says so', async () => {
  await startDemo();
  await aim('Port 1');
  await pin('help');
  await userEvent.click(await screen.findByRole('button', { name: 'Unplug' }));
  await panel().findByRole('button', { name: /^Target of Panel 1:\s*No target$/ });
  await said('Panel 1 no longer has a target: Port 1 disconnected.');
  await waitFor(() => expect(send('help').getAttribute('aria-disabled')).toBe('true'));
});

it('other settings for an open port keep its panels', async () => {
  await startDemo();
  await aim('Port 1');
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Baud' }), '921600');
  await screen.findByRole('tab', { name: /^Port 1\s*921600/ });
  panel().getByRole('button', { name: /^Target of Panel 1:\s*Port 1$/ });
});

it('the text of the send field is pinned to a panel', async () => {
  await openTerminal();
  fireEvent.change(message(), { target: { value: 'wifi status' } });
  const pinButton = () => screen.getByRole('button', { name: 'Pin' });
  await userEvent.click(pinButton());
  await screen.findByText(/^Pinned to Panel 1$/);
  await userEvent.click(pinButton());
  const console = within(screen.getByRole('region', { name: 'Console' }));
  await console.findByText('Command already exists in this panel');
  await userEvent.click(await pane().findByRole('button', { name: 'Add panel' }));
  await waitFor(() => panel('Panel 2'));
  await choose(pinButton(), '2: Panel 2');
  await waitFor(() => send('wifi status', 'Panel 2'));
});

it('two panels send to two boards', async () => {
  await openTerminal();
  for (const port of [1, 2]) {
    await selectTab(port);
    await connectDemo(port);
    await waitFor(() =>
      expect(Array.from(log().querySelectorAll(`[data-port="${port}"]`)).at(-1)?.textContent).toMatch(prompt),
    );
  }
  await userEvent.click(await pane().findByRole('button', { name: 'Add panel' }));
  await waitFor(() => panel('Panel 2'));
  await aim('Port 1', 'Panel 1');
  await aim('Port 2', 'Panel 2');
  await pin('info', 'Panel 1');
  await pin('info', 'Panel 2');
  await press('info', 'Panel 2');
  await said('02:57:42:00:00:02');
  await press('info', 'Panel 1');
  await said('02:57:42:00:00:01');
});

it('the quick guide opens with its key, also where the settings are put away', async () => {
  await openTerminal();
  const heading = () => screen.queryByRole('heading', { name: 'Panels', level: 3 });
  await userEvent.keyboard('{Shift>}?{/Shift}');
  await waitFor(() => expect(heading()).not.toBeNull());
  await userEvent.keyboard('{Shift>}?{/Shift}');
  await waitFor(() => expect(heading()).toBeNull());
  await userEvent.type(message(), 'why?');
  expect(screen.queryByRole('dialog', { name: 'Quick guide' })).toBeNull();
  await userEvent.click(await screen.findByRole('button', { name: 'Collapse the settings' }));
  await userEvent.keyboard('{Shift>}?{/Shift}');
  await screen.findByRole('dialog', { name: 'Quick guide' });
});
