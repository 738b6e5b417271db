import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { FaultyServer } from '../../shared/api/testing.ts';
import { sessionStore } from '../../shared/session/page-session.ts';
import { ReportButton } from './report-button.tsx';

class ReportServer extends FaultyServer {
  protected override answer(call: string): Response {
    if (call.endsWith('/config.json')) {
      const oidc = { issuer: 'http://id', url: 'http://id', realm: 'r', clientId: 'c' };
      const limits = { projects: 5, versions: 3, jkits: 5 };
      return Response.json({ apiUrl: '', oidc, latestReleaseUrl: '/', limits });
    }
    return new Response(null, { status: 204 });
  }
}

let server: ReportServer;
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

async function open() {
  server = new ReportServer();
  vi.stubGlobal('fetch', server.fetch);
  sessionStore.forget();
  render(<ReportButton type="version" id="share-id" name="weather-node 1.4.0" label="Report this release" />);
  await press('Report this release');
  await screen.findByRole('dialog', { name: 'Report weather-node 1.4.0' });
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('a report needs a reason and no sign-in', async () => {
  await open();
  await press('Send report');
  expect(screen.getByText('Please choose a reason')).toBeTruthy();
  expect(server.calls.filter((call) => call.startsWith('POST'))).toEqual([]);
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Reason' }), 'harmful');
  await userEvent.type(screen.getByRole('textbox', { name: 'Note (optional)' }), 'It bricks boards');
  await press('Send report');
  await screen.findByText('Report sent.');
  expect(server.bodies).toContainEqual({
    type: 'version',
    id: 'share-id',
    reason: 'harmful',
    note: 'It bricks boards',
  });
  await press('Close');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('a report that fails stays, with the reason, and can be sent again', async () => {
  await open();
  const message = 'Too many requests. Please wait a moment and try again.';
  server.failAt('POST /api/reports', { status: 429, message });
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Reason' }), 'spam');
  await userEvent.type(screen.getByRole('textbox', { name: 'Note (optional)' }), 'Again');
  await press('Send report');
  await screen.findByText('The report was not sent.');
  expect(screen.getByText(message, { exact: false })).toBeTruthy();
  server.failAt('POST /api/reports', null);
  await press('Send report');
  await screen.findByText('Report sent.');
});

it('a reason that is missing is asked for at its field, and until the next action only', async () => {
  await open();
  await press('Send report');
  expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Reason' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Note (optional)' }), 'It');
  expect(screen.queryByText('Please choose a reason')).toBeNull();
});

it('a report that was sent leaves the focus at the button that closes', async () => {
  await open();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Reason' }), 'spam');
  await press('Send report');
  await screen.findByText('Report sent.');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Close' })));
});
