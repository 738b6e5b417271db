/** Messages between the page and the worker of the shared bench. Everything here can be cloned between threads. */
import type { GuestStatus, HostStatus, Right } from '@wirebench/remote';
import type { PortNumber } from '@wirebench/serial';
import type { PortNames } from './bench-protocol.ts';

/** Hours after which a link ends, as a person chooses. */
export const shareHours = [1, 4, 8] as const;
export type ShareHours = (typeof shareHours)[number];

export interface ShareRequest {
  /** Id of the room that the server created. */
  readonly room: string;
  readonly hostToken: string;
  /** Origin of the link: scheme, host name and port. */
  readonly origin: string;
  /** The server whose relay passes frames on: scheme, host and port. */
  readonly relay: string;
  /** Name of the host, as guests see it. */
  readonly name: string;
  readonly hours: ShareHours;
  /** True: guests get the newest lines from before they came. */
  readonly showsEarlier: boolean;
  readonly portNames: PortNames;
}

export interface ShareApi {
  /** Begins to share, and gives the link. Refused while the bench is shared already. */
  start(request: ShareRequest): string;
  /** Ends sharing for all; does nothing when it has ended. */
  stop(): void;
  setPortNames(names: PortNames): void;
  /** Guests that come from now on get the newest lines from before they came, or not. */
  showEarlier(isShown: boolean): void;
  /** Sharing ends by itself so many hours after it began. */
  endAfter(hours: ShareHours): void;
  setRight(guest: string, port: PortNumber, right: Right): void;
  /** Refuses the guest's pending request at this port. */
  refuse(guest: string, port: PortNumber): void;
  /** From now on everybody who is here may only watch; what a guest does and may not do any more ends at once. */
  lowerAll(): void;
  /** Nothing that anybody asks for is granted. */
  refuseAll(): void;
  takeBack(port: PortNumber): void;
  /** Sends a guest away. */
  remove(guest: string): void;
}

/** @property name fit to be shown: no two guests have the same. */
export type ShareGuest = GuestStatus;

export interface ShareStatus extends HostStatus {
  readonly guests: readonly ShareGuest[];
  /** The ports that guests see. */
  readonly ports: readonly PortNumber[];
}

export interface ShareTick {
  /** Null before anything was shared. */
  readonly status: ShareStatus | null;
}

export type { Right };
