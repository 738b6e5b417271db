/** Pages that can open ports. Until one is visited nothing of the bench is fetched, and no port can be open. */
import type { ComponentType } from 'react';
import { lazyPage } from './lazy-page.ts';
import { warnBeforeLeaving } from './leave-warning.ts';

/** A lazy page; from its first visit on, leaving the document with open ports warns. */
export function benchPage<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazyPage(async () => {
    const [page, { openPorts }] = await Promise.all([load(), import('../workbench/open-ports.ts')]);
    warnBeforeLeaving(openPorts);
    return page;
  });
}
