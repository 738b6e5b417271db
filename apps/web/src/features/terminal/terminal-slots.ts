/**
 * What a page puts into the terminal, or in the place of its parts. The terminal's own page has addresses that open a port; a bench that
 * somebody shares has ports whose boards are somewhere else.
 */
import { type ComponentType, createContext, type ReactNode } from 'react';
import type { PortPaneProps } from './settings/port-pane.tsx';

export interface TerminalSlots {
  /** Below the ports. */
  readonly banner: ReactNode;
  /** Above the log. */
  readonly dock: ReactNode;
  /** What else can be sent to a port that may only be watched: the button to ask for it. */
  readonly ask: ReactNode;
  /** Null for the terminal's own. */
  readonly empty: ComponentType | null;
  readonly pane: ComponentType<PortPaneProps> | null;
  readonly statusLine: ComponentType | null;
}

export const noSlots: TerminalSlots = {
  banner: null,
  dock: null,
  ask: null,
  empty: null,
  pane: null,
  statusLine: null,
};

export const TerminalSlotsContext = createContext(noSlots);
