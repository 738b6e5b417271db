import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { Project } from '@wirebench/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { choose, clearManager, field, press, showManager } from '../testing/manager.tsx';
import { testProject, testVersion } from '../testing/releases.ts';

afterEach(clearManager);

const long = `${'A long story about what changed. '.repeat(4)}**The end**.`;

async function show(changes: Partial<Project> = {}) {
  const bench = showManager((server) => {
    server.projects = [
      testProject({ versions: [testVersion()], ...changes }),
      testProject({ name: 'other', description: long }),
    ];
  });
  await screen.findByText(/of 3 used/);
  return bench;
}

const version = () => screen.getByRole('listitem', { name: 'version 1.4.0' });

describe('descriptions', () => {
  it('are cut at 80 characters until they are expanded', async () => {
    await show({ versions: [testVersion({ description: long })] });
    expect(within(version()).getByText(`${long.slice(0, 80).trimEnd()}…`)).toBeTruthy();
    expect(within(version()).queryByText('The end')).toBeNull();
    await press('Show more of version 1.4.0');
    expect((await within(version()).findByText('The end')).tagName).toBe('STRONG');
    await press('Show less of version 1.4.0');
    expect(within(version()).queryByText('The end')).toBeNull();
    expect(
      within(screen.getByRole('region', { name: 'other' })).getByText(`${long.slice(0, 80).trimEnd()}…`),
    ).toBeTruthy();
  });

  it('are rendered as Markdown in versions, without the author’s HTML', async () => {
    await show({ versions: [testVersion({ description: '**Bold** <img src=x onerror=alert(1)>' })] });
    expect((await within(version()).findByText('Bold')).tagName).toBe('STRONG');
    expect(version().querySelector('img')).toBeNull();
  });

  it('are edited in their place, and saved', async () => {
    const { server } = await show();
    await choose('weather-node', 'Edit description');
    const area = field('Description');
    expect(document.activeElement).toBe(area);
    await userEvent.type(area, '{Enter}Battery only.');
    await press('Save');
    await screen.findByText(/Battery only\./);
    expect(server.bodies).toContainEqual({
      description: 'Outdoor sensor node.\nBattery only.',
      before: 'Outdoor sensor node.',
    });
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'More about weather-node' })),
    );
  });

  it('stay as they were when editing is cancelled, by Escape too', async () => {
    await show();
    await choose('version 1.4.0', 'Edit description');
    await userEvent.type(field('Description'), ' more');
    await press('Cancel');
    expect(screen.queryByText(/ more/)).toBeNull();
    await choose('version 1.4.0', 'Edit description');
    await userEvent.type(field('Description'), ' more{Escape}');
    expect(screen.queryByRole('form')).toBeNull();
    expect(screen.getByText('Fixes I2C timeout after deep sleep.')).toBeTruthy();
  });

  it('cannot be empty for a version, but for a project', async () => {
    const { server } = await show();
    await choose('version 1.4.0', 'Edit description');
    await userEvent.clear(field('Description'));
    await press('Save');
    expect(screen.getByText('Description is required')).toBeTruthy();
    await press('Cancel');
    await choose('weather-node', 'Edit description');
    await userEvent.clear(field('Description'));
    await press('Save');
    await screen.findByText('No description yet.');
    expect(server.bodies).toContainEqual({ description: '', before: 'Outdoor sensor node.' });
  });

  it.each(['project', 'version'] as const)(
    'keep the text and show the reason if a %s cannot be saved',
    async (type) => {
      const { server } = await show();
      server.failAt(`POST /api/firmware/${type}/`, 'offline');
      await choose(type === 'project' ? 'weather-node' : 'version 1.4.0', 'Edit description');
      await userEvent.type(field('Description'), ' More.');
      await press('Save');
      const failure = await screen.findByText(`Failed to update ${type} description`);
      expect(failure.closest('[role=alert]')?.textContent).toContain('Network error: No response from server');
      expect(field('Description').value).toContain(' More.');
    },
  );

  it('are restored by Undo, and when the editor opens again', async () => {
    await show();
    await choose('version 1.4.0', 'Edit description');
    await userEvent.type(field('Description'), ' More.{Escape}');
    await press('Undo');
    expect(field('Description').value).toContain(' More.');
    await userEvent.type(field('Description'), '{Escape}');
    await choose('version 1.4.0', 'Edit description');
    expect(field('Description').value).not.toContain(' More.');
    await press('Restore them');
    expect(field('Description').value).toContain(' More.');
  });

  it.each(['project', 'version'] as const)('keep the text of an edit when another tab deletes the %s', async (type) => {
    const { server } = await show();
    const what = type === 'project' ? 'weather-node' : 'version 1.4.0';
    await choose(what, 'Edit description');
    await userEvent.type(field('Description'), ' More.');
    server.projects = type === 'project' ? [] : server.projects.map((project) => ({ ...project, versions: [] }));
    server.failAt(`POST /api/firmware/${type}/`, { status: 404, message: 'There is nothing at this address.' });
    await press('Save');
    await screen.findByText(/was deleted while you were editing its description/);
    expect(field('Your text').value).toContain(' More.');
    expect(screen.getByRole('button', { name: 'Copy text' })).toBeTruthy();
    await press('Discard');
    expect(screen.queryByRole('textbox', { name: 'Your text' })).toBeNull();
  });

  it('are overwritten after a change in another tab only if the user chooses so', async () => {
    const { server } = await show();
    await choose('version 1.4.0', 'Edit description');
    await userEvent.type(field('Description'), ' Mine.');
    const [project] = server.projects;
    server.changeVersion(project?.versions[0], { description: 'Theirs.' });
    await press('Save');
    await screen.findByText('Failed to update version description: it was changed in the meantime.');
    expect(screen.getByText('Theirs.', { selector: 'blockquote' })).toBeTruthy();
    expect(field('Description').value).toContain(' Mine.');
    await press('Save mine instead');
    await screen.findByText(/ Mine\./);
    expect(screen.queryByRole('form')).toBeNull();
    expect(server.bodies).toContainEqual({
      description: 'Fixes I2C timeout after deep sleep. Mine.',
      before: 'Theirs.',
    });
  });
});
