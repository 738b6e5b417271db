/** Place of a flasher that is shown on the page of a release, so that a visitor installs without leaving the page. */
import { createContext } from 'react';
import type { Release } from './release.ts';

export interface VisitPlace {
  /** Holds the flasher's answer, with its button at the lower edge. */
  readonly box: HTMLElement;
  /** Names the release, as the query of the flasher's address does. */
  readonly search: string;
  /** The release as the page has read it; null if the flasher reads what its address names. */
  readonly release: Release | null;
  /** Returns the kind of board to connect after a press of *Install*, once for each press. */
  takePress(): 'board' | 'demo' | null;
  /** Takes the version whose files are chosen, and if another one must not be chosen now. */
  follow(version: string | null, isBusy: boolean): void;
}

/** Null: the flasher is a page of its own. */
export const VisitPlaceContext = createContext<VisitPlace | null>(null);
