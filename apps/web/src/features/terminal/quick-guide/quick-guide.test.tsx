import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { toggleQuickGuide, useQuickGuide } from '../../../shared/quick-guide.ts';
import { QuickGuideDrawer } from './quick-guide.tsx';
import { useQuickGuideKey } from './use-quick-guide-key.ts';

function Page() {
  useQuickGuideKey();
  const open = useQuickGuide();
  return (
    <>
      <input aria-label="Name" />
      <button type="button" aria-expanded={open} onClick={toggleQuickGuide}>
        Quick guide
      </button>
      {open ? <QuickGuideDrawer /> : null}
    </>
  );
}

afterEach(() => {
  if (toggle().getAttribute('aria-expanded') === 'true') {
    act(toggleQuickGuide);
  }
  cleanup();
});

const toggle = () => screen.getByRole('button', { name: 'Quick guide' });

it('the quick guide opens with its button, and Escape gives the focus back', async () => {
  render(<Page />);
  await userEvent.click(toggle());
  const guide = screen.getByRole('dialog', { name: 'Quick guide' });
  expect(screen.getByRole('heading', { name: 'Panels' })).toBeDefined();
  expect(guide).toBe(document.activeElement);
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(toggle()).toBe(document.activeElement);
});

it('the quick guide opens and closes with its key, but not while one types', async () => {
  render(<Page />);
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), '?');
  expect(screen.queryByRole('dialog')).toBeNull();
  toggle().focus();
  await userEvent.keyboard('{Shift>}?{/Shift}');
  expect(screen.getByRole('dialog', { name: 'Quick guide' })).toBeDefined();
  await userEvent.keyboard('{Shift>}?{/Shift}');
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('the whole documentation opens in a new tab, because this one holds ports', async () => {
  render(<Page />);
  await userEvent.click(toggle());
  const link = screen.getByRole('link', { name: 'Documentation (opens in a new tab)' });
  expect(link.getAttribute('href')).toBe('/app/uart/docs');
  expect(link.getAttribute('target')).toBe('_blank');
});
