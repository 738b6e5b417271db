import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { clearManager, field, press, showManager } from '../testing/manager.tsx';
import { testProject } from '../testing/releases.ts';

afterEach(clearManager);

const model = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Device model' });

async function openForm(...parameters: Parameters<typeof showManager>) {
  const bench = showManager(...parameters);
  await screen.findByText(/of 5 projects/);
  await press('New project');
  return bench;
}

describe('a new project', () => {
  it('needs a name and a model', async () => {
    const { server } = await openForm();
    await userEvent.type(field('Name'), '   ');
    await press('Create project');
    expect(screen.getByText('Project name is required')).toBeTruthy();
    expect(screen.getByText('Device model is required')).toBeTruthy();
    expect(document.activeElement).toBe(field('Name'));
    expect(server.calls.filter((call) => call.startsWith('POST'))).toEqual([]);
  });

  it('loses its model when the family changes', async () => {
    await openForm();
    await userEvent.selectOptions(model(), 'esp32c3');
    await userEvent.click(screen.getByRole('radio', { name: /^STM32/ }));
    expect(model().value).toBe('');
    expect(Array.from(model().options, ({ value }) => value).slice(0, 6)).toEqual([
      '',
      'stm32f',
      'stm32g',
      'stm32h',
      'stm32l',
      'stm32w',
    ]);
  });

  it('lists the usual models first and the others as more chips, named as their vendors write them', async () => {
    await openForm();
    const more = within(screen.getByRole('group', { name: 'More chips' }));
    const names = more.getAllByRole('option').map(({ textContent }) => textContent);
    expect(names).toContain('ESP8266');
    expect(names).toContain('ESP32-P4');
    const all = within(model())
      .getAllByRole('option')
      .map(({ textContent }) => textContent);
    expect(all.slice(0, 6)).toEqual(['Choose a model', 'ESP32', 'ESP32-S2', 'ESP32-S3', 'ESP32-C6', 'ESP32-C3']);
    expect(all.slice(6)).toEqual(names);
    await userEvent.click(screen.getByRole('radio', { name: /^Nordic/ }));
    expect(within(model()).getByRole('option', { name: 'nRF52840' })).toBeTruthy();
  });

  it('is sent once, however often one presses, and stands open in the list', async () => {
    const { server } = await openForm((prepared) => {
      prepared.projects = [testProject({ name: 'first' })];
    });
    await userEvent.type(field('Name'), ' pump {Tab}');
    await userEvent.click(screen.getByRole('radio', { name: /^STM32/ }));
    await userEvent.selectOptions(model(), 'stm32g');
    await userEvent.type(field('Description'), 'Doses{Enter}twice');
    await userEvent.dblClick(screen.getByRole('button', { name: 'Create project' }));
    const row = await screen.findByRole('region', { name: 'pump' });
    await waitFor(() => expect(screen.queryByRole('form')).toBeNull());
    expect(row.querySelector('[aria-expanded]')?.getAttribute('aria-expanded')).toBe('true');
    expect(document.activeElement).toBe(row.querySelector('[aria-expanded]'));
    expect(server.calls.filter((call) => call.startsWith('POST'))).toEqual(['POST /api/firmware/project']);
    expect(server.bodies).toContainEqual({
      name: 'pump',
      description: 'Doses\ntwice',
      deviceFamily: 'stm',
      deviceModel: 'stm32g',
    });
  });

  it('for an Arduino board offers boards and chips in groups', async () => {
    await openForm();
    await userEvent.click(screen.getByRole('radio', { name: /^Arduino/ }));
    const named = (label: string) =>
      within(screen.getByRole('group', { name: label }))
        .getAllByRole('option')
        .map(({ textContent }) => textContent);
    expect(named('Arduino boards')).toContain('Arduino Uno');
    expect(named('AVR chips')).toContain('ATmega328P');
    expect(screen.queryByRole('group', { name: 'More chips' })).toBeNull();
  });

  it('shows below the name that it is taken', async () => {
    const { server } = await openForm();
    server.failAt('POST /api/firmware/project', { status: 409, message: 'A project with this name already exists' });
    await userEvent.type(field('Name'), 'pump');
    await userEvent.selectOptions(model(), 'esp32');
    await userEvent.type(field('Name'), '{Enter}');
    await screen.findByText('A project with this name already exists');
    expect(field('Name').getAttribute('aria-invalid')).toBe('true');
    await userEvent.type(field('Name'), '2');
    expect(screen.queryByText('A project with this name already exists')).toBeNull();
  });

  it('says what was wrong until the next action, wherever that is', async () => {
    const { server } = await openForm();
    await press('Create project');
    expect(screen.getByText('Project name is required')).toBeTruthy();
    await userEvent.type(field('Description'), 'D');
    expect(screen.queryByText('Project name is required')).toBeNull();
    expect(screen.queryByText('Device model is required')).toBeNull();
    await userEvent.selectOptions(model(), 'esp32');
    server.failAt('POST /api/firmware/project', { status: 409, message: 'A project with this name already exists' });
    await userEvent.type(field('Name'), 'pump{Enter}');
    await screen.findByText('A project with this name already exists');
    await userEvent.selectOptions(model(), 'esp32c3');
    expect(screen.queryByText('A project with this name already exists')).toBeNull();
    server.failAt('POST /api/firmware/project', { status: 500, message: 'Something went wrong on the server.' });
    await press('Create project');
    await screen.findByText(/^Failed to create project/);
    await userEvent.type(field('Description'), 'oses');
    expect(screen.queryByText(/^Failed to create project/)).toBeNull();
  });

  it.each([
    [{ status: 500, message: 'Something went wrong on the server.' }, 'Something went wrong on the server.'],
    ['offline', 'Network error: No response from server'],
    [
      {
        status: 422,
        message:
          'You have reached the maximum limit of 5 projects. Please delete an existing project before creating a new one.',
      },
      'You have reached the maximum limit of 5 projects. Please delete an existing project before creating a new one.',
    ],
  ] as const)('shows any other failure as an alert, and keeps the text (%#)', async (fault, message) => {
    const { server } = await openForm();
    server.failAt('POST /api/firmware/project', fault);
    await userEvent.type(field('Name'), 'pump');
    await userEvent.selectOptions(model(), 'esp32');
    await press('Create project');
    expect((await screen.findByText(`Failed to create project: ${message}`)).closest('[role=alert]')).toBeTruthy();
    expect(field('Name').value).toBe('pump');
    expect(model().value).toBe('esp32');
  });

  it('is refused at the limit in place of the form', async () => {
    await openForm((server) => {
      server.projects = ['a', 'b', 'c', 'd', 'e'].map((name) => testProject({ name }));
    });
    expect(screen.queryByRole('form')).toBeNull();
    expect(
      screen.getByText(
        'You have reached the maximum limit of 5 projects. Please delete an existing project before creating a new one.',
      ),
    ).toBeTruthy();
  });

  it('is put away with its button and forgotten with Escape', async () => {
    await openForm();
    await userEvent.type(field('Name'), 'kept');
    await press('New project');
    expect(screen.queryByRole('form')).toBeNull();
    await press('New project');
    expect(field('Name').value).toBe('kept');
    await userEvent.type(field('Name'), '{Escape}');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'New project' }));
    expect(screen.queryByRole('form')).toBeNull();
    await press('New project');
    expect(field('Name').value).toBe('');
  });
});
