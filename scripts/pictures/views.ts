/** The ways in which every screen is shown: the sizes of its window and its themes. Knows no screen. */
import type { Page } from '@playwright/test';

export const themes = ['dark', 'light'] as const;
export type Theme = (typeof themes)[number];

/** Where the pages keep it. */
const key = 'wirebench.theme';

export interface WindowSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Pixels of the window: desktop, tablet, phone, then a desktop at 200 % zoom, a phone above its keyboard, and a phone in landscape. What is
 * opened on the first one mostly stays open on the others.
 */
export const sizes: readonly WindowSize[] = [
  { width: 1_440, height: 900 },
  { width: 768, height: 900 },
  { width: 390, height: 844 },
  { width: 720, height: 450 },
  { width: 390, height: 500 },
  { width: 844, height: 390 },
];

/** In the name of a picture: the width alone where the height is the usual one. */
export const sizeName = ({ width, height }: WindowSize): string => (height < 800 ? `${width}x${height}` : `${width}`);

/** The local storage of a browser in which `theme` was chosen before. */
export const inTheme = (theme: Theme) => [{ name: key, value: theme }];

/** Changes the theme as another tab would, so that nothing that is open closes. */
async function chooseTheme(page: Page, theme: Theme): Promise<void> {
  const item = { key, newValue: theme };
  await page.evaluate((chosen) => {
    localStorage.setItem(chosen.key, chosen.newValue);
    dispatchEvent(new StorageEvent('storage', chosen));
  }, item);
  await page.locator(`html[data-theme=${theme}]`).waitFor();
}

/** Takes the whole page, from its top to its end, once everything that it shows has arrived. Below a dialog it is the window alone. */
export async function takePicture(page: Page, theme: Theme, path: string): Promise<void> {
  await chooseTheme(page, theme);
  // A hover would be on one picture and not on the next one.
  await page.mouse.move(0, 0);
  await page.evaluate(async () => {
    // What sticks to the window's top would be in the middle of the picture.
    scrollTo(0, 0);
    const shown = [...document.images].filter((image) => image.checkVisibility());
    for (const image of shown) {
      image.loading = 'eager';
    }
    // A picture that cannot be loaded is to be seen as such.
    await Promise.allSettled([document.fonts.ready, ...shown.map((image) => image.decode())]);
  });
  const dialogs = await page.getByRole('dialog').count();
  await page.screenshot({ path, fullPage: dialogs === 0, caret: 'hide' });
}
