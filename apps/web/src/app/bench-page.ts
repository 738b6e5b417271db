/** Pages that can open ports. Until one is visited nothing of the bench is fetched, and no port can be open. */
import type { ComponentType } from 'react';
import { headerSign } from './header-sign.ts';
import { lazyPage } from './lazy-page.ts';
import { warnBeforeLeaving } from './leave-warning.ts';

/** A lazy page; from its first visit on, leaving the document with open ports or a shared bench warns, and other
 * pages show the number of open ports. */
export function benchPage<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazyPage(async () => {
    const [page, { benchAtStake }, { OpenPortsSign }] = await Promise.all([
      load(),
      import('../workbench/bench-at-stake.ts'),
      import('./open-ports-sign.tsx'),
    ]);
    warnBeforeLeaving(benchAtStake);
    headerSign.setState({ Sign: OpenPortsSign });
    return page;
  });
}
