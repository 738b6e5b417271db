/**
 * Messages between the Screens of a page and the ports in the worker: received bytes one way, keys the other. One message
 * of bytes per port is under way at a time, so a slow page never gets a backlog, and the port never waits for the page.
 */
import type { PortNumber } from '@wirebench/serial';

/** Most bytes of one message. A page parses them within a frame. */
export const screenPiece = 1 << 16;
/** Bytes from before that a Screen shows when it is first opened, or after it has fallen behind. */
export const screenReplay = 1 << 18;
/** Bytes that a Screen may be behind. With more, it begins with the last `screenReplay` bytes. */
export const screenBehind = 1 << 22;

export type ToScreenWorker =
  /** Shows the port from now on. @property from Offset to go on from; null: with the last part that is held. */
  | { readonly kind: 'show'; readonly port: PortNumber; readonly from: number | null }
  | { readonly kind: 'hide'; readonly port: PortNumber }
  /** The last message of bytes was parsed, and the next may come. */
  | { readonly kind: 'taken'; readonly port: PortNumber }
  /** Keys of a person. */
  | { readonly kind: 'keys'; readonly port: PortNumber; readonly bytes: Uint8Array }
  /** The terminal's answer to a query. It is dropped unless this page holds the port. */
  | { readonly kind: 'answer'; readonly port: PortNumber; readonly bytes: Uint8Array };

/** Received bytes. */
export interface ScreenBytes {
  readonly port: PortNumber;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Offset after the last of them. */
  readonly end: number;
  /** True: queries in them must not be answered. They have passed before, or another side holds the port. */
  readonly isQuiet: boolean;
  /** True: the screen begins again with these bytes, because others before them are left out. */
  readonly startsOver: boolean;
}
