/** The room of a shared bench at the server: made for its host, and ended again. */
import { systemClock } from '@wirebench/clock';
import { livePaths, NewLiveRoomAnswer } from '@wirebench/contract';
import { api } from '../../shared/api/api.ts';
import type { ApiClient } from '../../shared/api/api-client.ts';
import { ApiError, errorMessage } from '../../shared/api/api-error.ts';
import { publicConfig } from '../../shared/config/public-config.ts';

export interface Room {
  readonly id: string;
  readonly hostToken: string;
  /** The server: scheme, host and port. */
  readonly relay: string;
  /** Ends it for everybody; also while the document is being left. Never rejects: a room without its host ends by itself. */
  end(): void;
}

/** @throws SessionError if no user is signed in any more, else ApiError. */
export async function makeRoom(): Promise<Room> {
  const client = await api((input, init) => fetch(input, { ...init, keepalive: true }));
  const { room, hostToken } = await client.request(livePaths.rooms, NewLiveRoomAnswer, { method: 'POST' });
  const { apiUrl } = await publicConfig();
  return {
    id: room.id,
    hostToken,
    relay: new URL(apiUrl || '/', location.href).origin,
    end: () => void endRoom(client, room.id),
  };
}

/** Pause between two attempts to end a room after no answer, and the limit for all attempts, in milliseconds. */
const endPause = 3_000;
const endPatience = 120_000;

/** By then the server has missed the host of the room, and has ended it by itself. */
async function endRoom(client: ApiClient, id: string): Promise<void> {
  const until = systemClock.now() + endPatience;
  do {
    try {
      await client.send(livePaths.room(id), { method: 'DELETE' });
      return;
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 0)) {
        return;
      }
    }
    await systemClock.sleep(endPause);
  } while (systemClock.now() < until);
}

/**
 * Returns the server's sentence if it sent one. A refusal after a repeated attempt has its sentence one level below.
 */
export function roomFailure(error: unknown): string {
  const said = error instanceof ApiError && error.cause instanceof ApiError ? error.cause : error;
  return errorMessage(said);
}
