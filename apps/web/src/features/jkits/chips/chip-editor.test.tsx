/** Tests the chip editor with a simulated server. */
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { allChips } from '@wirebench/contract/chip-library';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sessionStore } from '../../../shared/session/page-session.ts';
import { testSession } from '../../../shared/session/testing.ts';
import { Toaster } from '../../../shared/ui/toaster.tsx';
import '../library.tsx';
import { JkitServer, testJkit } from '../testing/jkit-server.ts';
import { clearLibrary, confirm, press } from '../testing/library.tsx';
import { ChipEditor } from './chip-editor.tsx';

const server = { current: new JkitServer() };

beforeEach(() => {
  server.current = new JkitServer();
  vi.stubGlobal('fetch', server.current.fetch);
  sessionStore.save(testSession({ expiresAt: Date.now() + 3_600_000 }));
});

afterEach(() => {
  clearLibrary();
});

const show = (search = '') =>
  render(
    <>
      <ChipEditor search={search} />
      <Toaster />
    </>,
  );

const description = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Description' });
const write = (value: string) => fireEvent.change(description(), { target: { value } });
const startFrom = (name: string) => userEvent.selectOptions(screen.getByRole('combobox', { name: 'Start from' }), name);

const bmp280 = allChips.find(({ content }) => content.name === 'BMP280');

describe('the editor of chips', () => {
  it('says what is wrong with a description while it is written', async () => {
    show();
    write('{');
    expect(await screen.findByText('Invalid jkit format')).toBeTruthy();
    write('{"name":"X","category":"Sensors","bus":"i2c","addresses":[1],"registers":[{"name":"a","address":0}]}');
    expect(await screen.findByText('Address 1 must be a whole number from 8 to 119')).toBeTruthy();
    write('{"name":"X","category":"Sensors","bus":"i2c","addresses":["0x10"],"registers":[{"name":"a","address":0}]}');
    expect(await screen.findByRole('region', { name: 'Registers of X' })).toBeTruthy();
    expect(screen.queryByText('This description is not complete yet.')).toBeNull();
  });

  it('shows the registers of a shipped description, in hex, and calculates its readings from bytes', async () => {
    show();
    await startFrom('INA219: voltage, current, power');
    const table = await screen.findByRole('region', { name: 'Registers of INA219' });
    expect(within(table).getByText('0x399F')).toBeTruthy();
    expect(description().value).toContain('"0x40"');
    await userEvent.type(screen.getByRole('textbox', { name: 'Bytes from 0x02 (2)' }), '5D 98');
    const readings = screen.getByLabelText('Readings of INA219');
    expect(within(readings).getByText('11.980 V')).toBeTruthy();
    await userEvent.type(screen.getByRole('textbox', { name: 'Bytes from 0x01 (2)' }), 'zz');
    expect(await screen.findByText('Enter pairs of hex digits, such as 5D 98.')).toBeTruthy();
  });

  it('says why a reading has no value', async () => {
    show();
    await startFrom(bmp280?.name ?? '');
    const readings = await screen.findByLabelText('Readings of BMP280');
    expect(within(readings).getByText('The formula divides by zero.')).toBeTruthy();
  });

  it('gives back what another description has replaced', async () => {
    show();
    write('{"mine":true}');
    await startFrom('An empty description');
    expect(description().value).toContain('My chip');
    await press('Undo');
    expect(description().value).toBe('{"mine":true}');
  });

  it('saves the description as a chip, and finds chips only', async () => {
    const chip = testJkit(1, {
      name: 'Light in the hall',
      type: 'chip',
      shared: true,
      publisher: 'ada',
      content: JSON.stringify(bmp280?.content),
    });
    server.current.jkits = [chip];
    show();
    await startFrom('BH1750: ambient light');
    await press('JKit library for BH1750FVI');
    const dialog = await screen.findByRole('dialog', { name: 'JKit library' });
    await press('Save this chip', dialog);
    await userEvent.type(within(dialog).getByRole('textbox', { name: 'Name' }), 'My light');
    await press('Save', dialog);
    await screen.findByText('My light saved');
    expect(server.current.bodies).toContainEqual(
      expect.objectContaining({ type: 'chip', name: 'My light', content: description().value }),
    );
    await userEvent.click(within(dialog).getByRole('tab', { name: 'Explore' }));
    await userEvent.type(within(dialog).getByRole('searchbox'), 'Light');
    await press('Light in the hall', dialog);
    expect(await within(dialog).findByText(/BMP280, Sensors, 0x76 0x77/)).toBeTruthy();
    expect(await within(dialog).findByRole('region', { name: 'Registers of BMP280' })).toBeTruthy();
    await press('Load', dialog);
    await confirm('Load Light in the hall?', 'Load');
    await waitFor(() => expect(description().value).toContain('BMP280'));
    expect(server.current.calls.filter((call) => /jkits(\/search|\/starred)?\?/.test(call))).not.toContainEqual(
      expect.stringContaining('type=uart'),
    );
  });

  it('opens the chip that the address names, and says so when it names messages', async () => {
    const chip = testJkit(1, {
      type: 'chip',
      shared: true,
      publisher: 'ada',
      content: JSON.stringify(bmp280?.content),
    });
    const messages = testJkit(2, { shared: true, publisher: 'ada' });
    server.current.jkits = [chip, messages];
    show(`?jkit=${chip._id}`);
    await waitFor(() => expect(description().value).toContain('BMP280'));
    cleanup();
    show(`?jkit=${messages._id}`);
    const link = `${location.origin}/app/uart?jkit=${messages._id}`;
    expect(await screen.findByText(`jkit-2 has messages for the terminal. Its link is ${link}`)).toBeTruthy();
    expect(description().value).toContain('BMP280');
  });

  it('is as it was after a reload', async () => {
    show();
    write('{"mine":1}');
    expect(JSON.parse(localStorage.getItem('wirebench.chip-description') ?? '{}')).toMatchObject({
      text: '{"mine":1}',
    });
  });
});
