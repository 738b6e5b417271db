import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { Project } from '@wirebench/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clearManager, dialog, field, press, showManager } from './testing/manager.tsx';
import { testProject, testVersion } from './testing/releases.ts';

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
    expect(screen.getByText(/Version 1\.4\.0 becomes visible too\./)).toBeTruthy();
    await userEvent.dblClick(badge('Private: weather-node'));
    await screen.findByText('weather-node is public');
    expect(badge('Public: weather-node')).toBeTruthy();
    // Both presses send the same state, so the second one does not revert the first.
    expect(server.calls).toContain(`POST /api/firmware/project/${project._id}/toggle-sharing`);
    const visibilities = server.calls.flatMap((call, index) =>
      call.includes('toggle-sharing') ? [server.bodies[index]] : [],
    );
    expect(visibilities.every((body) => JSON.stringify(body) === '{"isPublic":true}')).toBe(true);
  });

  it('becomes public by the button in the sentence that says what for', async () => {
    const { server, project } = await show({ isPublic: false });
    await press('Make it public');
    await screen.findByText('weather-node is public');
    expect(screen.queryByRole('button', { name: 'Make it public' })).toBeNull();
    expect(server.calls).toContain(`POST /api/firmware/project/${project._id}/toggle-sharing`);
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

  it('asks anew each time', async () => {
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

  it('says when it could not be changed', async () => {
    const { server, project } = await show({ isPublic: false });
    server.failAt(`POST /api/firmware/project/${project._id}/toggle-sharing`, { status: 500, message: 'Later.' });
    await userEvent.click(badge('Private: weather-node'));
    const alert = (await screen.findByText('Failed to toggle project sharing')).closest('[role=alert]');
    expect(alert?.textContent).toContain('Later.');
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
    await press('Share version 1.4.0');
    await screen.findByText('Link to version 1.4.0 copied');
    expect(writeText).toHaveBeenLastCalledWith(`${location.origin}/release.html?type=version&id=${version.shareId}`);
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
    for (const name of ['Share weather-node', 'Share version 1.4.0']) {
      const button = screen.getByRole('button', { name });
      expect(button.getAttribute('aria-disabled')).toBe('true');
      expect(document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
        'Make this project public before sharing it.',
      );
      await userEvent.click(button);
    }
    expect(screen.queryByRole('textbox', { name: 'Project link' })).toBeNull();
    expect(screen.queryByRole('button', { name: /^Copy the link/ })).toBeNull();
    expect(server.calls.some((call) => call.includes('/share'))).toBe(false);
  });

  it.each(['project', 'version'] as const)('of a %s says when it failed', async (type) => {
    const { server } = await show();
    server.failAt(`POST /api/firmware/${type}/`, 'offline');
    await press(type === 'project' ? 'Share weather-node' : 'Share version 1.4.0');
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
      `/stm_flasher.html?type=version&id=${version.shareId}`,
      `/stm_flasher.html?type=version&id=${project.versions[1]?._id}&owned=true`,
    ]);
  });
});

describe('deleting', () => {
  it('a version leaves its project open', async () => {
    const { server } = await show({ versions: [testVersion(), testVersion({ version: '1.3.0' })] });
    await press('Delete version 1.3.0');
    await dialog('Delete version 1.3.0?');
    await userEvent.type(field('Name'), '1.3{Enter}');
    expect(screen.getByText("Confirmation text doesn't match")).toBeTruthy();
    await userEvent.type(field('Name'), '.0{Enter}');
    await screen.findByText('Version 1.3.0 deleted');
    expect(screen.getByText('1 of 3 used')).toBeTruthy();
    expect(screen.getByRole('listitem', { name: 'version 1.4.0' })).toBeTruthy();
    expect(server.projects[0]?.versions).toHaveLength(1);
  });

  it('a project takes its row away, and says so when it fails', async () => {
    const { server, project } = await show();
    server.failAt(`DELETE /api/firmware/project/${project._id}`, { status: 503, message: 'Away.' });
    await press('Delete weather-node');
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

  it('what another tab deleted already shows the list as it is', async () => {
    const { server, version } = await show();
    server.failAt(`DELETE /api/firmware/version/${version._id}`, {
      status: 404,
      message: 'There is nothing at this address.',
    });
    server.projects = server.projects.map((project) => ({ ...project, versions: [] }));
    await press('Delete version 1.4.0');
    await dialog('Delete version 1.4.0?');
    await userEvent.type(field('Name'), '1.4.0{Enter}');
    await screen.findByText(/No versions yet/);
  });
});
