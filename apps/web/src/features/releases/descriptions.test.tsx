import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { Project } from '@wirebench/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { clearManager, field, press, showManager } from './testing/manager.tsx';
import { testProject, testVersion } from './testing/releases.ts';

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
  it('are cut at 80 characters until one asks for the rest', async () => {
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

  it('of versions are Markdown, and never markup of their author', async () => {
    await show({ versions: [testVersion({ description: '**Bold** <img src=x onerror=alert(1)>' })] });
    expect((await within(version()).findByText('Bold')).tagName).toBe('STRONG');
    expect(version().querySelector('img')).toBeNull();
  });

  it('are edited in their place, and saved', async () => {
    const { server } = await show();
    await press('Edit the description of weather-node');
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
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit the description of weather-node' })),
    );
  });

  it('stay as they were when editing is cancelled, by Escape too', async () => {
    await show();
    await press('Edit the description of version 1.4.0');
    await userEvent.type(field('Description'), ' more');
    await press('Cancel');
    expect(screen.queryByText(/ more/)).toBeNull();
    await press('Edit the description of version 1.4.0');
    await userEvent.type(field('Description'), ' more{Escape}');
    expect(screen.queryByRole('form')).toBeNull();
    expect(screen.getByText('Fixes I2C timeout after deep sleep.')).toBeTruthy();
  });

  it('of a version cannot be empty, that of a project can', async () => {
    const { server } = await show();
    await press('Edit the description of version 1.4.0');
    await userEvent.clear(field('Description'));
    await press('Save');
    expect(screen.getByText('Description is required')).toBeTruthy();
    await press('Cancel');
    await press('Edit the description of weather-node');
    await userEvent.clear(field('Description'));
    await press('Save');
    await screen.findByText('No description yet.');
    expect(server.bodies).toContainEqual({ description: '', before: 'Outdoor sensor node.' });
  });

  it.each(['project', 'version'] as const)(
    'of a %s that is not saved says why and keeps what was typed',
    async (type) => {
      const { server } = await show();
      server.failAt(`POST /api/firmware/${type}/`, 'offline');
      await press(`Edit the description of ${type === 'project' ? 'weather-node' : 'version 1.4.0'}`);
      await userEvent.type(field('Description'), ' More.');
      await press('Save');
      const failure = await screen.findByText(`Failed to update ${type} description`);
      expect(failure.closest('[role=alert]')?.textContent).toContain('Network error: No response from server');
      expect(field('Description').value).toContain(' More.');
    },
  );

  it('that were cancelled come back with Undo, and when the editor opens again', async () => {
    await show();
    await press('Edit the description of version 1.4.0');
    await userEvent.type(field('Description'), ' More.{Escape}');
    await press('Undo');
    expect(field('Description').value).toContain(' More.');
    await userEvent.type(field('Description'), '{Escape}');
    await press('Edit the description of version 1.4.0');
    expect(field('Description').value).not.toContain(' More.');
    await press('Restore them');
    expect(field('Description').value).toContain(' More.');
  });

  it.each(['project', 'version'] as const)(
    'of a %s that another tab deleted keep what was typed when the row goes',
    async (type) => {
      const { server } = await show();
      const what = type === 'project' ? 'weather-node' : 'version 1.4.0';
      await press(`Edit the description of ${what}`);
      await userEvent.type(field('Description'), ' More.');
      server.projects = type === 'project' ? [] : server.projects.map((project) => ({ ...project, versions: [] }));
      server.failAt(`POST /api/firmware/${type}/`, { status: 404, message: 'There is nothing at this address.' });
      await press('Save');
      await screen.findByText(/was deleted while you were editing its description/);
      expect(field('Your text').value).toContain(' More.');
      expect(screen.getByRole('button', { name: 'Copy text' })).toBeTruthy();
      await press('Discard');
      expect(screen.queryByRole('textbox', { name: 'Your text' })).toBeNull();
    },
  );

  it('that another tab changed are not overwritten unasked: the second is told, and chooses', async () => {
    const { server } = await show();
    await press('Edit the description of version 1.4.0');
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
