/**
 * Rooms of all processes, in Redis. Each operation is one script, so that limits hold for simultaneous calls of
 * several processes. All keys expire: a room that no process refreshes is gone within a minute and a half.
 */
import type { SharedStore } from '../../storage/shared-store.ts';
import {
  type FoundRoom,
  type GuestPlace,
  type HostPlace,
  liveTimes,
  type NewRoom,
  type Presence,
  type ResumeToken,
  type RoomDirectory,
} from './room-directory.ts';

/** Milliseconds after which a guest that no process reports is removed. */
const PRESENCE_TTL = liveTimes.presence * 3;
/**
 * Lifetime of the room itself, in milliseconds. It is longer, because its host may return after its process was lost.
 */
const ROOM_TTL = PRESENCE_TTL + liveTimes.host;

const roomKey = (key: string) => `live:{${key}}:room`;
const hereKey = (key: string) => `live:{${key}}:here`;
const ownerKey = (owner: string) => `live:owner:${owner}`;
/** Prefix; the guest's number follows. */
const guestKey = (key: string) => `live:{${key}}:guest:`;

/** Time of Redis: the clocks of the processes may differ. */
const NOW = `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** Defines the reply that describes a room. */
const FOUND = `local function found(key)
  local room = redis.call('HMGET', key, 'owner', 'expires', 'process')
  return {room[1], room[2], room[3] or '', redis.call('PTTL', key)}
end
`;

/** Keys: owner, room. The beginning and end of the keys of rooms are passed as values. */
const ADD = `for _, other in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  if redis.call('EXISTS', ARGV[6] .. other .. ARGV[7]) == 0 then redis.call('SREM', KEYS[1], other) end
end
if redis.call('SCARD', KEYS[1]) >= tonumber(ARGV[5]) then return 0 end
redis.call('SADD', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ${liveTimes.room})
redis.call('HSET', KEYS[2], 'owner', ARGV[2], 'token', ARGV[3], 'expires', ARGV[4])
redis.call('PEXPIRE', KEYS[2], ${liveTimes.host})
return 1`;

const FIND = `${FOUND}if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
return found(KEYS[1])`;

/** Keys: room, connected guests. */
const ENTER_HOST = `${NOW}${FOUND}local token = redis.call('HGET', KEYS[1], 'token')
if not token then return 0 end
if token ~= ARGV[1] then return 1 end
redis.call('HSET', KEYS[1], 'process', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ${ROOM_TTL})
return {found(KEYS[1]), redis.call('HINCRBY', KEYS[1], 'turn', 1), redis.call('HGET', KEYS[1], 'empty') or '',
  redis.call('ZCOUNT', KEYS[2], now, '+inf')}`;

const LEAVE_HOST = `if redis.call('HGET', KEYS[1], 'turn') ~= ARGV[1] then return 0 end
redis.call('HDEL', KEYS[1], 'process')
return redis.call('PEXPIRE', KEYS[1], ${liveTimes.host})`;

/** Keys: room, connected guests. The prefix of the keys of guests is passed as a value. */
const ENTER_GUEST = `${NOW}${FOUND}if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
local number = ARGV[2]
local resumed = number ~= '0' and redis.call('GET', ARGV[5] .. number) == ARGV[3]
if not resumed then
  if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[4]) then return 1 end
  number = redis.call('HINCRBY', KEYS[1], 'next', 1)
  redis.call('SET', ARGV[5] .. number, ARGV[1], 'PX', ${liveTimes.resume + PRESENCE_TTL})
end
redis.call('ZADD', KEYS[2], now + ${PRESENCE_TTL}, number)
redis.call('PEXPIRE', KEYS[2], ${PRESENCE_TTL})
return {found(KEYS[1]), tonumber(number), resumed and 1 or 0}`;

const LEAVE_GUEST = `redis.call('ZREM', KEYS[1], ARGV[1])
if ARGV[2] == '1' then return redis.call('DEL', ARGV[3] .. ARGV[1]) end
return redis.call('PEXPIRE', ARGV[3] .. ARGV[1], ${liveTimes.resume})`;

/** Keys: room, connected guests, owner. A missing room is restored by the process of its host. */
const KEEP = `${NOW}local turn = redis.call('HGET', KEYS[1], 'turn')
if ARGV[1] ~= '' then
  if turn and tonumber(turn) > tonumber(ARGV[1]) then return 0 end
  redis.call('HSET', KEYS[1], 'turn', ARGV[1], 'process', ARGV[2], 'owner', ARGV[3], 'token', ARGV[4], 'expires', ARGV[5],
    'empty', ARGV[6])
  if redis.call('HEXISTS', KEYS[1], 'next') == 0 then redis.call('HSET', KEYS[1], 'next', ARGV[7]) end
  redis.call('PEXPIRE', KEYS[1], ${ROOM_TTL})
  redis.call('SADD', KEYS[3], ARGV[8])
  redis.call('PEXPIRE', KEYS[3], ${liveTimes.room})
end
for index = 10, #ARGV, 2 do
  redis.call('ZADD', KEYS[2], now + ${PRESENCE_TTL}, ARGV[index])
  redis.call('SET', ARGV[9] .. ARGV[index], ARGV[index + 1], 'PX', ${liveTimes.resume + PRESENCE_TTL})
end
redis.call('PEXPIRE', KEYS[2], ${PRESENCE_TTL})
return 1`;

const REMOVE = `redis.call('DEL', KEYS[1], KEYS[2])
return redis.call('SREM', KEYS[3], ARGV[1])`;

const ROOMS_OF = `return redis.call('SMEMBERS', KEYS[1])`;

type Reply = readonly [owner: string, expires: string, process: string, ttl: number];

export class RedisDirectory implements RoomDirectory {
  readonly isShared = true;
  readonly #store: SharedStore;
  readonly #process: string;

  /** @param process Name of this process for the others. */
  constructor(store: SharedStore, process: string) {
    this.#store = store;
    this.#process = process;
  }

  async add({ key, owner, token, expiresAt }: NewRoom, most: number): Promise<boolean> {
    const [before = '', after = ''] = this.#store.nameOf(roomKey('|')).split('|');
    const values = [key, owner, token, expiresAt, most, before, after];
    return (await this.#store.run(ADD, [ownerKey(owner), roomKey(key)], values)) === 1;
  }

  async find(key: string): Promise<FoundRoom | null> {
    const reply = await this.#store.run(FIND, [roomKey(key)], []);
    return reply === 0 ? null : foundOf(reply as Reply);
  }

  async enterHost(key: string, token: string, process: string): Promise<HostPlace | 'wrong-token' | null> {
    const reply = await this.#store.run(ENTER_HOST, [roomKey(key), hereKey(key)], [token, process]);
    if (reply === 0 || reply === 1) {
      return reply === 0 ? null : 'wrong-token';
    }
    const [room, turn, empty, guests] = reply as readonly [Reply, number, string, number];
    return { room: foundOf(room), turn, emptySince: empty === '' ? null : Number(empty), guests };
  }

  async leaveHost(key: string, turn: number): Promise<void> {
    await this.#store.run(LEAVE_HOST, [roomKey(key)], [turn]);
  }

  async enterGuest(
    key: string,
    hash: string,
    resume: ResumeToken | null,
    most: number,
  ): Promise<GuestPlace | 'full' | null> {
    const { number: known, hash: knownHash } = resume ?? { number: 0, hash: '' };
    const values = [hash, known, knownHash, most, this.#store.nameOf(guestKey(key))];
    const reply = await this.#store.run(ENTER_GUEST, [roomKey(key), hereKey(key)], values);
    if (reply === 0 || reply === 1) {
      return reply === 0 ? null : 'full';
    }
    const [room, number, isResumed] = reply as readonly [Reply, number, number];
    return { room: foundOf(room), number, isResumed: isResumed === 1 };
  }

  async leaveGuest(key: string, number: number, forGood: boolean): Promise<void> {
    const values = [number, forGood ? 1 : 0, this.#store.nameOf(guestKey(key))];
    await this.#store.run(LEAVE_GUEST, [hereKey(key)], values);
  }

  async keep({ room, turn, emptySince, guests }: Presence): Promise<boolean> {
    const { key, owner, token, expiresAt } = room;
    const values = [
      turn ?? '',
      this.#process,
      owner,
      token,
      expiresAt,
      emptySince ?? '',
      // Next guest number after a Redis that lost all data, far from every earlier number.
      Math.floor(Math.random() * 0x3fff_ffff) + 0x1000_0000,
      key,
      this.#store.nameOf(guestKey(key)),
      ...[...guests].flat(),
    ];
    return (await this.#store.run(KEEP, [roomKey(key), hereKey(key), ownerKey(owner)], values)) === 1;
  }

  async remove({ key, owner }: { readonly key: string; readonly owner: string }): Promise<void> {
    await this.#store.run(REMOVE, [roomKey(key), hereKey(key), ownerKey(owner)], [key]);
  }

  async roomsOf(owner: string): Promise<readonly string[]> {
    return (await this.#store.run(ROOMS_OF, [ownerKey(owner)], [])) as string[];
  }
}

function foundOf([owner, expires, process, ttl]: Reply): FoundRoom {
  return { owner, expiresAt: Number(expires), hostProcess: process === '' ? null : process, wait: Math.max(0, ttl) };
}
