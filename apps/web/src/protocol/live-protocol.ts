/**
 * Messages between a guest's page and the live worker beside its bench: calls with answers, and a tick after each
 * change. The page uses its bench as usual, because its log contains the bytes of the shared ports. All values can be
 * cloned between threads.
 */
import type { PortSettings } from '@wirebench/port';
import type { RemoteGuestStatus, Right, ShareLink } from '@wirebench/remote';
import type { PortNumber } from '@wirebench/serial';

/** All calls except `join` are refused while there is no visit. */
export interface LiveApi {
  /**
   * Opens the link, also after an earlier visit has ended. The tick reports the outcome.
   * @param shown True: the shared ports are those of this page's bench. False: they are boards that the page takes
   *   one by one (`PortSource`).
   * @param browserKey Secret of this browser. Pages with the same key count as one guest.
   */
  join(link: ShareLink, name: string, shown: boolean, browserKey: string): void;
  /** Ends the visit. Received lines stay in the log. */
  leave(): void;
  ask(port: PortNumber, right: Right): void;
  /** Opens the port as if its board were here. The host's own session releases it. */
  use(port: PortNumber, settings: PortSettings): void;
  /** Closes the port, and continues to watch it. */
  giveBack(port: PortNumber): void;
}

export type SharedPortFacts = RemoteGuestStatus['ports'][number];

export interface LiveTick extends Omit<RemoteGuestStatus, 'hostAhead' | 'typists'> {
  /** Time of the last change of `state`, in milliseconds since the Unix epoch. */
  readonly since: number;
  /** Delay of the newest bytes from the board to this log, in milliseconds. Null before it was measured. */
  readonly delay: number | null;
  /** Bytes that passed the ports but did not arrive here. */
  readonly missing: number;
  /** Ports that this page has open. */
  readonly using: readonly PortNumber[];
}
