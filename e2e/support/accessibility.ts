/** What axe finds on a page, for the tests of every screen. */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

export interface FindingsOptions {
  /** A CSS selector: only this part of the page is looked at. */
  readonly within?: string;
  /** Everything has to be in a landmark, and nothing hidden may take the focus: not where a popover is open. */
  readonly landmarks?: boolean;
}

/** Everything that axe finds against WCAG 2.2 AA, as short as a failing test can use it. */
export async function findings(page: Page, { within, landmarks = false }: FindingsOptions = {}): Promise<string[]> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await transitionsOver(page);
  const axe = new AxeBuilder({ page }).withTags([
    'wcag2a',
    'wcag2aa',
    'wcag21a',
    'wcag21aa',
    'wcag22aa',
    'best-practice',
  ]);
  if (!landmarks) {
    // Popovers hang on the body, outside of every landmark, so that nothing cuts them off. Base UI's invisible ends of a popover
    // hand the focus on at once: nobody ever rests on them.
    axe.disableRules(['region']).exclude('[data-base-ui-focus-guard]');
  }
  const { violations } = await (within === undefined ? axe : axe.include(within)).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
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
