/**
 * Elements that a page adds to the terminal or substitutes for its parts. The terminal's own page adds settings from
 * its address. The page of a shared bench has ports whose boards are at the host.
 */
import { type ComponentType, createContext, type ReactNode } from 'react';
import type { PortPaneProps } from './settings/port-pane.tsx';

export interface TerminalSlots {
  /** Shown below the ports. */
  readonly banner: ReactNode;
  /** Shown above the log. */
  readonly dock: ReactNode;
  /** Button that asks for the right to type on a port that the guest may only watch. */
  readonly ask: ReactNode;
  /** Replaces the empty state. Null: the terminal's own. */
  readonly empty: ComponentType | null;
  readonly pane: ComponentType<PortPaneProps> | null;
  /** Shown at the start of the line below the log. */
  readonly standing: ComponentType | null;
}

export const noSlots: TerminalSlots = {
  banner: null,
  dock: null,
  ask: null,
  empty: null,
  pane: null,
  standing: null,
};

export const TerminalSlotsContext = createContext(noSlots);
