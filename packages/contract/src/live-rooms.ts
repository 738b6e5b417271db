/** Answers of the calls about shared benches. */
import * as z from 'zod/mini';
import { Timestamp } from './fields.ts';

/** `hostToken` authenticates the host's WebSocket. Only this answer contains it. */
export const NewLiveRoomAnswer = z.object({
  room: z.object({
    /** At least 128 random bits in base64url. Anyone who knows it may ask the host to be admitted. */
    id: z.string(),
    expiresAt: Timestamp,
  }),
  hostToken: z.string(),
});
export type NewLiveRoomAnswer = z.infer<typeof NewLiveRoomAnswer>;

export const LiveRoomAnswer = z.object({
  room: z.object({
    /** False while the relay waits for the host to return. */
    isHostPresent: z.boolean(),
    expiresAt: Timestamp,
  }),
});
export type LiveRoomAnswer = z.infer<typeof LiveRoomAnswer>;
