/** What axe finds on a page, for the tests of every screen. */
import type { Page } from '@playwright/test';
import axe from 'axe-core';
import { themes } from './theme.ts';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

export interface FindingsOptions {
  /** A CSS selector: only this part of the page is looked at. */
  readonly within?: string;
  /** Everything has to be in a landmark, and nothing hidden may take the focus: not where a popover is open. */
  readonly landmarks?: boolean;
  /** These rules alone, by axe's names for them, in the theme that the page has. */
  readonly rules?: string[];
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
  if (options.rules !== undefined) {
    return analyze(page, options, { rules: options.rules });
  }
  const found = await analyze(page, options, { tags: standards });
  const shown = await themeOf(page);
  for (const theme of themes.filter((one) => one !== shown)) {
    await show(page, theme);
    const colours = await analyze(page, options, { rules: colourRules });
    found.push(...colours.map((finding) => `${finding} (${theme})`));
  }
  await show(page, shown);
  return found;
}

type Rules = { readonly tags: string[] } | { readonly rules: string[] };

async function analyze(page: Page, { within, landmarks = false }: FindingsOptions, which: Rules): Promise<string[]> {
  // Once for a page: it is half a megabyte of script.
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(axe.source);
  }
  const context = {
    include: within === undefined ? [] : [within],
    // Popovers hang on the body, outside of every landmark, so that nothing cuts them off. Base UI's invisible ends of a popover
    // hand the focus on at once: nobody ever rests on them.
    exclude: landmarks ? [] : ['[data-base-ui-focus-guard]'],
  };
  const options = {
    runOnly: 'tags' in which ? { type: 'tag', values: which.tags } : { type: 'rule', values: which.rules },
    ...(landmarks ? {} : { rules: { region: { enabled: false } } }),
    // Where a rule is kept is not told: a selector for each element of a page takes most of the time.
    resultTypes: ['violations'],
  };
  return page.evaluate(
    async ([where, how]) => {
      const { violations } = await window.axe.run(where, how as axe.RunOptions);
      return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
    },
    [context, options] as const,
  );
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
