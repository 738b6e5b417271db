import { screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { choose, clearManager, press, showManager } from '../testing/manager.tsx';
import { testProject, testVersion } from '../testing/releases.ts';

afterEach(clearManager);

async function show() {
  const version = testVersion({ isPublic: true });
  const bench = showManager((server) => {
    server.projects = [testProject({ isPublic: true, versions: [version] })];
  });
  await screen.findByText(/of 3 used/);
  return { ...bench, row: () => screen.getByRole('listitem', { name: 'version 1.4.0' }), version };
}

const move = async (to: 'beta' | 'stable') => {
  await choose('version 1.4.0', `Move to ${to}`);
  await screen.findByText(`Version 1.4.0 is ${to}`);
};

describe('the channel of a version', () => {
  it('is moved by its menu, and only a beta version is marked', async () => {
    const { server, row, version } = await show();
    expect(within(row()).queryByText('Beta')).toBeNull();
    await move('beta');
    expect(await within(row()).findByText('Beta')).toBeTruthy();
    expect(server.calls).toContain(`POST /api/firmware/version/${version._id}/update-channel`);
    expect(server.bodies).toContainEqual({ channel: 'beta' });
    await move('stable');
    await vi.waitFor(() => expect(within(row()).queryByText('Beta')).toBeNull());
  });

  it('gives a project with a public beta version a second link', async () => {
    const { server } = await show();
    expect(screen.queryByRole('button', { name: 'Copy the beta link' })).toBeNull();
    await move('beta');
    const writeText = vi.fn(async (_text: string) => undefined);
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } });
    await press('Copy the beta link');
    await screen.findByText('Link to weather-node with beta versions copied');
    const { shareId } = server.projects[0] ?? testProject();
    expect(writeText.mock.calls[0]?.[0]).toMatch(new RegExp(`\\?type=project&id=${shareId}&channel=beta$`));
  });

  it('stays as it was when the server refuses, which the answer says', async () => {
    const { server, row } = await show();
    server.failAt('POST /api/firmware/version', { status: 503, message: 'The database is not available' });
    await choose('version 1.4.0', 'Move to beta');
    expect(await screen.findByText('Failed to move version 1.4.0')).toBeTruthy();
    expect(within(row()).queryByText('Beta')).toBeNull();
  });
});
