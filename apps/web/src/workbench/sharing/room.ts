/** Creates the room of a shared bench at the server for its host, and ends it. */
import { systemClock } from '@wirebench/clock';
import { livePaths, NewLiveRoomAnswer } from '@wirebench/contract';
import { api } from '../../shared/api/api.ts';
import type { ApiClient } from '../../shared/api/api-client.ts';
import { ApiError, errorMessage } from '../../shared/api/api-error.ts';
import { publicConfig } from '../../shared/config/public-config.ts';

export interface Room {
  readonly id: string;
  readonly hostToken: string;
  /** Scheme, host and port of the server. */
  readonly relay: string;
  /**
   * Ends the room for all guests; works while the document is being left. Never rejects, because a room without its
   * host ends by itself.
   */
  end(): void;
}

/**
 * @throws SessionError if the user is no longer signed in.
 * @throws ApiError for other failures.
 */
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

/** Pause between two attempts to end a room that got no answer, and the time limit of all attempts, in milliseconds. */
const endPause = 3_000;
const endPatience = 120_000;

/**
 * Retries until `endPatience` is over. By then the server has noticed that the host is missing, and has ended the room.
 */
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

/** Returns the server's sentence if it sent one. A refusal after a retry has its sentence one level below. */
export function roomFailure(error: unknown): string {
  const said = error instanceof ApiError && error.cause instanceof ApiError ? error.cause : error;
  return errorMessage(said);
}
