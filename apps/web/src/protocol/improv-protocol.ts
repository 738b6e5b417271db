/** Setup of a board's Wi-Fi by Improv, between page and worker. All values can be cloned. */
import type { DeviceInformation, ImprovFailure, ImprovState, WifiNetwork } from '@wirebench/serial/improv';

export type ImprovJob =
  /** Requests device information once, and the state of a board that answers. A silent board leaves no failure. */
  | { readonly kind: 'probe' }
  /** Requests device information and state. */
  | { readonly kind: 'ask' }
  | { readonly kind: 'scan' }
  /**
   * Sends the settings and waits until the board is connected.
   *
   * @property name Bytes of the network's name. @property password Empty for an open network.
   */
  | { readonly kind: 'connect'; readonly name: Uint8Array; readonly password: Uint8Array };

/** Answer to a job. What was not asked for is null or empty. */
export interface ImprovAnswer {
  readonly information: DeviceInformation | null;
  readonly state: ImprovState | null;
  /** Address of the board's page, as the board sent it. */
  readonly address: string;
  /** Strongest first. */
  readonly networks: readonly WifiNetwork[];
  /** False: the list was cut off. */
  readonly isWhole: boolean;
  /** Null: everything was done. */
  readonly failure: { readonly code: ImprovFailure; readonly message: string } | null;
}

/** A port as the setup of its Wi-Fi sees it, since it was opened. */
export interface ImprovStatus {
  /** True: the board has sent a packet of Improv. */
  readonly isHeard: boolean;
  /** Last state that the board reported. */
  readonly state: ImprovState | null;
  /** Last information that the board sent. */
  readonly information: DeviceInformation | null;
  /** Address that the board sent last; empty without one. */
  readonly address: string;
  readonly job: ImprovJob['kind'] | null;
  /** Networks found by a running scan. */
  readonly found: readonly WifiNetwork[];
}
