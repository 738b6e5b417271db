/** What a room of this process is made with, and whom it tells of its end. */
import type { Clock } from '@wirebench/clock';
import type { RoomBus } from './room-bus.ts';

export interface RoomOptions {
  readonly key: string;
  readonly clock: Clock;
  readonly bus: RoomBus;
  /** Bytes a second that one process may send to all guests together. */
  readonly fanout: number;
  /** Bytes a second that an admitted guest may send. */
  readonly guestRate: number;
  /** Its time is over, or its host ended it. */
  readonly onEnd: () => void;
  readonly onHostGone: (turn: number) => void;
  readonly onGuestGone: (number: number, forGood: boolean) => void;
  /** Nobody is here any more. */
  readonly onUnused: () => void;
}
