import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { QuickGuide } from './quick-guide.tsx';
import { quickGuideIsOpen, toggleQuickGuide } from './quick-guide-store.ts';
import { useQuickGuideKey } from './use-quick-guide-key.ts';

const shown = vi.fn();

function Settings() {
  useQuickGuideKey(shown);
  return (
    <>
      <input aria-label="Name" />
      <QuickGuide />
    </>
  );
}

afterEach(() => {
  cleanup();
  shown.mockClear();
  if (quickGuideIsOpen()) {
    act(toggleQuickGuide);
  }
});

const toggle = () => screen.getByRole('button', { name: /^Quick guide/ });

it('the quick guide opens and closes with its button', async () => {
  render(<Settings />);
  await userEvent.click(toggle());
  expect(screen.getByRole('heading', { name: 'Device panels' })).toBeDefined();
  expect(toggle().getAttribute('aria-expanded')).toBe('true');
  await userEvent.click(toggle());
  expect(screen.queryByRole('heading')).toBeNull();
  expect(shown).not.toHaveBeenCalled();
});

it('the quick guide opens with its key and asks to be brought to the screen, but not while one types', async () => {
  render(<Settings />);
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), '?');
  expect(quickGuideIsOpen()).toBe(false);
  toggle().focus();
  await userEvent.keyboard('{Shift>}?{/Shift}');
  expect(quickGuideIsOpen()).toBe(true);
  expect(shown).toHaveBeenCalledTimes(1);
  await userEvent.keyboard('{Shift>}?{/Shift}');
  expect(quickGuideIsOpen()).toBe(false);
  expect(shown).toHaveBeenCalledTimes(1);
});

it('the whole documentation opens in a new tab, because this one holds ports', () => {
  render(<Settings />);
  const link = screen.getByRole('link', { name: 'Documentation (opens in a new tab)' });
  expect(link.getAttribute('href')).toBe('/app/uart/docs');
  expect(link.getAttribute('target')).toBe('_blank');
});
