/** Tests the terminal in a window of medium width, and on a page that may not open ports. */
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { showPage, withWholePages } from '../../workbench/testing/whole-page.tsx';
import { openTerminal, press, prompt, said } from './testing/terminal-steps.ts';

withWholePages({ media: (query) => ['(min-width: 721px)', '(min-width: 901px)'].includes(query) });

it('below 1180 px the settings lie over the log, and Escape closes them', async () => {
  await openTerminal();
  await press(/^Settings of port 1/);
  await screen.findByRole('dialog', { name: 'Port 1 settings' });
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Settings of port 1/ })));
});

it('on an insecure page it says how to open it', async () => {
  Reflect.deleteProperty(navigator, 'serial');
  vi.stubGlobal('isSecureContext', false);
  await showPage('/app/uart', async () => (await import('./terminal-page.tsx')).TerminalPage);
  await screen.findByRole('heading', { name: 'This page cannot open serial ports' });
  expect((await screen.findByRole('link', { name: 'Open over https' })).getAttribute('href')).toMatch(/^https:/);
  await press('Try the demo board');
  await said(prompt);
});
