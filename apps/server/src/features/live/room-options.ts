/** Options of a room at this process, with callbacks for its end. */
import type { Clock } from '@wirebench/clock';
import type { RoomBus } from './room-bus.ts';

export interface RoomOptions {
  readonly key: string;
  readonly clock: Clock;
  readonly bus: RoomBus;
  /** Bytes per second that one process may send to all guests together. */
  readonly fanout: number;
  /** Bytes per second that an admitted guest may send. */
  readonly guestRate: number;
  /** Called when the room expires or its host ends it. */
  readonly onEnd: () => void;
  readonly onHostGone: (turn: number) => void;
  readonly onGuestGone: (number: number, forGood: boolean) => void;
  /** Called when no connection is left at this process. */
  readonly onUnused: () => void;
}
