import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import firstStep from '../../../public/theme.js?raw';
import { readHook } from '../testing/stores.ts';
import { toasts } from '../testing/toasts.ts';
import { chooseTheme, followTheme, rememberedTheme, showTheme, THEME_KEY, themeColor, useTheme } from './theme.ts';

beforeEach(() => {
  document.head.innerHTML = '<meta name="theme-color" content="">';
  localStorage.clear();
});
afterEach(() => {
  delete document.documentElement.dataset['theme'];
});

const shown = () => [
  document.documentElement.dataset['theme'],
  document.querySelector('meta[name="theme-color"]')?.getAttribute('content'),
];

describe('theme', () => {
  it.each([
    [null, 'dark'],
    ['light', 'light'],
    ['dark', 'dark'],
    ['purple', 'dark'],
  ] as const)('for %j in the storage is %s, in the first step as in the app', (stored, expected) => {
    if (stored !== null) {
      localStorage.setItem(THEME_KEY, stored);
    }
    expect(rememberedTheme(localStorage)).toBe(expected);
    new Function(firstStep)();
    expect(shown()).toEqual([expected, themeColor[expected]]);
    showTheme(expected);
    expect(shown()).toEqual([expected, themeColor[expected]]);
  });

  it('is remembered when chosen, and follows the choice of another tab', () => {
    followTheme();
    expect(shown()[0]).toBe('dark');
    chooseTheme('light');
    expect(shown()).toEqual(['light', themeColor.light]);
    expect(localStorage.getItem(THEME_KEY)).toBe('light');
    localStorage.setItem(THEME_KEY, 'dark');
    window.dispatchEvent(new StorageEvent('storage', { key: THEME_KEY }));
    expect(shown()[0]).toBe('dark');
    expect(readHook(useTheme)).toBe('dark');
  });

  it('is shown also where it cannot be remembered, and that is said', () => {
    followTheme();
    const write = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    chooseTheme('light');
    write.mockRestore();
    expect(shown()[0]).toBe('light');
    expect(toasts().current?.text).toMatch(/^The theme could not be saved: the browser's storage .* full\./);
  });
});
