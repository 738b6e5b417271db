/** Pages that can open ports. Until one is visited nothing of the bench is fetched, and no port can be open. */
import type { ComponentType } from 'react';
import { lazyPage } from './lazy-page.ts';
import { warnBeforeLeaving } from './leave-warning.ts';

/** A lazy page; from its first visit on, leaving the document with open ports or a shared bench warns. */
export function benchPage<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazyPage(async () => {
    const [page, { benchAtStake }] = await Promise.all([load(), import('../workbench/bench-at-stake.ts')]);
    warnBeforeLeaving(benchAtStake);
    return page;
  });
}
