/** Answers of the calls about shared benches. */
import * as z from 'zod/mini';
import { Timestamp } from './fields.ts';

/** `hostToken` is what the host opens its WebSocket with. It is answered this once. */
export const NewLiveRoomAnswer = z.object({
  room: z.object({
    /** At least 128 random bits, base64url: whoever knows it may ask the host to be let in. */
    id: z.string(),
    expiresAt: Timestamp,
  }),
  hostToken: z.string(),
});
export type NewLiveRoomAnswer = z.infer<typeof NewLiveRoomAnswer>;

export const LiveRoomAnswer = z.object({
  room: z.object({
    /** False while the host is waited for. */
    isHostPresent: z.boolean(),
    expiresAt: Timestamp,
  }),
});
export type LiveRoomAnswer = z.infer<typeof LiveRoomAnswer>;
