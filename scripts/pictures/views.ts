/** Window sizes and themes in which every screen is shown. */
import type { Page } from '@playwright/test';

export const themes = ['dark', 'light'] as const;
export type Theme = (typeof themes)[number];

/** Key of the theme in the pages' local storage. */
const key = 'wirebench.theme';

export interface WindowSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Window sizes in pixels: desktop, tablet, phone, desktop at 200 % zoom, phone above its keyboard, phone in
 * landscape. Content opened in the first window mostly stays open in the others.
 */
export const sizes: readonly WindowSize[] = [
  { width: 1_440, height: 900 },
  { width: 768, height: 900 },
  { width: 390, height: 844 },
  { width: 720, height: 450 },
  { width: 390, height: 500 },
  { width: 844, height: 390 },
];

/** Size in a picture's file name: the width alone for the usual heights. */
export const sizeName = ({ width, height }: WindowSize): string => (height < 800 ? `${width}x${height}` : `${width}`);

/** Returns the local storage of a person who has a `theme`, and has closed the offers of the demo board. */
export const inTheme = (theme: Theme) => [
  { name: key, value: theme },
  { name: 'wirebench.demo-tried', value: 'yes' },
];

/** Changes the theme as another tab would, so that open content stays open. */
async function chooseTheme(page: Page, theme: Theme): Promise<void> {
  const item = { key, newValue: theme };
  await page.evaluate((chosen) => {
    localStorage.setItem(chosen.key, chosen.newValue);
    dispatchEvent(new StorageEvent('storage', chosen));
  }, item);
  await page.locator(`html[data-theme=${theme}]`).waitFor();
}

/** Takes the whole page from top to end after its content has loaded. With an open dialog it takes the window alone. */
export async function takePicture(page: Page, theme: Theme, path: string): Promise<void> {
  await chooseTheme(page, theme);
  // A hover state would differ between pictures.
  await page.mouse.move(0, 0);
  await page.evaluate(async () => {
    // Sticky elements would otherwise appear in the middle of the picture.
    scrollTo(0, 0);
    const shown = [...document.images].filter((image) => image.checkVisibility());
    for (const image of shown) {
      image.loading = 'eager';
    }
    // A picture that fails to load must be visible as a failure.
    await Promise.allSettled([document.fonts.ready, ...shown.map((image) => image.decode())]);
  });
  const dialogs = await page.getByRole('dialog').count();
  await page.screenshot({ path, fullPage: dialogs === 0, caret: 'hide' });
}
