/** Messages between the page and the worker of the shared bench. All values can be cloned between threads. */
import type { GuestStatus, HostStatus, Right } from '@wirebench/remote';
import type { PortNumber } from '@wirebench/serial';
import type { PortNames } from './bench/port-part.ts';

/** Lifetimes of a link that the user can choose, in hours. */
export const shareHours = [1, 4, 8] as const;
export type ShareHours = (typeof shareHours)[number];

export interface ShareRequest {
  /** Id of the room that the server created. */
  readonly room: string;
  readonly hostToken: string;
  /** Origin of the link: scheme, host name and port. */
  readonly origin: string;
  /** The server whose relay forwards frames: scheme, host name and port. */
  readonly relay: string;
  /** Name of the host, as guests see it. */
  readonly name: string;
  readonly hours: ShareHours;
  /** True: guests get the newest lines from before they joined. */
  readonly showsEarlier: boolean;
  readonly portNames: PortNames;
}

export interface ShareApi {
  /** Starts sharing. Returns the link. Rejects while the bench is shared already. */
  start(request: ShareRequest): string;
  /** Ends sharing for all guests. Does nothing after its end. */
  stop(): void;
  setPortNames(names: PortNames): void;
  /** Sets whether guests who join from now on get the newest lines from before they joined. */
  showEarlier(isShown: boolean): void;
  /** Sets the hours after which sharing ends, counted from its start. */
  endAfter(hours: ShareHours): void;
  setRight(guest: string, port: PortNumber, right: Right): void;
  /** Refuses the guest's pending request at this port. */
  refuse(guest: string, port: PortNumber): void;
  /** Reduces the rights of all present guests to watching. Ends all uses of ports by guests at once. */
  lowerAll(): void;
  /** Refuses all pending requests. */
  refuseAll(): void;
  takeBack(port: PortNumber): void;
  /** Removes a guest from the shared bench. */
  remove(guest: string): void;
}

/** @property name Sanitised and unique among the guests. */
export type ShareGuest = GuestStatus;

export interface ShareStatus extends HostStatus {
  readonly guests: readonly ShareGuest[];
  /** Ports that guests can see. */
  readonly ports: readonly PortNumber[];
}

export interface ShareTick {
  /** Null before the first share. */
  readonly status: ShareStatus | null;
}

export type { Right };
