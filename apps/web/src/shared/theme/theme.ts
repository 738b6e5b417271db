/**
 * Light or dark theme. Dark until the user chooses; the choice is remembered and applies to all tabs.
 * `public/theme.js` sets the theme before the first paint and repeats the key and the colours.
 */
import { pageStore } from '../page-store.ts';
import { browserStorage, type TextStorage } from '../storage/browser-storage.ts';
import { savingOf } from '../storage/saving.ts';

export type Theme = 'dark' | 'light';

export const THEME_KEY = 'wirebench.theme';

/** Colour of the header, for the browser's own frame: `--color-surface` of each theme. */
export const themeColor = { dark: '#141719', light: '#FAF9F6' } satisfies Record<Theme, string>;

/** Returns dark if no choice is stored. */
export function rememberedTheme(storage: TextStorage): Theme {
  return storage.getItem(THEME_KEY) === 'light' ? 'light' : 'dark';
}

/** Shows `theme` on the whole document. */
export function showTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', themeColor[theme]);
}

const themeStore = pageStore<{ readonly theme: Theme }>({ theme: rememberedTheme(browserStorage) });

const saving = savingOf({ what: 'The theme' });

export function useTheme(): Theme {
  return themeStore.use(({ theme }) => theme);
}

/** Shows and remembers the user's choice. */
export function chooseTheme(theme: Theme): void {
  themeStore.setState({ theme });
  saving(() => browserStorage.setItem(THEME_KEY, theme));
}

/** Applies the theme, and follows changes by this page or another tab. Prints are always light. Call it once. */
export function followTheme(): void {
  // Environments without printing lack `matchMedia`.
  const paper = globalThis.matchMedia?.('print');
  const show = () => showTheme(paper?.matches ? 'light' : themeStore.getState().theme);
  show();
  themeStore.subscribe(show);
  paper?.addEventListener('change', show);
  window.addEventListener('storage', ({ key }) => {
    if (key === THEME_KEY || key === null) {
      themeStore.setState({ theme: rememberedTheme(browserStorage) });
    }
  });
}
