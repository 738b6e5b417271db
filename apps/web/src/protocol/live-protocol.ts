/**
 * Messages between a guest's page and the live worker beside its bench: calls with answers, and a tick after each
 * change. The bench is used as usual: bytes of the shared ports are in its log. Everything here can be cloned between
 * threads.
 */
import type { PortSettings } from '@wirebench/port';
import type { RemoteGuestStatus, Right, ShareLink } from '@wirebench/remote';
import type { PortNumber } from '@wirebench/serial';

/** Every call but `join` is refused while there is no visit. */
export interface LiveApi {
  /**
   * Opens the link, after a visit that has ended as well. What becomes of it stands in the tick.
   * @param shown the shared ports are those of this page's bench; else they are boards to be taken one by one (`PortSource`).
   * @param browserKey a secret of this browser, by which its pages are one guest.
   */
  join(link: ShareLink, name: string, shown: boolean, browserKey: string): void;
  /** Ends the visit; what has come stays in the log. */
  leave(): void;
  ask(port: PortNumber, right: Right): void;
  /** Opens the port as if its board were here. The host's own session releases it. */
  use(port: PortNumber, settings: PortSettings): void;
  /** Closes it, and goes on watching. */
  giveBack(port: PortNumber): void;
}

export type SharedPortFacts = RemoteGuestStatus['ports'][number];

export interface LiveTick extends Omit<RemoteGuestStatus, 'hostAhead'> {
  /** Since when `state` is what it is, in milliseconds since the Unix epoch. */
  readonly since: number;
  /** From the board to this log, in milliseconds, of what came last; null before it was measured. */
  readonly behind: number | null;
  /** Bytes that passed the ports and never came here. */
  readonly missing: number;
  /** Ports that this page has open. */
  readonly using: readonly PortNumber[];
}
