/** A family's flasher as a page. Leaving the document warns while it holds a port. */
import type { ComponentType } from 'react';
import { type OpenPorts, warnBeforeLeaving } from './leave-warning.ts';

export interface FlasherModule {
  readonly FlasherPage: ComponentType<object>;
  /** Ports that the shown family holds open. */
  readonly heldPorts: OpenPorts;
}

let warns = false;

/** Returns the page. From the first call on, the document warns. */
export function startFlasherPage({ FlasherPage, heldPorts }: FlasherModule): ComponentType<object> {
  if (!warns) {
    warns = true;
    warnBeforeLeaving(heldPorts);
  }
  return FlasherPage;
}
