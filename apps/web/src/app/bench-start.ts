/**
 * Prepares the document for a page that can open ports: links stay inside, leaving with open ports warns, and other
 * pages show how many are open.
 */

import { allFamilies } from '@wirebench/boards';
import { pagePaths } from '@wirebench/contract/constants';
import { appNavigation } from '../shared/app-navigation.ts';
import { benchAtStake } from '../workbench/bench-at-stake.ts';
import { headerState } from './header-state.ts';
import { warnBeforeLeaving } from './leave-warning.ts';
import { OpenPortsSign } from './open-ports-sign.tsx';

let started = false;

/**
 * Keeps plain links to pages of the app inside the document, so that open ports stay open. Loaded with the first page
 * that can open a port; before that, a link loads its document.
 */

const pages: readonly string[] = [...Object.values(pagePaths), ...allFamilies.map(({ page }) => page)];

let following = false;

/** Starts to follow links. Later calls do nothing. */
function followLinks(): void {
  if (following) {
    return;
  }
  following = true;
  // The router's own links come before this listener and have prevented the default.
  document.addEventListener('click', (event) => {
    const href = pageOf(event);
    if (href !== null && appNavigation.show !== null) {
      event.preventDefault();
      appNavigation.show(href);
    }
  });
}

/** Returns the page that a click opens in this tab, without the origin; null for every other click. */
export function pageOf(event: MouseEvent): string | null {
  const { target, button, defaultPrevented, ctrlKey, metaKey, shiftKey, altKey } = event;
  if (defaultPrevented || button !== 0 || ctrlKey || metaKey || shiftKey || altKey || !(target instanceof Element)) {
    return null;
  }
  const link = target.closest('a');
  if (link === null || link.hasAttribute('download') || !['', '_self'].includes(link.target)) {
    return null;
  }
  const { origin, pathname, search, hash } = new URL(link.href, location.href);
  // A link to a place within a page is left to the browser, which scrolls there.
  const leads = origin === location.origin && hash === '' && pages.includes(pathname);
  return leads ? pathname + search : null;
}

/** Later calls do nothing. */
export function startBenchPages(): void {
  followLinks();
  if (!started) {
    started = true;
    warnBeforeLeaving(benchAtStake);
    headerState.setState({ Sign: OpenPortsSign });
  }
}
