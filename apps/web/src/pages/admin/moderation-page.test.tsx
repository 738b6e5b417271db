import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { AuditEntry, ModeratedAccount, ModeratedItem, ReportEntry, ServerState } from '@wirebench/contract';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ModerationList } from '../../features/admin/moderation-list.tsx';
import { ApiError } from '../../shared/api/api-error.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { FaultyServer } from '../../shared/api/testing.ts';
import { sessionStore } from '../../shared/session/page-session.ts';
import { testSession } from '../../shared/session/testing.ts';
import { serveConfig, testConfig } from '../../shared/testing/server-config.ts';
import { ModerationPage, type ModerationView } from './moderation-page.tsx';

const id = (number: number) => `01978c00-0000-7000-8000-${String(number).padStart(12, '0')}`;
const at = '2026-11-20T12:00:00.000Z';

const item = (changes: Partial<ModeratedItem> = {}): ModeratedItem => ({
  type: 'project',
  _id: id(1),
  name: 'weather-node',
  publisher: 'mira.k',
  path: '/release.html?type=project&id=x',
  account: { _id: id(2), isBlocked: false },
  updatedAt: at,
  withheld: null,
  ...changes,
});

class ModerationServer extends FaultyServer {
  reports: ReportEntry[] = [];
  items: ModeratedItem[] = [];
  accounts: ModeratedAccount[] = [];
  accountsCommand: string | undefined = undefined;
  entries: AuditEntry[] = [];
  state: ServerState | null = null;

  protected override answer(call: string, body: Record<string, unknown>): Response {
    const reason = String(body['reason']);
    const [, path = ''] = /\/api\/admin\/(.*?)(?:\?|$)/.exec(call) ?? [];
    const pagination = { total: this.reports.length || this.entries.length, limit: 50, skip: 0, hasMore: false };
    switch (path) {
      case 'reports':
        return Response.json({ reports: this.reports, pagination });
      case 'items':
        return Response.json({ items: this.items, pagination });
      case 'accounts':
        return Response.json({ accounts: this.accounts, command: this.accountsCommand, pagination });
      case 'counts':
        return Response.json({ reports: 3, feedback: 1_200, accounts: 2, audit: 0 });
      case 'state':
        return Response.json(this.state);
      case 'audit':
        return Response.json({ entries: this.entries, pagination });
      case `items/project/${id(1)}/take-down`: {
        const taken = item({ withheld: { by: 'taken-down', reason } });
        this.items = [taken];
        this.reports = [];
        return Response.json({ item: taken });
      }
      case `items/project/${id(1)}/dismiss-reports`:
        this.reports = [];
        return new Response(null, { status: 204 });
      default:
        return Response.json({ message: 'nothing', error: 'nothing', code: 'not-found' }, { status: 404 });
    }
  }
}

let server: ModerationServer;

function show(view: ModerationView) {
  render(
    <MemoryRouter initialEntries={[`/admin/${view}`]}>
      <ModerationPage view={view} />
    </MemoryRouter>,
  );
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

async function giveReason(title: string, action: string, reason: string) {
  const dialog = await screen.findByRole('dialog', { name: title });
  await userEvent.click(within(dialog).getByRole('button', { name: action }));
  expect(within(dialog).getByText('Please say why')).toBeTruthy();
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Reason' }), reason);
  await userEvent.click(within(dialog).getByRole('button', { name: action }));
}

beforeEach(() => {
  server = new ModerationServer();
  serveConfig(testConfig, server.fetch);
  const { user } = testSession();
  sessionStore.save(testSession({ expiresAt: Date.now() + 3_600_000, user: { ...user, roles: ['admin'] } }));
});

afterEach(() => {
  cleanup();
  queryClient.clear();
  sessionStore.forget();
  vi.unstubAllGlobals();
});

describe('reports', () => {
  const entry: ReportEntry = {
    _id: id(9),
    type: 'project',
    itemId: id(1),
    reason: 'harmful',
    note: '<b>It bricks boards</b>',
    createdAt: at,
    name: 'weather-node',
    item: item(),
  };

  it('are read as they were written, and an item is taken down for a reason', async () => {
    server.reports = [entry];
    show('reports');
    const row = await screen.findByRole('row', { name: /weather-node/ });
    expect(row.textContent).toContain('It damages devices or does something other than it says');
    expect(within(row).getByText('<b>It bricks boards</b>')).toBeTruthy();
    expect(within(row).getByRole('link', { name: 'weather-node' }).getAttribute('href')).toBe(item().path);
    await press('Take down weather-node');
    await giveReason('Take down weather-node?', 'Take down', 'It bricks boards');
    await screen.findByText('No open reports.');
    expect(server.bodies).toContainEqual({ reason: 'It bricks boards' });
  });

  it('can only be dismissed if their item is gone', async () => {
    server.reports = [{ ...entry, item: null }];
    show('reports');
    await screen.findByText('Project, deleted since');
    expect(screen.queryByRole('button', { name: /Take down/ })).toBeNull();
    await press('Dismiss the reports of weather-node');
    await giveReason('Dismiss the reports of weather-node?', 'Dismiss', 'It is gone');
    await screen.findByText('No open reports.');
  });

  it('can be loaded again after a failure', async () => {
    server.failAt('GET /api/admin/reports', { status: 503, message: 'The database does not answer.' });
    show('reports');
    await screen.findByText('The database does not answer.');
    server.failAt('GET /api/admin/reports', null);
    await press('Try again');
    await screen.findByText('No open reports.');
  });
});

describe('an act', () => {
  it('keeps its dialog and its reason when it fails', async () => {
    server.items = [item()];
    show('items');
    await screen.findByRole('row', { name: /weather-node/ });
    server.failAt('POST /api/admin/items', { status: 503, message: 'The database does not answer.' });
    await press('Take down weather-node');
    await giveReason('Take down weather-node?', 'Take down', 'It bricks boards');
    const dialog = await screen.findByRole('dialog', { name: 'Take down weather-node?' });
    await within(dialog).findByText('Nothing was changed.');
    expect(within(dialog).getByRole<HTMLInputElement>('textbox', { name: 'Reason' }).value).toBe('It bricks boards');
  });

  it('offers to restore a withheld item, and no second block of its account', async () => {
    server.items = [
      item({ withheld: { by: 'taken-down', reason: 'It bricks boards' }, account: { _id: id(2), isBlocked: true } }),
    ];
    show('items');
    const row = await screen.findByRole('row', { name: /weather-node/ });
    expect(row.textContent).toContain('It bricks boards');
    expect(
      within(row)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['Restore']);
  });
});

describe('public items', () => {
  it('are searched for by kind and name', async () => {
    server.items = [item()];
    show('items');
    await screen.findByRole('row', { name: /weather-node/ });
    await userEvent.click(screen.getByRole('radio', { name: 'JKits' }));
    await userEvent.type(screen.getByRole('searchbox'), 'modem{Enter}');
    await waitFor(() => expect(server.calls).toContain('GET /api/admin/items?type=jkit&q=modem&limit=50&skip=0'));
  });
});

describe('accounts', () => {
  it('are listed with the reason if they are blocked', async () => {
    const blocked = { reason: 'Sells stolen firmware', at };
    server.accounts = [{ _id: id(2), publicName: 'mira.k', lastSeenAt: at, tokens: 2, blocked }];
    show('accounts');
    const row = await screen.findByRole('row', { name: /mira\.k/ });
    expect(row.textContent).toContain('Sells stolen firmware');
    expect(
      within(row)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['Unblock', 'Revoke tokens']);
  });
});

describe('the list of accounts', () => {
  const person = (more: Partial<ModeratedAccount>): ModeratedAccount => ({
    _id: id(3),
    publicName: 'noor',
    lastSeenAt: at,
    tokens: 0,
    blocked: null,
    ...more,
  });

  it('shows every account with its role, and whether it is disabled', async () => {
    server.accounts = [
      person({ role: 'admin' }),
      person({ _id: id(4), publicName: 'lab', role: 'user', isDisabled: true, lastSeenAt: null }),
      person({ _id: id(5), publicName: 'old' }),
    ];
    show('accounts');
    expect((await screen.findByRole('row', { name: /noor/ })).textContent).toContain('Administrator');
    expect(screen.getByRole('row', { name: /lab/ }).textContent).toMatch(/Disabled.*User.*Not known/);
    expect(screen.getByRole('row', { name: /old/ }).textContent).toContain('Not known');
    expect(server.calls).toContain('GET /api/admin/accounts?q=&state=any&limit=50&skip=0');
    await userEvent.click(screen.getByRole('radio', { name: 'Blocked' }));
    await waitFor(() => expect(server.calls).toContain('GET /api/admin/accounts?q=&state=blocked&limit=50&skip=0'));
  });

  it('shows sign-in names and e-mail addresses, and no Block on the row of the operator', async () => {
    server.accounts = [
      person({ signInName: 'noor', email: 'noor@lab.example', isYou: true }),
      person({ _id: id(4), publicName: 'Night Owl', signInName: 'kim.lab' }),
    ];
    show('accounts');
    const own = await screen.findByRole('row', { name: /noor@lab\.example/ });
    expect(own.textContent).toContain('You');
    expect(within(own).queryAllByRole('button')).toEqual([]);
    const other = screen.getByRole('row', { name: /Night Owl/ });
    expect(other.textContent).toContain('kim.lab');
    expect(within(other).getByRole('button').textContent).toContain('Block');
    expect(screen.getByRole('searchbox', { name: 'Name or e-mail' })).toBeTruthy();
  });

  it('names the command that makes and disables accounts, or the provider that keeps them', async () => {
    server.accountsCommand = 'npm run accounts';
    show('accounts');
    expect((await screen.findByText('npm run accounts')).closest('p')?.textContent).toContain('disables and enables');
    cleanup();
    queryClient.clear();
    server.accountsCommand = undefined;
    show('accounts');
    await screen.findByText(/^Your identity provider keeps the accounts/);
    expect(screen.getByText('No account has signed in yet.')).toBeTruthy();
  });
});

describe('the audit list', () => {
  it('says who did what, when and why', async () => {
    server.entries = [
      { _id: id(5), at, by: 'ada@wirebench.example', action: 'blocked', what: 'mira.k', reason: 'Spam' },
    ];
    show('audit');
    const row = await screen.findByRole('row', { name: /mira\.k/ });
    expect(row.textContent).toMatch(/Blocked.*mira\.k.*Spam.*ada@wirebench\.example/);
    expect(within(row).queryByRole('button')).toBeNull();
  });
});

describe('the tabs', () => {
  it('are offered to those who have the role of the server', async () => {
    show('audit');
    const tabs = await screen.findByRole('navigation', { name: 'Administration' });
    expect(
      within(tabs)
        .getByRole('link', { name: /^Audit/ })
        .getAttribute('aria-current'),
    ).toBe('page');
    cleanup();
    sessionStore.save(testSession({ expiresAt: Date.now() + 3_600_000 }));
    show('audit');
    await screen.findByText('Nothing has been moderated yet.');
    expect(screen.queryByRole('navigation', { name: 'Administration' })).toBeNull();
  });
});

it('a list that the server refuses says so, and offers nothing', async () => {
  const load = () => Promise.reject(new ApiError('refused', { status: 403, statusText: '', body: null }));
  const list = { label: 'List', of: ['x'], heads: [], rows: () => [], empty: '', hasMore: () => false };
  render(<ModerationList {...list} load={load} />);
  await screen.findByText("Access denied. You don't have permission to moderate.");
  expect(screen.queryByRole('button')).toBeNull();
});

describe('the state of the server', () => {
  it('has what is misconfigured with its remedy, then the facts, below tabs that begin with reports', async () => {
    server.state = {
      version: '0.1.0',
      node: '26.10.0',
      startedAt: at,
      database: { kind: 'postgres', version: '17.2', schema: '0021-account-names', size: 12_582_912 },
      files: { kind: 's3', place: 'store.example/firmware', answers: false },
      disk: { folder: '/data', free: 1_048_576, size: 2_097_152 },
      backup: { isOwn: false, command: 'npm run backup -- <file>', last: null },
      warnings: [{ text: 'The store of files does not answer.', remedy: 'Read the log: it names the reason.' }],
    };
    show('state');
    await screen.findByText(/The store of files does not answer/);
    const facts = [...document.querySelectorAll('dl > div')].map(({ textContent }) => textContent);
    expect(facts).toContain('DatabasePostgreSQL 17.2, 12.0 MB, schema 0021-account-names');
    expect(facts).toContain('FilesS3 store.example/firmware, which does not answer');
    expect(facts).toContain('Disk1.0 MB of 2.0 MB free, at /data');
    expect(facts.at(-1)).toContain('Not known here');
    const tabs = within(screen.getByRole('navigation', { name: 'Administration' })).getAllByRole('link');
    expect(tabs.map(({ textContent }) => textContent)).toEqual([
      'Reports 3',
      'Feedback 1,200',
      'Public items',
      'Accounts 2',
      'Audit 0',
      'Server',
    ]);
  });
});
