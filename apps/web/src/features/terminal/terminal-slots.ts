/**
 * Elements that a page adds to the terminal or substitutes for its parts. The terminal's own page adds settings from
 * its address. The page of a shared bench has ports whose boards are at the host. The page of opened logs has none.
 */
import type { PortNumber } from '@wirebench/serial';
import { type ComponentType, createContext, type ReactNode } from 'react';
import type { RereadableFile } from '../../shared/files/changed-files.ts';
import type { KeptDecoder } from '../../workbench/decoders/kept-decoders.ts';

export interface PortPaneProps {
  readonly port: PortNumber;
  /**
   * Hides the pane: `onFold` collapses the column, `onClose` closes the overlay. Without both, it cannot be hidden.
   */
  readonly onFold?: (() => void) | undefined;
  readonly onClose?: (() => void) | undefined;
  /** Makes the overlay a column that stays open. */
  readonly onPin?: (() => void) | undefined;
}

export interface DecoderLibraryProps {
  /** Null: a decoder is started from the library. */
  readonly decoder: KeptDecoder | null;
}

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
  /** True: the page shows opened logs. Nothing can be sent, connected or recorded. */
  readonly isReadOnly: boolean;
  /** Takes a dropped file on the page of opened logs. Null: the terminal asks, and opens a tab for a log. */
  readonly takeLog: ((dropped: RereadableFile) => Promise<void>) | null;
  /** True: each port has its own pane, whatever was chosen. */
  readonly isSplit: boolean;
  /** The JKit library in the tool of decoders. Null: the page has none. */
  readonly decoderLibrary: ComponentType<DecoderLibraryProps> | null;
}

export const noSlots: TerminalSlots = {
  banner: null,
  dock: null,
  ask: null,
  empty: null,
  pane: null,
  standing: null,
  isReadOnly: false,
  takeLog: null,
  isSplit: false,
  decoderLibrary: null,
};

export const TerminalSlotsContext = createContext(noSlots);
