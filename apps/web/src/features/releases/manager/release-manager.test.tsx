import { act, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { toggleQuickGuide } from '../../../shared/quick-guide.ts';
import { sessionStore } from '../../../shared/session/page-session.ts';
import { testSession } from '../../../shared/session/testing.ts';
import { changeStore } from '../../../shared/testing/stores.ts';
import { clearManager, press, showManager } from '../testing/manager.tsx';
import { testProject, testVersion } from '../testing/releases.ts';
import { ReleaseManager } from './release-manager.tsx';

afterEach(() => {
  changeStore({ activity: null });
  clearManager();
});

const names = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
const expanded = () =>
  screen
    .getAllByRole('heading', { level: 2 })
    .map((heading) => within(heading).getByRole('button').getAttribute('aria-expanded'));

describe('the release manager', () => {
  it('asks visitors to sign in', () => {
    sessionStore.forget();
    render(<ReleaseManager />);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Firmware Release Manager');
    expect(screen.getByText('Please sign in to view and manage projects')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'New project' })).toBeNull();
  });

  it('says that it loads, also while it looks for a session', async () => {
    showManager((server) => server.failAt('GET /api/firmware/projects', 'silent'));
    expect(screen.getByText('Loading projects…')).toBeTruthy();
    act(() => {
      sessionStore.forget();
      changeStore({ activity: 'looking' });
    });
    expect(screen.getByText('Loading projects…')).toBeTruthy();
  });

  it('says why the list could not be loaded, and tries again', async () => {
    const { server } = showManager((prepared) => {
      prepared.failAt('GET /api/firmware/projects', { status: 503, message: 'The database is not responding.' });
    });
    await screen.findByText('Failed to load projects: The database is not responding.');
    server.failAt('GET /api/firmware/projects', null);
    await press('Try again');
    await screen.findByText('No projects yet');
  });

  it('reports that the server does not answer', async () => {
    showManager((server) => server.failAt('GET /api/firmware/projects', 'offline'));
    await screen.findByText('Failed to load projects: Network error: No response from server');
  });

  it('invites to create the first project', async () => {
    showManager();
    await screen.findByText('No projects yet');
    await press('Create your first project');
    expect(screen.getByRole('form', { name: 'New project' })).toBeTruthy();
    expect(screen.getByText('0 of 5 projects')).toBeTruthy();
  });

  it('lists projects in the order of the server, the first one open', async () => {
    showManager((server) => {
      server.projects = ['weather-node', 'pump', 'badge'].map((name) => testProject({ name }));
    });
    await screen.findByText('3 of 5 projects');
    expect(names()).toEqual(['weather-node', 'pump', 'badge']);
    expect(expanded()).toEqual(['true', 'false', 'false']);
  });

  it('keeps open what was open when another project moves to the top', async () => {
    const { server } = showManager((prepared) => {
      prepared.projects = ['weather-node', 'pump'].map((name) => testProject({ name }));
    });
    await screen.findByText('2 of 5 projects');
    server.projects = server.projects.toReversed();
    await act(() => window.dispatchEvent(new Event('focus')));
    await waitFor(() => expect(names()).toEqual(['pump', 'weather-node']));
    expect(expanded()).toEqual(['false', 'true']);
  });

  it('loads the list again when the window gets the focus, and keeps it when that fails', async () => {
    const { server } = showManager((prepared) => {
      prepared.projects = [testProject()];
    });
    await screen.findByText('1 of 5 projects');
    // Another tab has created a project.
    server.projects.push(testProject({ name: 'pump' }));
    await act(() => window.dispatchEvent(new Event('focus')));
    await screen.findByText('2 of 5 projects');
    expect(names()).toEqual(['weather-node', 'pump']);
    server.failAt('GET /api/firmware/projects', 'offline');
    await act(() => window.dispatchEvent(new Event('focus')));
    await screen.findByText('Failed to load projects: Network error: No response from server');
    expect(screen.getByText(/The list may be out of date\./)).toBeTruthy();
    expect(names()).toEqual(['weather-node', 'pump']);
  });

  it('follows the limits of the server', async () => {
    showManager((server) => {
      server.projects = [testProject({ versions: [testVersion()] })];
    });
    await screen.findByText('1 of 3 used');
    expect(screen.getByText(/A project holds up to 3 versions\./)).toBeTruthy();
  });

  it('signs out on a 401, and keeps what was typed for the same person', async () => {
    vi.stubGlobal('navigator', {
      ...navigator,
      locks: { request: (_: string, task: () => Promise<unknown>) => task() },
    });
    const { server } = showManager();
    await screen.findByText('No projects yet');
    await press('New project');
    await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'kept');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Device model' }), 'esp32');
    server.failAt('POST /api/firmware/project', {
      status: 401,
      message: 'Please sign in to view and manage projects',
    });
    await press('Create project');
    await screen.findByText('Please sign in to view and manage projects');
    server.failAt('POST /api/firmware/project', null);
    act(() => sessionStore.save(testSession({ accessToken: 'access-2', expiresAt: Date.now() + 3_600_000 })));
    expect((await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' })).value).toBe('kept');
    act(() => {
      const user = { ...testSession().user, name: 'somebody.else' };
      sessionStore.save(testSession({ accessToken: 'access-3', expiresAt: Date.now() + 3_600_000, user }));
    });
    await screen.findByText('No projects yet');
    expect(screen.queryByRole('form')).toBeNull();
  });

  it('shows its quick guide when Help asks for it', () => {
    showManager();
    act(toggleQuickGuide);
    expect(screen.getByRole('region', { name: 'Quick guide' }).textContent).toContain('Up to 4 .bin files');
    act(toggleQuickGuide);
    expect(screen.queryByRole('region', { name: 'Quick guide' })).toBeNull();
  });
});
