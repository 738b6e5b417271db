import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { Project } from '@wirebench/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { clearManager, dialog, field, press, showManager } from '../testing/manager.tsx';
import { testProject } from '../testing/releases.ts';

afterEach(clearManager);

const stored = { type: 'image/png', width: 1_600, height: 1_172, size: 204_800, sha256: 'ab'.repeat(32) };
const png = (name: string, size = 9) => new File([new Uint8Array(size)], name, { type: 'image/png' });

async function open(changes: Partial<Project> = {}) {
  const project = testProject(changes);
  const { server } = showManager((prepared) => {
    prepared.projects = [project];
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Edit sentence and picture of weather-node' }));
  await dialog('Page of weather-node');
  return { server, at: (what: string) => `/api/firmware/project/${project._id}/${what}` };
}

const chooser = (name: string | RegExp) => screen.getByLabelText<HTMLInputElement>(name);
const done = () => screen.findByText('The page of weather-node is changed');
const changes = (calls: readonly string[]) => calls.filter((call) => !call.startsWith('GET'));

describe('the page of a project', () => {
  it('gets a sentence of 20 to 120 characters, and loses it when the field is empty', async () => {
    const { server } = await open();
    await userEvent.type(field('One sentence'), 'Too short to say.');
    await press('Save');
    expect(screen.getByText('The sentence needs 20 to 120 characters')).toBeTruthy();
    expect(changes(server.calls)).toEqual([]);
    await userEvent.type(field('One sentence'), ' It measures.');
    await press('Save');
    await done();
    expect(server.bodies).toContainEqual({ sentence: 'Too short to say. It measures.' });
    await press('Edit sentence and picture of weather-node');
    await userEvent.clear(field('One sentence'));
    await press('Save');
    await waitFor(() => expect(server.bodies).toContainEqual({ sentence: null }));
  });

  it('gets a picture with an alternative text, which is offered from the sentence', async () => {
    const { server, at } = await open({ sentence: 'Measures your garden.' });
    expect(screen.queryByRole('textbox', { name: 'Alternative text' })).toBeNull();
    await userEvent.upload(chooser('Picture: choose a file'), png('node.png'));
    expect(field('Alternative text').value).toBe('Measures your garden.');
    await userEvent.clear(field('Alternative text'));
    await press('Save');
    expect(screen.getByText('The picture needs an alternative text: say what it shows')).toBeTruthy();
    await userEvent.type(field('Alternative text'), 'A node in a garden');
    await press('Save');
    await done();
    expect(changes(server.calls)).toEqual([`POST ${at('picture?theme=light')}`]);
  });

  it('changes the text alone, and takes the picture of a theme away', async () => {
    const picture = { text: 'A node', light: stored, dark: stored };
    const { server, at } = await open({ picture });
    expect(chooser('Picture: 1600 × 1172 pixels, replace')).toBeTruthy();
    await userEvent.type(field('Alternative text'), ' in a garden');
    await userEvent.click(screen.getAllByRole('button', { name: 'Remove 1600 × 1172 pixels' })[1] as HTMLElement);
    await press('Save');
    await done();
    expect(changes(server.calls)).toEqual([`POST ${at('update-page')}`, `DELETE ${at('picture?theme=dark')}`]);
    expect(server.bodies).toContainEqual({ pictureText: 'A node in a garden' });
  });

  it('refuses a file that the server would not take, and keeps the one before', async () => {
    const { server } = await open();
    const input = chooser('Picture: choose a file');
    await userEvent.upload(input, png('huge.png', 2 * 1_024 * 1_024 + 1));
    expect(screen.getByText('"huge.png" is larger than 2 MB')).toBeTruthy();
    await userEvent.upload(input, new File(['<svg/>'], 'node.svg', { type: 'image/svg+xml' }), { applyAccept: false });
    expect(screen.getByText('"node.svg" is not a picture: PNG, JPEG, WebP and AVIF can be shown')).toBeTruthy();
    expect(screen.queryByRole('textbox', { name: 'Alternative text' })).toBeNull();
    await press('Save');
    await done();
    expect(changes(server.calls)).toEqual([]);
  });

  it('says why it could not be changed, and keeps what was entered', async () => {
    const { server, at } = await open();
    const message = '"node.png" has 800 × 600 pixels: it needs at least 1600 × 1172';
    server.failAt(`POST ${at('picture')}`, { status: 400, message });
    await userEvent.upload(chooser('Picture: choose a file'), png('node.png'));
    await press('Save');
    expect(await screen.findByText('Failed to change the page')).toBeTruthy();
    expect(screen.getByText(message)).toBeTruthy();
    expect(chooser('Picture: node.png, replace')).toBeTruthy();
  });
});
