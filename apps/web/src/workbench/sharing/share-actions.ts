/** Actions on the shared bench. Loaded when the user opens the dialog or starts sharing. */

import { systemClock } from '@wirebench/clock';
import { livePaths, NewLiveRoomAnswer } from '@wirebench/contract';
import type { HostStatus } from '@wirebench/remote';
import type { PortNumber } from '@wirebench/serial';
import type { Right, ShareApi, ShareHours, ShareStatus, ShareTick } from '../../protocol/share-protocol.ts';
import { api } from '../../shared/api/api.ts';
import type { ApiClient } from '../../shared/api/api-client.ts';
import { ApiError, errorMessage } from '../../shared/api/api-error.ts';
import { publicConfig } from '../../shared/config/public-config.ts';
import { sessionStore } from '../../shared/session/page-session.ts';
import { signIn } from '../../shared/session/sign-in.ts';
import { browserStorage } from '../../shared/storage/browser-storage.ts';
import { savingOf } from '../../shared/storage/saving.ts';
import type { MessageLevel } from '../../shared/ui/level-icon.tsx';
import { toast } from '../../shared/ui/toast.ts';
import { toolLine } from '../tool-line.ts';
import { changeSharing, earlierKey, type Leaving, onSharingChange, sharingNow } from './sharing-store.ts';

/** Creates the room of a shared bench at the server for its host, and ends it. */

interface Room {
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
async function makeRoom(): Promise<Room> {
  const client = await api((input, init) => fetch(input, { ...init, keepalive: true }));
  const { room, hostToken } = await client.request(livePaths.rooms, NewLiveRoomAnswer, { method: 'POST' });
  const { apiUrl } = await publicConfig();
  return {
    id: room.id,
    hostToken,
    relay: new URL(apiUrl || '/', location.href).origin,
    end: () => void deleteRoom(client, room.id),
  };
}

/** Pause between two attempts to end a room that got no answer, and the time limit of all attempts, in milliseconds. */
const endPause = 3_000;
const endPatience = 120_000;

/**
 * Retries until `endPatience` is over. By then the server has noticed that the host is missing, and has ended the room.
 */
async function deleteRoom(client: ApiClient, id: string): Promise<void> {
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
function roomFailure(error: unknown): string {
  const said = error instanceof ApiError && error.cause instanceof ApiError ? error.cause : error;
  return errorMessage(said);
}

let room: Room | null = null;

export const shareLine = toolLine<ShareApi, ShareTick>({
  tool: () => 'sharing',
  onTick: ({ status }) => takeStatus(status),
  onLost: () => {
    shareLine.replace(null);
    endRoom();
    forget();
  },
});

const getLine = shareLine.get;

/** Asks a visitor to sign in, then starts sharing. Call it from a click: signing in needs user activation. */
export async function signInAndShare(): Promise<void> {
  await signIn();
  if (sessionStore.current() !== null) {
    await startSharing();
  }
}

export async function startSharing(): Promise<void> {
  if (sharingNow().phase !== 'off') {
    return;
  }
  changeSharing({ phase: 'starting', failure: null, status: null });
  try {
    const made = await makeRoom();
    room = made;
    const { id, hostToken, relay } = made;
    const { hours, showsEarlier, portNames } = sharingNow();
    const link = await getLine().call('start', {
      room: id,
      hostToken,
      relay,
      origin: location.origin,
      name: sessionStore.current()?.user.name ?? '',
      hours,
      showsEarlier,
      portNames,
    });
    changeSharing({ phase: 'on', link });
    window.addEventListener('pagehide', leave);
  } catch (error) {
    endRoom();
    changeSharing({ phase: 'off', failure: roomFailure(error) });
  }
}

export function stopSharing(): void {
  const { status } = sharingNow();
  if (shareLine.isOpen) {
    void getLine().call('stop');
  }
  if (status?.state !== 'sharing') {
    // The host has no connection to the relay, so the relay cannot end the room. The page asks the server.
    endRoom();
  }
  forget();
}

export function stopAndLeave({ href }: Leaving): void {
  leave();
  location.assign(href);
}

/** Ends the room at the server when the document is left, because the worker may already be stopped. */
function leave(): void {
  endRoom();
  stopSharing();
}

function endRoom(): void {
  room?.end();
  room = null;
}

function forget(): void {
  room = null;
  window.removeEventListener('pagehide', leave);
  changeSharing({ phase: 'off', link: null, status: null, leaving: null });
}

interface EndText {
  readonly text: string;
  readonly level: MessageLevel;
  readonly detail?: string | undefined;
}

const byUs = {
  expired: { text: 'Sharing has ended: the time that you chose is over.', level: 'info' },
  empty: { text: 'Sharing has ended: no guest was here for 30 minutes.', level: 'info' },
  ended: { text: 'The server has ended sharing.', level: 'error', detail: 'Share the bench again for a new link.' },
  'no-such-room': {
    text: 'The server does not know this shared bench any more.',
    level: 'error',
    detail: 'The connection was away for too long. Share the bench again for a new link.',
  },
  replaced: {
    text: 'Sharing has ended: somebody else has connected as the host of this bench.',
    level: 'error',
    detail: 'If that was not you, sign out everywhere, then share the bench again.',
  },
} satisfies Partial<Record<NonNullable<HostStatus['why']>, EndText>>;

const other: EndText = {
  text: 'Sharing has ended: the server does not accept this connection any more.',
  level: 'error',
  detail: 'Share the bench again for a new link.',
};

/** Texts for an end of sharing that the user did not cause with Stop. */
function endTexts(why: NonNullable<HostStatus['why']>): EndText {
  const texts: Partial<Record<NonNullable<HostStatus['why']>, EndText>> = byUs;
  return texts[why] ?? other;
}

/** Applies a status report of the worker. */
export function takeStatus(status: ShareStatus | null): void {
  if (sharingNow().phase === 'off' || status === null) {
    return;
  }
  if (status.state !== 'ended') {
    changeSharing({ status });
    return;
  }
  if (sharingNow().phase === 'on') {
    const { why } = status;
    forget();
    if (why !== null) {
      const { text, level, detail } = endTexts(why);
      toast(text, { level, detail });
    }
  }
}

onSharingChange(({ phase, portNames }, before) => {
  if (phase === 'on' && portNames !== before.portNames) {
    void getLine().call('setPortNames', portNames);
  }
});

export function endAfter(hours: ShareHours): void {
  changeSharing({ hours });
  if (sharingNow().phase === 'on') {
    void getLine().call('endAfter', hours);
  }
}

const saving = savingOf({ what: 'Your choice for guests' });

/** Applies to guests who join from now on. The choice is remembered in this browser. */
export function showEarlier(isShown: boolean): void {
  changeSharing({ showsEarlier: isShown });
  saving(() => browserStorage.setItem(earlierKey, isShown ? 'on' : 'off'));
  if (sharingNow().phase === 'on') {
    void getLine().call('showEarlier', isShown);
  }
}

export const setRight = (guest: string, port: PortNumber, right: Right) =>
  void getLine().call('setRight', guest, port, right);

/** Closes this page's use of the port and grants the guest's pending request. */
export async function disconnectFor(guest: string, port: PortNumber): Promise<void> {
  if (await sharingNow().releasePort(port)) {
    setRight(guest, port, 'use');
  }
}

export const refuse = (guest: string, port: PortNumber) => void getLine().call('refuse', guest, port);

export const lowerAll = () => void getLine().call('lowerAll');

export const refuseAll = () => void getLine().call('refuseAll');

export const takeBack = (port: PortNumber) => void getLine().call('takeBack', port);

export const removeGuest = (guest: string) => void getLine().call('remove', guest);
