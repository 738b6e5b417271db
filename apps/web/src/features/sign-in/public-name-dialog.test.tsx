import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { Account } from '@wirebench/contract';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { queryClient } from '../../shared/api/query-client.ts';
import { FaultyServer } from '../../shared/api/testing.ts';
import { isOwnName } from '../../shared/session/own-names.ts';
import { sessionStore } from '../../shared/session/page-session.ts';
import { testSession } from '../../shared/session/testing.ts';
import { PublicNameDialog } from './public-name-dialog.tsx';

class AccountServer extends FaultyServer {
  account: Account = { publicName: 'Maker 4F2A', isChosen: false, blocked: null };

  protected override answer(call: string, body: Record<string, unknown>): Response {
    if (call.endsWith('/config.json')) {
      const oidc = { issuer: 'http://id', url: 'http://id', realm: 'r', clientId: 'c' };
      const limits = { projects: 5, versions: 3, jkits: 5 };
      return Response.json({ apiUrl: '', oidc, latestReleaseUrl: '/', limits });
    }
    if (call.startsWith('PUT')) {
      this.account = { ...this.account, publicName: String(body['publicName']), isChosen: true };
    }
    return Response.json({ account: this.account });
  }
}

let server: AccountServer;
const onClose = vi.fn();
const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Public name' });
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }));

async function open() {
  render(<PublicNameDialog user="mira.k" open onClose={onClose} />);
  await screen.findByRole('textbox', { name: 'Public name' });
}

beforeEach(() => {
  server = new AccountServer();
  vi.stubGlobal('fetch', server.fetch);
  sessionStore.save(testSession({ expiresAt: Date.now() + 3_600_000 }));
});

afterEach(() => {
  cleanup();
  queryClient.clear();
  sessionStore.forget();
  onClose.mockClear();
  vi.unstubAllGlobals();
});

it('a given name says so, and makes room for a chosen one', async () => {
  await open();
  expect(field().value).toBe('Maker 4F2A');
  expect(screen.getByText('This name was made up for you. It says nothing about who you are.')).toBeTruthy();
  await userEvent.clear(field());
  await userEvent.type(field(), 'Bench Fox');
  await save();
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(server.account.publicName).toBe('Bench Fox');
  expect(isOwnName('mira.k', 'Bench Fox')).toBe(true);
  expect(isOwnName('somebody', 'Bench Fox')).toBe(false);
});

it.each([
  ['mira@lab.example', 'A public name cannot be an e-mail address'],
  ['wirebench', 'This name is reserved. Please choose another one.'],
  [' ', 'Please enter a public name'],
])('%j is refused before it is sent', async (name, sentence) => {
  await open();
  await userEvent.clear(field());
  await userEvent.type(field(), name);
  await save();
  expect(screen.getByText(sentence)).toBeTruthy();
  expect(server.calls.some((call) => call.startsWith('PUT'))).toBe(false);
});

it('a name that is taken stays in the field with the reason', async () => {
  await open();
  const message = 'Somebody else publishes under this name. Please choose another one.';
  server.failAt('PUT /api/account/public-name', { status: 409, message });
  await userEvent.clear(field());
  await userEvent.type(field(), 'Bench Fox');
  await save();
  await screen.findByText('The name was not changed.');
  expect(screen.getByText(message, { exact: false })).toBeTruthy();
  expect(field().value).toBe('Bench Fox');
  expect(onClose).not.toHaveBeenCalled();
});
