/** Rules of shared benches: who may share how many, and what others may know of one. A Redis that is away rejects every call. */
import type { Clock } from '@wirebench/clock';
import { type LiveRoomAnswer, liveText, type NewLiveRoomAnswer } from '@wirebench/contract';
import { ApiError } from '../../api-error.ts';
import type { User } from '../../identity/user.ts';
import type { Queries } from '../../storage/database/database.ts';
import { mayShare } from '../accounts/sharing-block.repository.ts';
import { hashOf, markOf, newRoomId, newToken } from './live-tokens.ts';
import type { LiveLimits, Relay } from './relay.ts';
import { liveTimes, type RoomDirectory } from './room-directory.ts';

export interface LiveServiceOptions {
  readonly queries: Queries;
  readonly directory: RoomDirectory;
  readonly relay: Relay;
  readonly clock: Clock;
  readonly limits: LiveLimits;
  /** Goes into the ids of rooms that are made here. */
  readonly mark: Buffer;
}

export type LiveService = ReturnType<typeof liveService>;

export function liveService({ queries, directory, relay, clock, limits, mark }: LiveServiceOptions) {
  /** Throws for an id of no room that can be here. */
  function keyOf(id: string): string {
    const madeBy = markOf(id);
    if (madeBy === null) {
      throw new ApiError('not-found');
    }
    if (!directory.isShared && !madeBy.equals(mark)) {
      throw new ApiError('live-not-here');
    }
    return hashOf(id);
  }

  return {
    /** A room for a bench that `user` shares. It is gone in a minute unless its host comes. */
    async create({ subject }: User): Promise<NewLiveRoomAnswer> {
      const id = newRoomId(mark);
      const hostToken = newToken();
      const owner = hashOf(subject);
      const expiresAt = clock.now() + liveTimes.room;
      const room = { key: hashOf(id), owner, token: hashOf(hostToken), expiresAt };
      if (!(await directory.add(room, limits.rooms))) {
        throw new ApiError('live-room-limit', { message: liveText.roomLimit(limits.rooms) });
      }
      try {
        // After it is there: whoever blocks the account at this moment either is seen here or sees the room.
        await mayShare(queries, subject);
      } catch (error) {
        await relay.end(room.key, owner);
        throw error;
      }
      return { room: { id, expiresAt: new Date(expiresAt).toISOString() }, hostToken };
    },

    /** Ends a room of the user's own. Another's is not told from none. */
    async end({ subject }: User, id: string): Promise<void> {
      const key = keyOf(id);
      const owner = hashOf(subject);
      const room = await directory.find(key);
      if (room?.owner !== owner) {
        throw new ApiError('not-found');
      }
      await relay.end(key, owner);
    },

    async get(id: string): Promise<LiveRoomAnswer> {
      const room = await directory.find(keyOf(id));
      if (room === null) {
        throw new ApiError('not-found');
      }
      const { hostProcess, expiresAt } = room;
      return { room: { isHostPresent: hostProcess !== null, expiresAt: new Date(expiresAt).toISOString() } };
    },

    /** What a WebSocket is connected to; whether there is such a room is seen then. Throws for what can be none. */
    keyOf,

    /** Ends all rooms of an account that may not share any more. Rejects when that cannot be done now. */
    async endAllOf(subject: string): Promise<void> {
      const owner = hashOf(subject);
      for (const key of await directory.roomsOf(owner)) {
        await relay.end(key, owner);
      }
    },
  };
}
