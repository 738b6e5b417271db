import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { Project, Token } from '@wirebench/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { toasts } from '../../../shared/testing/toasts.ts';
import { savedBy } from '../../../workbench/testing/saved-files.ts';
import { choose, clearManager, dialog, field, press, showManager } from '../testing/manager.tsx';
import type { ReleaseServer } from '../testing/release-server.ts';
import { testFile, testProject, testVersion } from '../testing/releases.ts';

afterEach(clearManager);

async function show(changes: Partial<Project> = {}, prepare: (server: ReleaseServer) => void = () => undefined) {
  const project = testProject({ versions: [testVersion()], ...changes });
  const bench = showManager((server) => {
    server.projects = [project];
    prepare(server);
  });
  await screen.findByText(/of 3 used/);
  return { ...bench, project };
}

const rows = (element: HTMLElement) =>
  within(element)
    .getAllByRole('row')
    .slice(1)
    .map((row) => Array.from(row.children, ({ textContent }) => textContent));
const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

describe('flashes of a version', () => {
  it('are listed by chip and error', async () => {
    await show({ versions: [testVersion({ writeCount: 1_205 })] }, (server) => {
      server.flashes = {
        successes: 1_205,
        failures: 2,
        counts: [
          { result: 'success', chip: 'ESP32-S3', errorCode: null, count: 1_205 },
          { result: 'failure', chip: 'ESP32-S3', errorCode: 'no-answer', count: 1 },
          { result: 'failure', chip: null, errorCode: null, count: 1 },
        ],
      };
    });
    expect(screen.getByText(/^1\s205$/)).toBeTruthy();
    await choose('version 1.4.0', 'Flashes by chip');
    const opened = await dialog('Flashes of version 1.4.0');
    await within(opened).findByText('1 205 successful, 2 failed');
    expect(rows(opened)).toEqual([
      ['ESP32-S3', 'Successful', '1\u2009205'],
      ['Failed: no-answer', '1'],
      ['Not reported', 'Failed: no code', '1'],
    ]);
  });

  it('can be empty, and can fail to load', async () => {
    const { server } = await show({}, (prepared) => prepared.failAt('GET /api/firmware/version/', 'offline'));
    await choose('version 1.4.0', 'Flashes by chip');
    const opened = await dialog('Flashes of version 1.4.0');
    await within(opened).findByText('Failed to load flashes: Network error: No response from server');
    server.failAt('GET /api/firmware/version/', null);
    await press('Try again');
    await within(opened).findByText('Nobody has flashed this version yet.');
  });
});

describe('comparing versions', () => {
  it('is offered from two versions on', async () => {
    await show();
    await press('More about weather-node');
    await screen.findByRole('menuitem', { name: 'History' });
    expect(screen.queryByRole('menuitem', { name: 'Compare versions' })).toBeNull();
  });

  it('shows files added, changed, moved and removed with sizes and offsets, newest against the one before', async () => {
    const older = [
      testFile({ fileName: 'boot.bin', offset: '0x0', sha256: 'b', size: 1_024 }),
      testFile({ fileName: 'app.bin', offset: '0x10000', sha256: 'a', size: 2_048 }),
      testFile({ fileName: 'gone.bin', offset: '0x20000', sha256: 'g', size: 10 }),
    ];
    const newer = [
      testFile({ fileName: 'boot.bin', offset: '0x1000', sha256: 'b', size: 1_024 }),
      testFile({ fileName: 'app.bin', offset: '0x10000', sha256: 'c', size: 3_072 }),
      testFile({ fileName: 'new.bin', offset: '0x30000', sha256: 'n', size: 20 }),
    ];
    await show({
      versions: [testVersion({ version: '1.5.0', files: newer }), testVersion({ version: '1.4.0', files: older })],
    });
    await choose('weather-node', 'Compare versions');
    const opened = await dialog('Compare versions of weather-node');
    expect(rows(opened)).toEqual([
      ['boot.bin', 'Moved', '0x0 → 0x1000', '1.0 KB'],
      ['app.bin', 'Changed', '0x10000', '2.0 KB → 3.0 KB (+1.0 KB)'],
      ['gone.bin', 'Removed', '0x20000', '10 B'],
      ['new.bin', 'Added', '0x30000', '20 B'],
    ]);
    await userEvent.selectOptions(within(opened).getByRole('combobox', { name: 'From' }), '1.5.0');
    expect(rows(opened).map(([, change]) => change)).toEqual(['Same', 'Same', 'Same']);
  });
});

describe('history of a project', () => {
  it('says who did what, and is saved as a file', async () => {
    const { server, project } = await show({}, (prepared) => {
      const entry = { _id: '01978c00-0000-7000-8000-0000000000bb', at: '2026-11-20T12:00:00.000Z', by: 'mira.k' };
      const token = { _id: '01978c00-0000-7000-8000-0000000000cc', name: 'CI' };
      prepared.history = [{ ...entry, action: 'version-created', version: '1.4.0', token }];
    });
    await choose('weather-node', 'History');
    const opened = await dialog('History of weather-node');
    await within(opened).findByText('mira.k added version 1.4.0 with the token "CI"');
    expect(within(opened).getByText('1 change, newest first')).toBeTruthy();
    const { name, bytes } = await savedBy(() => press('Export as CSV'));
    expect(name).toBe('history-weather-node.csv');
    expect(bytes.length).toBeGreaterThan(0);
    expect(server.calls).toContain(`GET /api/firmware/project/${project._id}/history?format=csv`);
  });

  it('cannot be saved after another tab deleted the project, and the list is updated', async () => {
    const { server, project } = await show();
    await choose('weather-node', 'History');
    await dialog('History of weather-node');
    server.failAt(`GET /api/firmware/project/${project._id}/history?format=csv`, {
      status: 404,
      message: 'There is nothing at this address.',
    });
    server.projects = [];
    await press('Export as CSV');
    await screen.findByText('Failed to export the history');
    await screen.findByText('No projects yet');
  });
});

describe('publishing tokens', () => {
  const old: Token = {
    _id: '01978c00-0000-7000-8000-0000000000dd',
    name: 'Old server',
    scope: 'firmware:write',
    project: null,
    createdAt: '2020-01-01T12:00:00.000Z',
    expiresAt: '2020-03-31T12:00:00.000Z',
    lastUsedAt: '2020-02-01T12:00:00.000Z',
  };

  it('are shown once, copied, and never again', async () => {
    const { server, project } = await show();
    const writeText = vi.fn(async () => undefined);
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } });
    await press('Tokens');
    const opened = await dialog('Publishing tokens');
    await within(opened).findByText('You have no tokens.');
    await press('Create token');
    expect(within(opened).getByText('Please enter a name for the token')).toBeTruthy();
    await userEvent.type(field('Name'), 'CI');
    await userEvent.selectOptions(within(opened).getByRole('combobox', { name: 'Expires after' }), '30');
    await press('Create token');
    const secret = await within(opened).findByRole<HTMLInputElement>('textbox', { name: 'Token' });
    expect(secret.value).toBe('wirebench_secret');
    expect(server.bodies).toContainEqual({ name: 'CI', projectId: project._id, expiresInDays: 30 });
    await press('Copy');
    expect(writeText).toHaveBeenCalledWith('wirebench_secret');
    await within(opened).findByRole('row', { name: /^CI/ });
    const command = `node publish-release.mjs --server ${location.origin} --project ${project.name} --version`;
    expect(within(opened).getAllByText(command, { exact: false, selector: 'pre > code' })).toHaveLength(3);
    await userEvent.keyboard('{Escape}');
    expect(await screen.findByText('The token cannot be shown again.')).toBeTruthy();
    expect(screen.getByDisplayValue('wirebench_secret')).toBeTruthy();
    await press('I have copied it');
    expect(screen.queryByDisplayValue('wirebench_secret')).toBeNull();
    await userEvent.keyboard('{Escape}');
    await closed();
  });

  it('show their last use and expiry, and are revoked by a second press', async () => {
    const { server } = await show({}, (prepared) => {
      prepared.tokens = [old];
    });
    await press('Tokens');
    const opened = await dialog('Publishing tokens');
    const row = await within(opened).findByRole('row', { name: /^Old server/ });
    expect(row.textContent).toContain('All projects');
    expect(row.textContent).toContain('1 Feb 2020');
    expect(row.textContent).toContain('Expired 31 Mar 2020');
    await press('Revoke Old server');
    expect(server.tokens).toHaveLength(1);
    await press('Confirm: revoke Old server');
    await within(opened).findByText('You have no tokens.');
  });

  it('leave the focus in the next row when one is revoked', async () => {
    await show({}, (prepared) => {
      prepared.tokens = [old, { ...old, _id: '01978c00-0000-7000-8000-0000000000de', name: 'Other server' }];
    });
    await press('Tokens');
    const opened = await dialog('Publishing tokens');
    await within(opened).findByRole('row', { name: /^Old server/ });
    await press('Revoke Old server');
    await press('Confirm: revoke Old server');
    await waitFor(() => expect(within(opened).queryByRole('row', { name: /^Old server/ })).toBeNull());
    expect(document.activeElement).toBe(within(opened).getByRole('button', { name: 'Revoke Other server' }));
  });

  it('say what was wrong with a new one until the next action', async () => {
    await show();
    await press('Tokens');
    const opened = await dialog('Publishing tokens');
    await press('Create token');
    expect(within(opened).getByText('Please enter a name for the token')).toBeTruthy();
    await userEvent.selectOptions(within(opened).getByRole('combobox', { name: 'Expires after' }), '7 days');
    expect(within(opened).queryByText('Please enter a name for the token')).toBeNull();
  });

  it('may be allowed to replace the oldest version, which their row says', async () => {
    const { server, project } = await show();
    await press('Tokens');
    const opened = await dialog('Publishing tokens');
    await userEvent.type(field('Name'), 'CI');
    await userEvent.click(within(opened).getByRole('checkbox', { name: /^May replace the oldest version/ }));
    await press('Create token');
    const row = await within(opened).findByRole('row', { name: /^CI/ });
    expect(row.textContent).toContain('May replace the oldest version');
    expect(server.bodies).toContainEqual({ name: 'CI', projectId: project._id, expiresInDays: 90, mayReplace: true });
  });

  it('are made for one project, which has to be chosen where there are several', async () => {
    const other = testProject({ name: 'pump' });
    const { server } = await show({}, (prepared) => {
      prepared.projects = [...prepared.projects, other];
    });
    await press('Tokens');
    const opened = await dialog('Publishing tokens');
    await userEvent.type(field('Name'), 'CI');
    await press('Create token');
    expect(within(opened).getByText('Please choose the project that the token publishes')).toBeTruthy();
    expect(server.calls).not.toContain('POST /api/tokens');
    await userEvent.selectOptions(within(opened).getByRole('combobox', { name: 'Project' }), 'pump');
    await press('Create token');
    await within(opened).findByRole('textbox', { name: 'Token' });
    expect((await within(opened).findByRole('row', { name: /^CI/ })).textContent).toContain('pump');
    expect(server.bodies).toContainEqual({ name: 'CI', projectId: other._id, expiresInDays: 90 });
  });

  it('say why one was not made, and keep its name', async () => {
    const { server } = await show();
    server.failAt('POST /api/tokens', { status: 422, message: 'You have reached the maximum limit of 20 tokens.' });
    await press('Tokens');
    await dialog('Publishing tokens');
    await userEvent.type(field('Name'), 'CI{Enter}');
    expect((await screen.findByText('Failed to create the token')).closest('[role=alert]')?.textContent).toContain(
      'You have reached the maximum limit of 20 tokens.',
    );
    expect(field('Name').value).toBe('CI');
  });
});

describe('the settings of a link', () => {
  it('renew it by a second press, of a project', async () => {
    const { server, project } = await show({ isPublic: true });
    await choose('weather-node', 'Link settings');
    const opened = await dialog('Link to weather-node');
    expect(within(opened).getByText(new RegExp(project.shareId))).toBeTruthy();
    await press('Renew the link');
    expect(server.projects[0]?.shareId).toBe(project.shareId);
    await press('Confirm: renew the link');
    await within(opened).findByText(/renewed-project-share-/);
    expect(await screen.findByText('The link to weather-node was renewed. The old one no longer works.')).toBeTruthy();
  });

  it('give it an end in the future, and take it away again, of a version', async () => {
    const { server } = await show();
    await choose('version 1.4.0', 'Link settings');
    const opened = await dialog('Link to version 1.4.0');
    const end = within(opened).getByLabelText<HTMLInputElement>('Expires');
    for (const past of ['', '2020-01-01T12:00']) {
      fireEvent.change(end, { target: { value: past } });
      await press('Set expiry');
      expect(within(opened).getByText('The expiry of a link must be in the future')).toBeTruthy();
    }
    expect(server.calls.filter((call) => call.startsWith('POST'))).toEqual([]);
    fireEvent.change(end, { target: { value: '2099-01-31T12:30' } });
    await press('Set expiry');
    await waitFor(() =>
      expect(server.projects[0]?.versions[0]?.shareEndsAt).toBe(new Date(2099, 0, 31, 12, 30).toISOString()),
    );
    expect(await screen.findByText('Link expires 31 Jan 2099, 12:30')).toBeTruthy();
    await userEvent.click(await within(opened).findByRole('button', { name: 'Remove expiry' }));
    await waitFor(() => expect(server.projects[0]?.versions[0]?.shareEndsAt).toBeUndefined());
    await waitFor(() => expect(screen.queryByText(/^Link expires/)).toBeNull());
    expect(end.value).toBe('');
  });

  it('stay open with the reason when they fail', async () => {
    const { server } = await show({ isPublic: true });
    server.failAt('POST /api/firmware/project', { status: 503, message: 'The database does not answer.' });
    await choose('weather-node', 'Link settings');
    const opened = await dialog('Link to weather-node');
    await press('Renew the link');
    await press('Confirm: renew the link');
    await within(opened).findByText('The link was not renewed.');
    expect(opened.textContent).toContain('The database does not answer.');
    await userEvent.click(within(opened).getByRole('button', { name: 'Set expiry' }));
    expect(within(opened).queryByText('The link was not renewed.')).toBeNull();
    expect(within(opened).getByText('The expiry of a link must be in the future')).toBeTruthy();
    await userEvent.click(within(opened).getByRole('button', { name: 'Renew the link' }));
    expect(within(opened).queryByText('The expiry of a link must be in the future')).toBeNull();
  });
});

describe('a release that was taken down', () => {
  it('says why, and cannot be made public', async () => {
    await show({ withheld: { by: 'taken-down', reason: 'It bricks boards' } });
    expect(screen.getByText('weather-node was taken down by whoever runs this server.')).toBeTruthy();
    expect(screen.getByText('Reason: It bricks boards')).toBeTruthy();
    const badge = screen.getByRole('button', { name: 'Private: weather-node' });
    expect(badge.getAttribute('aria-disabled')).toBe('true');
  });
});

describe('terminal set-up of a version', () => {
  async function openSetUp(changes: Partial<Project> = {}) {
    const bench = await show(changes);
    await choose('version 1.4.0', 'Terminal set-up');
    await dialog('Terminal set-up of version 1.4.0');
    return bench;
  }

  it('is closed by Escape, and what was chosen can be had back', async () => {
    await openSetUp();
    await userEvent.keyboard('{Escape}');
    await closed();
    expect(toasts().current).toBeNull();
    await choose('version 1.4.0', 'Terminal set-up');
    await dialog('Terminal set-up of version 1.4.0');
    await userEvent.click(screen.getByRole('checkbox', { name: 'Set up the terminal after a flash' }));
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Line ending' }), 'crlf');
    await userEvent.keyboard('{Escape}');
    await closed();
    const { current } = toasts();
    expect([current?.text, current?.action?.label]).toEqual(['Changes to the terminal set-up discarded', 'Undo']);
    act(() => current?.action?.onAction());
    await dialog('Terminal set-up of version 1.4.0');
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Line ending' }).value).toBe('crlf');
    await press('Cancel');
    await closed();
    await choose('version 1.4.0', 'Terminal set-up');
    await dialog('Terminal set-up of version 1.4.0');
    expect(screen.queryByRole('combobox', { name: 'Line ending' })).toBeNull();
  });

  it('is saved, and an invalid rate is refused', async () => {
    const { server } = await openSetUp();
    await userEvent.click(screen.getByRole('checkbox', { name: 'Set up the terminal after a flash' }));
    const rate = screen.getByRole('combobox', { name: 'Baud rate' });
    await userEvent.clear(rate);
    await userEvent.type(rate, '4');
    expect(screen.getByText('Baud rate must be a whole number from 50 to 8000000')).toBeTruthy();
    await press('Save');
    expect(server.calls.some((call) => call.startsWith('POST'))).toBe(false);
    await userEvent.type(rate, '9x600');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Line ending' }), 'crlf');
    await press('Save');
    await closed();
    expect(server.bodies).toContainEqual({ console: { baudRate: 49_600, lineEnding: 'crlf', jkitId: null } });
  });

  it('keeps a jkit that is not in the list, and can be taken away', async () => {
    const console = { baudRate: 9_600, lineEnding: 'lf', jkitId: 'somebody-elses' } as const;
    const { server } = await openSetUp({ versions: [testVersion({ console })] });
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'JKit' }).value).toBe('somebody-elses');
    await userEvent.click(screen.getByRole('checkbox', { name: 'Set up the terminal after a flash' }));
    await press('Save');
    await closed();
    expect(server.bodies).toContainEqual({ console: null });
  });
});
