import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { reload, withWholePages } from '../../workbench/testing/whole-page.tsx';
import { pressOn, tab } from './testing/log-steps.ts';
import { log, openTerminal, said, selectTab, startDemo, wide } from './testing/terminal-steps.ts';

withWholePages(wide);

// Hooks run in reverse order. Registered last, this restores the storage before the cleanup of `withWholePages` uses
// it.
afterEach(() => {
  vi.restoreAllMocks();
});

const portName = (name: string) =>
  fireEvent.change(screen.getByRole('textbox', { name: 'Name' }), { target: { value: name } });

const panel = () => within(screen.getByRole('region', { name: 'Panel 1' }));

async function pin(content: string): Promise<void> {
  const field = await panel().findByRole('textbox', { name: 'Add a command' });
  fireEvent.change(field, { target: { value: content } });
  await pressOn(field, '{Enter}');
}

const pinned = (content: string) => panel().findByRole('button', { name: `Send ${content}` });

const shiftH = () => pressOn(log(), '{Shift>}H{/Shift}');

it('names and settings survive a reload', async () => {
  const baud = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Baud' });
  await openTerminal();
  await selectTab(3);
  portName('GNSS M10');
  await userEvent.selectOptions(baud(), '38400');
  reload();
  await openTerminal();
  await tab('Port 3', 'GNSS M10', 'Not connected');
  await selectTab(3);
  await waitFor(() => expect(baud().value).toBe('38400'));
});

it('a storage without room costs nothing but what would be remembered, and a notice says so', async () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
  });
  await startDemo();
  await shiftH();
  await said('64 65 6D 6F 3E 20');
  expect((await screen.findByRole<HTMLInputElement>('radio', { name: 'Hex' })).checked).toBe(true);
  await waitFor(() =>
    expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toContainEqual(
      // The newest message replaces the one before: settings and panels are saved.
      expect.stringMatching(
        /^The (terminal settings|panels) could not be saved: the browser's storage for this site is full\./,
      ),
    ),
  );
  portName('S3 gateway');
  await tab('S3 gateway', '115200 8N1 · Demo');
  await pin('help');
  await pinned('help');
  const { chooseTheme, followTheme } = await import('../../shared/theme/theme.ts');
  followTheme();
  chooseTheme('light');
  expect(document.documentElement.dataset['theme']).toBe('light');
});

it('a browser that refuses to store anything runs the whole terminal', async () => {
  vi.spyOn(globalThis, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('Access is denied for this document.', 'SecurityError');
  });
  await startDemo();
  await shiftH();
  await said('64 65 6D 6F 3E 20');
  portName('S3 gateway');
  await screen.findByRole('tab', { name: /^Port 1\s*S3 gateway/ });
  await pin('help');
  await pinned('help');
});

for (const [name, text] of [
  ['nonsense', '{"version":1,'],
  ['values of another kind', '"null"'],
  ['nothing', 'null'],
] as const) {
  it(`a storage that holds ${name} under every key is read as an empty one`, async () => {
    // jsdom has no layout. With a width, a pane can be made wider.
    vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(1_440);
    await openTerminal();
    portName('S3 gateway');
    await pressOn(await screen.findByRole('separator', { name: 'Width of the settings' }), '{ArrowRight}');
    await pin('help');
    await waitFor(() => expect(Object.keys(localStorage).join()).toContain('terminal-columns'));
    for (const key of Object.keys(localStorage)) {
      localStorage.setItem(key, text);
    }
    reload();
    for (const key of Object.keys(localStorage)) {
      expect(localStorage.getItem(key)).toBe(text);
    }
    await startDemo();
    await tab('Port 1', '115200 8N1 · Demo');
    await pin('info');
    await pinned('info');
  });
}
