/** A family's flasher as a page. Leaving the document warns while it works on a board. */
import type { ComponentType } from 'react';
import { type OpenPorts, warnBeforeLeaving } from './leave-warning.ts';

export interface FlasherModule {
  readonly FlasherPage: ComponentType<object>;
  /** Boards that must not be left now, of all families. */
  readonly boardsAtWork: OpenPorts;
}

let warns = false;

/** Returns the page. From the first call on, the document warns. */
export function startFlasherPage({ FlasherPage, boardsAtWork }: FlasherModule): ComponentType<object> {
  if (!warns) {
    warns = true;
    warnBeforeLeaving(boardsAtWork);
  }
  return FlasherPage;
}
