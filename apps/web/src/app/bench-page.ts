/** Pages that can open ports. Until one is visited nothing of the bench is fetched, and no port can be open. */
import type { ComponentType } from 'react';
import { lazyPage } from './lazy-page.ts';
import { warnBeforeLeaving } from './leave-warning.ts';

/** A lazy page; from its first visit on, leaving the document with open ports warns, and so does leaving with a shared bench. */
export function benchPage<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazyPage(async () => {
    const [page, { openPorts }, { sharedBenches }] = await Promise.all([
      load(),
      import('../workbench/open-ports.ts'),
      import('../workbench/sharing/sharing-store.ts'),
    ]);
    warnBeforeLeaving(openPorts);
    warnBeforeLeaving(sharedBenches);
    return page;
  });
}
