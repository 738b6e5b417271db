/**
 * Rules of shared benches: how many a user may share, and what others may read about one. Every call rejects while
 * Redis is unavailable.
 */
import type { Clock } from '@wirebench/clock';
import { type LiveRoomAnswer, liveText, type NewLiveRoomAnswer } from '@wirebench/contract';
import { mayShare } from '../../access/sharing-block.repository.ts';
import { ApiError } from '../../api-error.ts';
import type { User } from '../../identity/user.ts';
import type { Queries } from '../../storage/database/database.ts';
import { hashOf, markOf, newRoomId, newToken } from './live-tokens.ts';
import type { LiveLimits, Relay } from './relay.ts';
import { liveTimes, type RoomDirectory } from './room-directory.ts';

export interface LiveServiceOptions {
  readonly queries: Queries;
  readonly directory: RoomDirectory;
  readonly relay: Relay;
  readonly clock: Clock;
  readonly limits: LiveLimits;
  /** Part of the ids of rooms created by this process. */
  readonly mark: Buffer;
}

export type LiveService = ReturnType<typeof liveService>;

export function liveService({ queries, directory, relay, clock, limits, mark }: LiveServiceOptions) {
  /**
   * Returns the directory's key of a room.
   *
   * @throws ApiError for an invalid id, or for a room of another process without a shared directory.
   */
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
    /** Creates a room for a bench that `user` shares. It expires after a minute unless its host connects. */
    async create({ subject }: User): Promise<NewLiveRoomAnswer> {
      const id = newRoomId(mark);
      const hostToken = newToken();
      const owner = hashOf(subject);
      const expiresAt = clock.wallTime() + liveTimes.room;
      const room = { key: hashOf(id), owner, token: hashOf(hostToken), expiresAt };
      if (!(await directory.add(room, limits.rooms))) {
        throw new ApiError('live-room-limit', { message: liveText.roomLimit(limits.rooms) });
      }
      try {
        // Checked after the room exists: a moderator who blocks the account at this moment is either noticed here or
        // finds the room.
        await mayShare(queries, subject);
      } catch (error) {
        await relay.end(room.key, owner);
        throw error;
      }
      return { room: { id, expiresAt: new Date(expiresAt).toISOString() }, hostToken };
    },

    /** Ends a room of the user. A room of another user is reported as not found. */
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

    /**
     * Returns the key for a WebSocket. Whether the room exists is checked when it connects.
     *
     * @throws ApiError for an id that cannot exist.
     */
    keyOf,

    /**
     * Ends the rooms of an account that may no longer share, or that was signed out. Rejects if this is impossible at
     * the moment.
     *
     * @param before Rooms made from this date on stay, in milliseconds since the Unix epoch. Default: none stays.
     */
    async endAllOf(subject: string, before = Number.POSITIVE_INFINITY): Promise<void> {
      const owner = hashOf(subject);
      for (const key of await directory.roomsOf(owner)) {
        const room = before === Number.POSITIVE_INFINITY ? null : await directory.find(key);
        if (room === null || room.expiresAt - liveTimes.room < before) {
          await relay.end(key, owner);
        }
      }
    },
  };
}
