/** Opens pages in a theme, as if it had been chosen on an earlier visit. */
import { origin } from './product.ts';

export const themes = ['dark', 'light'] as const;

/** Returns options for `test.use`. */
export function inTheme(theme: (typeof themes)[number]) {
  const localStorage = [{ name: 'wirebench.theme', value: theme }];
  return { storageState: { cookies: [], origins: [{ origin, localStorage }] } };
}
