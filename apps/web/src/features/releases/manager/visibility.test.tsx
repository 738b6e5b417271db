import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { Project } from '@wirebench/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { choose, clearManager, dialog, field, press, showManager } from '../testing/manager.tsx';
import { testProject, testVersion } from '../testing/releases.ts';

afterEach(clearManager);

async function show(changes: Partial<Project> = {}) {
  const project = testProject({ isPublic: true, versions: [testVersion({ isPublic: true })], ...changes });
  const bench = showManager((server) => {
    server.projects = [project];
  });
  await screen.findByText(/of 3 used/);
  return { ...bench, project, version: project.versions[0] ?? testVersion() };
}

const badge = (name: string) => screen.getByRole('button', { name });
const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
const clipboard = (writeText: (text: string) => Promise<void>) =>
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } });

describe('visibility of a project', () => {
  it('becomes public at a press, naming the versions that are seen with it', async () => {
    const { server, project } = await show({ isPublic: false });
    await userEvent.dblClick(badge('Private: weather-node'));
    await screen.findByText('weather-node is public');
    expect(screen.getByText('Version 1.4.0 becomes visible too.')).toBeTruthy();
    expect(badge('Public: weather-node')).toBeTruthy();
    // Both presses send the same state, so the second one does not revert the first.
    expect(server.calls).toContain(`POST /api/firmware/project/${project._id}/toggle-sharing`);
    const visibilities = server.calls.flatMap((call, index) =>
      call.includes('toggle-sharing') ? [server.bodies[index]] : [],
    );
    expect(visibilities.every((body) => JSON.stringify(body) === '{"isPublic":true}')).toBe(true);
  });

  it('shows without a public version that visitors see none yet', async () => {
    await show({ isPublic: false, versions: [testVersion()] });
    await userEvent.click(badge('Private: weather-node'));
    await screen.findByText('weather-node is public');
    expect(screen.getByText('Visitors read “No version published yet” until you publish a version.')).toBeTruthy();
    expect(screen.getByText('Visitors read “No version published yet”. 1.4.0 is ready.')).toBeTruthy();
  });

  it('becomes private only after its name was typed', async () => {
    const { server } = await show();
    await userEvent.click(badge('Public: weather-node'));
    await dialog('Make weather-node private?');
    await userEvent.type(field('Name'), 'Weather-node');
    await press('Make private');
    expect(screen.getByText("Confirmation text doesn't match")).toBeTruthy();
    expect(server.calls.some((call) => call.startsWith('POST'))).toBe(false);
    await userEvent.clear(field('Name'));
    await userEvent.type(field('Name'), ' weather-node {Enter}');
    await closed();
    expect(badge('Private: weather-node')).toBeTruthy();
    expect(server.bodies).toContainEqual({ isPublic: false });
  });

  it('is asked for with an empty field each time the dialog opens', async () => {
    await show();
    await userEvent.click(badge('Public: weather-node'));
    await dialog('Make weather-node private?');
    await userEvent.type(field('Name'), 'x');
    await press('Make private');
    await userEvent.keyboard('{Escape}');
    await closed();
    await userEvent.click(badge('Public: weather-node'));
    await dialog('Make weather-node private?');
    expect(field('Name').value).toBe('');
    expect(screen.queryByText("Confirmation text doesn't match")).toBeNull();
  });

  it('reports a change that failed', async () => {
    const { server, project } = await show({ isPublic: false });
    server.failAt(`POST /api/firmware/project/${project._id}/toggle-sharing`, { status: 500, message: 'Later.' });
    await userEvent.click(badge('Private: weather-node'));
    const alert = (await screen.findByText('Failed to toggle project sharing')).closest('[role=alert]');
    expect(alert?.textContent).toContain('Later.');
  });
});

describe('Publish', () => {
  const sharing = (calls: readonly string[]) => calls.filter((call) => call.endsWith('toggle-sharing'));

  it('makes the project and its version public together', async () => {
    const { server, project, version } = await show({ isPublic: false, versions: [testVersion()] });
    expect(screen.getByText('Version 1.4.0 is ready, and only you see it.')).toBeTruthy();
    await press('Publish 1.4.0 of weather-node');
    await screen.findByText('Version 1.4.0 of weather-node is published');
    expect(screen.getByText('Visitors install 1.4.0.')).toBeTruthy();
    expect(badge('Public: weather-node')).toBeTruthy();
    expect(badge('Public: version 1.4.0')).toBeTruthy();
    expect(screen.getByRole('textbox', { name: 'Project link' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Publish/ })).toBeNull();
    expect(sharing(server.calls)).toEqual([
      `POST /api/firmware/project/${project._id}/toggle-sharing`,
      `POST /api/firmware/version/${version._id}/toggle-sharing`,
    ]);
  });

  it('continues after the second request failed', async () => {
    const { server, version } = await show({ isPublic: false, versions: [testVersion()] });
    const path = `POST /api/firmware/version/${version._id}/toggle-sharing`;
    server.failAt(path, { status: 502, message: 'Bad gateway' });
    await press('Publish 1.4.0 of weather-node');
    expect(await screen.findByText('Visitors read “No version published yet”. 1.4.0 is ready.')).toBeTruthy();
    server.failAt(path, null);
    await press('Publish 1.4.0 of weather-node');
    await screen.findByText('Visitors install 1.4.0.');
  });

  it('says what visitors install while a newer version is ready', async () => {
    const versions = [testVersion({ version: '1.5.0' }), testVersion({ isPublic: true })];
    await show({ versions });
    expect(screen.getByText('Visitors install 1.4.0. 1.5.0 is ready.')).toBeTruthy();
    await press('Publish 1.5.0 of weather-node');
    await screen.findByText('Visitors install 1.5.0.');
  });

  it('names the other versions that become visible with it', async () => {
    const versions = [testVersion({ version: '1.5.0' }), testVersion({ isPublic: true })];
    await show({ isPublic: false, versions });
    expect(
      screen.getByText(/project and version 1\.5\.0 public together\..*Version 1\.4\.0 becomes visible too\./),
    ).toBeTruthy();
  });

  it('prefers a stable version to a newer beta version', async () => {
    const versions = [testVersion({ version: '2.0.0-rc1', channel: 'beta' }), testVersion()];
    await show({ isPublic: false, versions });
    expect(screen.getByText('Version 1.4.0 is ready, and only you see it.')).toBeTruthy();
  });

  it('is not offered without a version', async () => {
    await show({ isPublic: false, versions: [] });
    expect(screen.getByText('Nothing is public yet. Add a version, then publish it.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Publish/ })).toBeNull();
  });
});

describe('Make private…', () => {
  const versions = [testVersion({ isPublic: true }), testVersion({ version: '1.3.2', isPublic: true })];

  it('asks for the version or the project, and says what the link does then', async () => {
    const { server, version } = await show({ versions });
    await press('Make private… weather-node');
    await dialog('Make private?');
    expect(
      screen.getByText('People with the link of version 1.4.0 lose access. The project link then installs 1.3.2.'),
    ).toBeTruthy();
    await userEvent.click(screen.getByRole('radio', { name: 'The project weather-node, with all its versions' }));
    expect(screen.getByText(/lose access to the project and all its versions/)).toBeTruthy();
    await userEvent.click(screen.getByRole('radio', { name: 'Version 1.4.0' }));
    await userEvent.type(field('Name'), 'weather-node');
    await press('Make private');
    expect(screen.getByText("Confirmation text doesn't match")).toBeTruthy();
    await userEvent.clear(field('Name'));
    await userEvent.type(field('Name'), '1.4.0{Enter}');
    await closed();
    expect(server.calls).toContain(`POST /api/firmware/version/${version._id}/toggle-sharing`);
    expect(await screen.findByText('Visitors install 1.3.2. 1.4.0 is ready.')).toBeTruthy();
  });

  it('makes the project private, and says that its link has nothing to install for the last version', async () => {
    await show();
    await press('Make private… weather-node');
    await dialog('Make private?');
    expect(screen.getByText(/The project link then says “No version published yet”/)).toBeTruthy();
    await userEvent.click(screen.getByRole('radio', { name: /^The project/ }));
    await userEvent.type(field('Name'), 'weather-node{Enter}');
    await closed();
    expect(badge('Private: weather-node')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Make private…/ })).toBeNull();
  });
});

describe('visibility of a version', () => {
  it('is kept and locked while the project is private', async () => {
    const { server } = await show({ isPublic: false });
    const locked = badge('Public: version 1.4.0');
    expect(locked.getAttribute('aria-disabled')).toBe('true');
    await userEvent.click(locked);
    expect(server.calls.some((call) => call.startsWith('POST'))).toBe(false);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('is public at a press, and private after its number was typed', async () => {
    const { server, version } = await show({ versions: [testVersion({ version: '1.5.0' })] });
    await userEvent.click(badge('Private: version 1.5.0'));
    await screen.findByText('Version 1.5.0 is public');
    await userEvent.click(badge('Public: version 1.5.0'));
    await dialog('Make version 1.5.0 private?');
    server.failAt(`POST /api/firmware/version/${version._id}/toggle-sharing`, 'offline');
    await userEvent.type(field('Name'), '1.5.0{Enter}');
    await screen.findByText('Failed to toggle version sharing');
    server.failAt(`POST /api/firmware/version/${version._id}/toggle-sharing`, null);
    await press('Make private');
    await closed();
    expect(badge('Private: version 1.5.0')).toBeTruthy();
  });
});

describe('sharing', () => {
  it('copies the link of what is public and says so', async () => {
    const { version, project } = await show();
    const writeText = vi.fn(async () => undefined);
    clipboard(writeText);
    await choose('version 1.4.0', 'Share');
    await screen.findByText('Link to version 1.4.0 copied');
    expect(writeText).toHaveBeenLastCalledWith(`${location.origin}/release.html?type=version&id=${version.shareId}`);
    const panel = within(await screen.findByRole('dialog', { name: 'Share version 1.4.0' }));
    expect(panel.getByText('The link to version 1.4.0 is copied.')).toBeTruthy();
    expect(panel.getByRole('img', { name: /^QR code/ })).toBeTruthy();
    expect(panel.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
      'Link',
      'Badge',
      'Flash button for your page',
    ]);
    await userEvent.keyboard('{Escape}');
    await closed();
    await press('Copy the link of weather-node');
    await screen.findByText('Link to weather-node copied');
    expect(writeText).toHaveBeenLastCalledWith(`${location.origin}/release.html?type=project&id=${project.shareId}`);
  });

  it('shows the link where the browser does not copy it', async () => {
    const { project } = await show();
    const logged = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    clipboard(() => Promise.reject(new Error('denied')));
    await press('Share weather-node');
    const alert = await screen.findByText('The browser did not copy the link to weather-node. Here it is:');
    expect(alert.closest('[role=alert]')?.textContent).toContain(`type=project&id=${project.shareId}`);
    expect(logged).toHaveBeenCalledOnce();
    logged.mockRestore();
  });

  it('is not offered for what is private, with the reason', async () => {
    const { server } = await show({ isPublic: false });
    const reason = 'Make this project public before sharing it.';
    const button = screen.getByRole('button', { name: 'Share weather-node' });
    expect(button.getAttribute('aria-disabled')).toBe('true');
    expect(document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent).toBe(reason);
    await userEvent.click(button);
    await press('More about version 1.4.0');
    const item = await screen.findByRole('menuitem', { name: 'Share' });
    expect(item.getAttribute('aria-disabled')).toBe('true');
    expect(within(screen.getByRole('menu')).getByText(reason)).toBeTruthy();
    await userEvent.click(item);
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('textbox', { name: 'Project link' })).toBeNull();
    expect(screen.queryByRole('button', { name: /^Copy the link/ })).toBeNull();
    expect(server.calls.some((call) => call.includes('/share'))).toBe(false);
  });

  it.each(['project', 'version'] as const)('shows a failure for a %s', async (type) => {
    const { server } = await show();
    server.failAt(`POST /api/firmware/${type}/`, 'offline');
    await (type === 'project' ? press('Share weather-node') : choose('version 1.4.0', 'Share'));
    await screen.findByText(`Failed to share ${type}`);
  });

  it('leads to release pages and flashers in new tabs', async () => {
    const { project, version } = await show({
      deviceFamily: 'stm',
      versions: [testVersion({ isPublic: true }), testVersion({ version: '1.3.0' })],
    });
    const links = screen.getAllByRole<HTMLAnchorElement>('link').filter(({ pathname }) => pathname.endsWith('.html'));
    expect(links.every(({ target }) => target === '_blank')).toBe(true);
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      `/release.html?type=project&id=${project.shareId}&owned=true`,
    ]);
    const open = vi.spyOn(window, 'open').mockReturnValue(null);
    await choose('version 1.4.0', 'Open in flasher');
    await choose('version 1.3.0', 'Open in flasher');
    expect(open.mock.calls).toEqual(
      [`${version.shareId}`, `${project.versions[1]?._id}&owned=true`].map((id) => [
        `/stm_flasher.html?type=version&id=${id}`,
        '_blank',
        'noopener',
      ]),
    );
    open.mockRestore();
  });
});

describe('deleting', () => {
  it('keeps a project open when its version is deleted', async () => {
    const { server } = await show({ versions: [testVersion(), testVersion({ version: '1.3.0' })] });
    await choose('version 1.3.0', 'Delete');
    await dialog('Delete version 1.3.0?');
    await userEvent.type(field('Name'), '1.3{Enter}');
    expect(screen.getByText("Confirmation text doesn't match")).toBeTruthy();
    await userEvent.type(field('Name'), '.0{Enter}');
    await screen.findByText('Version 1.3.0 deleted');
    expect(screen.getByText('1 of 3 used')).toBeTruthy();
    expect(screen.getByRole('listitem', { name: 'version 1.4.0' })).toBeTruthy();
    expect(server.projects[0]?.versions).toHaveLength(1);
  });

  it('removes the row of a project, and shows a failure', async () => {
    const { server, project } = await show();
    server.failAt(`DELETE /api/firmware/project/${project._id}`, { status: 503, message: 'Away.' });
    await choose('weather-node', 'Delete');
    const asked = await dialog('Delete weather-node?');
    expect(asked.textContent).toContain('All its versions and files are deleted with it');
    await userEvent.type(field('Name'), 'weather-node{Enter}');
    expect((await within(asked).findByText('Failed to delete project')).closest('[role=alert]')?.textContent).toContain(
      'Away.',
    );
    server.failAt(`DELETE /api/firmware/project/${project._id}`, null);
    await press('Delete');
    await screen.findByText('No projects yet');
  });

  it('updates the list if another tab deleted the version', async () => {
    const { server, version } = await show();
    server.failAt(`DELETE /api/firmware/version/${version._id}`, {
      status: 404,
      message: 'There is nothing at this address.',
    });
    server.projects = server.projects.map((project) => ({ ...project, versions: [] }));
    await choose('version 1.4.0', 'Delete');
    await dialog('Delete version 1.4.0?');
    await userEvent.type(field('Name'), '1.4.0{Enter}');
    await screen.findByText(/No versions yet/);
  });
});
