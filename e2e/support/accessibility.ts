/** Runs axe on a page, for the tests of every screen. */
import type { Page } from '@playwright/test';
import axe from 'axe-core';
import { themes } from './theme.ts';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

export interface FindingsOptions {
  /** CSS selector that limits the check to a part of the page. */
  readonly within?: string;
  /**
   * True: also requires all content in landmarks, and no focusable hidden elements. Not for pages with an open
   * popover.
   */
  readonly landmarks?: boolean;
  /** Limits the check to these rules of axe, in the page's current theme. */
  readonly rules?: string[];
}

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Rules about colours. Only these can have other findings in another theme. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** Returns axe's findings against WCAG 2.2 AA in both themes, in short form. Restores the page's theme at the end. */
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
  // Loaded once for a page, because it is half a megabyte of script.
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(axe.source);
  }
  const context = {
    include: within === undefined ? [] : [within],
    // Popovers are children of the body, outside of every landmark, so that nothing clips them. Base UI's invisible
    // focus guards pass the focus on at once, so it never stays there.
    exclude: landmarks ? [] : ['[data-base-ui-focus-guard]'],
  };
  const options = {
    runOnly: 'tags' in which ? { type: 'tag', values: which.tags } : { type: 'rule', values: which.rules },
    ...(landmarks ? {} : { rules: { region: { enabled: false } } }),
    // Reports violations only. Building a selector for each passing element would take most of the time.
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

/** Changes the theme like the product, but without storing it. */
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

/**
 * Waits until the page has been drawn at its present size, because media queries replace controls one frame after a
 * change of the window. Then waits until all transitions end, because colours are wrong during a fade. Reduced motion
 * does not stop a fade that already runs.
 */
async function transitionsOver(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    await frame();
    await frame();
    const fading = () => document.getAnimations().filter((one) => one instanceof CSSTransition);
    for (let left = fading(); left.length > 0; left = fading()) {
      await Promise.allSettled(left.map(({ finished }) => finished));
    }
  });
}
