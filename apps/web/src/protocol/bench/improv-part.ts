/** Setup of a board's Wi-Fi by Improv, between page and worker. All values can be cloned. */
import type { PortNumber } from '@wirebench/serial';
import type { DeviceInformation, ImprovFailure, ImprovState, WifiNetwork } from '@wirebench/serial/improv';
import { type BenchPart, portFact } from './fact.ts';

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

/** Calls for the Wi-Fi of a board. */
export interface ImprovCalls {
  /**
   * Does a job on the board of a port by Improv. Rejects if the port is not free; a failure of the board is part of the
   * answer. The tick contains the progress. The ticket stops the job. A password is nowhere in the log.
   */
  improvJob(port: PortNumber, job: ImprovJob, ticket: number): ImprovAnswer;
}

export const unheard: ImprovStatus = {
  isHeard: false,
  state: null,
  information: null,
  address: '',
  job: null,
  found: [],
};

export const improvPart = {
  quiet: [],
  facts: { improv: portFact(unheard) },
} satisfies BenchPart<ImprovCalls>;
