/** Pages that can open ports. Until one is visited nothing of the bench is fetched, and no port can be open. */
import type { ComponentType } from 'react';
import { lazyPage } from './lazy-page.ts';

/**
 * A lazy page. From its first visit on, links to other pages stay in the document, leaving the document with open
 * ports or a shared bench warns, and other pages show the number of open ports.
 *
 * @param path Address at which the page is fetched at once, beside the document's fonts.
 */
export function benchPage<Props>(load: () => Promise<ComponentType<Props>>, path?: string) {
  const start = async () => {
    const [page, { startBenchPages }] = await Promise.all([load(), import('./bench-start.ts')]);
    startBenchPages();
    return page;
  };
  if (location.pathname === path) {
    // The visit of the page reports a failure.
    start().catch(() => undefined);
  }
  return lazyPage(start);
}
