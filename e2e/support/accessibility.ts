/** What axe finds on a page, for the tests of every screen. */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { themes } from './theme.ts';

export interface FindingsOptions {
  /** A CSS selector: only this part of the page is looked at. */
  readonly within?: string;
  /** Everything has to be in a landmark, and nothing hidden may take the focus: not where a popover is open. */
  readonly landmarks?: boolean;
}

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The rules of these standards that look at colours: no other one finds anything else in another theme. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/**
 * Everything that axe finds against WCAG 2.2 AA in both themes, as short as a failing test can use it. The page has the theme that it had
 * before when this resolves.
 */
export async function findings(page: Page, options: FindingsOptions = {}): Promise<string[]> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await transitionsOver(page);
  const found = await analyze(page, options, (axe) => axe.withTags(standards));
  const shown = await themeOf(page);
  for (const theme of themes.filter((one) => one !== shown)) {
    await show(page, theme);
    const colours = await analyze(page, options, (axe) => axe.withRules(colourRules));
    found.push(...colours.map((finding) => `${finding} (${theme})`));
  }
  await show(page, shown);
  return found;
}

async function analyze(
  page: Page,
  { within, landmarks = false }: FindingsOptions,
  choose: (axe: AxeBuilder) => AxeBuilder,
): Promise<string[]> {
  // No page has frames: they would take a second page for each look, which collects what was found in them.
  const axe = choose(new AxeBuilder({ page })).setLegacyMode();
  if (!landmarks) {
    // Popovers hang on the body, outside of every landmark, so that nothing cuts them off. Base UI's invisible ends of a popover
    // hand the focus on at once: nobody ever rests on them.
    axe.disableRules(['region']).exclude('[data-base-ui-focus-guard]');
  }
  const { violations } = await (within === undefined ? axe : axe.include(within)).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

const themeOf = (page: Page) => page.evaluate(() => document.documentElement.dataset['theme']);

/** What the product itself does when a theme is chosen, but for remembering it. */
async function show(page: Page, theme: string | undefined): Promise<void> {
  await page.evaluate((chosen) => {
    if (chosen === undefined) {
      delete document.documentElement.dataset['theme'];
    } else {
      document.documentElement.dataset['theme'] = chosen;
    }
  }, theme);
  await transitionsOver(page);
}

/** Colours are only what they are once nothing fades; what fades already goes on when motion is reduced. */
async function transitionsOver(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const fading = () => document.getAnimations().filter((one) => one instanceof CSSTransition);
    for (let left = fading(); left.length > 0; left = fading()) {
      await Promise.allSettled(left.map(({ finished }) => finished));
    }
  });
}
