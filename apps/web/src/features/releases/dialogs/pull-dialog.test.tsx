import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { choose, clearManager, dialog, field, press, showManager } from '../testing/manager.tsx';
import { testProject, testVersion } from '../testing/releases.ts';

afterEach(clearManager);

const action = 'Take a version from a manifest';

async function show(versions = 1) {
  const bench = showManager((server) => {
    server.projects = [
      testProject({ versions: Array.from({ length: versions }, (_, index) => testVersion({ version: `1.${index}` })) }),
    ];
  });
  await screen.findByText(/of 3 used/);
  return bench;
}

describe('taking a version from a manifest', () => {
  it('sends the address, shows the version and says that it is private', async () => {
    const { server } = await show();
    await choose('weather-node', action);
    await dialog('Take a version into weather-node');
    await userEvent.type(field('Address of the manifest'), ' https://firmware.example/m.json ');
    await press('Take the version');
    await screen.findByText('Version 2.0.0 of weather-node is here');
    expect(server.bodies).toContainEqual({ manifest: 'https://firmware.example/m.json' });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(await screen.findByRole('listitem', { name: 'version 2.0.0' })).toBeTruthy();
  });

  it('asks for the address, and shows the reason of a refusal beside what was typed', async () => {
    const { server } = await show();
    await choose('weather-node', action);
    await press('Take the version');
    expect(screen.getByText('Please enter the address of a manifest')).toBeTruthy();
    const message = 'localhost is not an address of the public internet.';
    server.failAt('POST /api/firmware/project', { status: 422, message });
    await userEvent.type(field('Address of the manifest'), 'http://localhost/m.json');
    await press('Take the version');
    expect(await screen.findByText(message)).toBeTruthy();
    expect(field('Address of the manifest')).toHaveProperty('value', 'http://localhost/m.json');
  });

  it('is not offered to a project that is full', async () => {
    await show(3);
    await press('More about weather-node');
    await screen.findByRole('menuitem', { name: 'History' });
    expect(screen.queryByRole('menuitem', { name: action })).toBeNull();
  });
});
