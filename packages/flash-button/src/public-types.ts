/**
 * The element's public interface: its properties and the details of its events. This file imports nothing, because it
 * is the package's declaration file.
 */

/**
 * `idle`: the dialog is closed. `loading`: fetches the manifest. `ready`: waits for a board to be chosen. `connecting`
 * and `planning`: identifies the board, and compares it with the firmware. `planned`: shows what a write will do.
 * `console`: listens to the board's program.
 */
export type WirebenchFlashState =
  | 'idle'
  | 'loading'
  | 'ready'
  | 'connecting'
  | 'planning'
  | 'planned'
  | 'writing'
  | 'success'
  | 'failure'
  | 'console';

/** Detail of `wirebench-state`. */
export interface WirebenchStateDetail {
  readonly state: WirebenchFlashState;
  /** One sentence, as the dialog shows it. */
  readonly message: string;
}

/** Detail of `wirebench-progress`. Sent at most every 50 ms. */
export interface WirebenchProgressDetail {
  readonly phase: 'saving' | 'erasing' | 'comparing' | 'writing' | 'verifying';
  /** Bytes. Both are 0 while their number is unknown. */
  readonly done: number;
  readonly total: number;
  /** 0 to 100. */
  readonly percent: number;
  /** Bytes per second; null until known. */
  readonly speed: number | null;
  /** Milliseconds; null until known. */
  readonly remaining: number | null;
}

/** A stretch of flash after a write. */
export interface WirebenchWrittenRegion {
  /** Flash address; for Nordic boards the index of the image. */
  readonly offset: number;
  /** In bytes. */
  readonly length: number;
  /** `same`: flash already held these bytes. */
  readonly outcome: 'same' | 'verified' | 'unverified';
  /** Hash that the board calculated, or of the bytes that were read back; null if the board offers none. */
  readonly proof: { readonly kind: string; readonly value: string } | null;
}

/** Detail of `wirebench-success`. */
export interface WirebenchSuccessDetail {
  readonly name: string;
  readonly version: string;
  /** Chip as its vendor writes it. */
  readonly chip: string;
  /** MAC address or unique ID; null if the chip does not report one. */
  readonly boardId: string | null;
  /** True: a simulated board. */
  readonly demo: boolean;
  /** True: every byte is verified. False: the board cannot confirm it. */
  readonly verified: boolean;
  /** Bytes that were written. `same` are those that flash already held. */
  readonly written: number;
  readonly same: number;
  /** In milliseconds. */
  readonly duration: number;
  readonly regions: readonly WirebenchWrittenRegion[];
}

/** Detail of `wirebench-failure`. */
export interface WirebenchFailureDetail {
  /** Stable code, such as `unplugged`, `no-cors` or `no-chip`. */
  readonly code: string;
  readonly message: string;
  /** Sentences about the next step; empty if there is nothing to add. */
  readonly remedy: string;
  /** `unchanged` unless something on the board was erased or written. */
  readonly boardState: 'unchanged' | 'erased' | 'incomplete' | 'damaged' | 'complete' | 'unverified';
}

/** The element. Attributes and properties have the same meaning. */
export interface WirebenchFlashElement extends HTMLElement {
  /** Address of a manifest, relative to the page. */
  manifest: string | null;
  /** Address of a release's page on a Wirebench server, or of a manifest. */
  release: string | null;
  /** True: offers a simulated board as well. */
  demo: boolean;
  /** True: proposes to erase the whole flash first. */
  eraseFirst: boolean;
  /** Rate for flashing in baud; null for the family's default. */
  baudRate: number | null;
  readonly state: WirebenchFlashState;
  /** Opens the dialog, as a click does. */
  open(): void;
  /** Closes the dialog. While the board is written, the dialog asks first. */
  close(): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'wirebench-flash': WirebenchFlashElement;
  }
  interface HTMLElementEventMap {
    'wirebench-state': CustomEvent<WirebenchStateDetail>;
    'wirebench-progress': CustomEvent<WirebenchProgressDetail>;
    'wirebench-success': CustomEvent<WirebenchSuccessDetail>;
    'wirebench-failure': CustomEvent<WirebenchFailureDetail>;
  }
}
