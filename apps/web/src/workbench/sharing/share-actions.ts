/** Actions on the shared bench. Loaded when the user opens the dialog or starts sharing. */
import type { PortNumber } from '@wirebench/serial';
import type { Right, ShareApi, ShareHours, ShareStatus, ShareTick } from '../../protocol/share-protocol.ts';
import { sessionStore } from '../../shared/session/page-session.ts';
import { signIn } from '../../shared/session/sign-in.ts';
import { browserStorage } from '../../shared/storage/browser-storage.ts';
import { savingOf } from '../../shared/storage/saving.ts';
import { toast } from '../../shared/ui/toast.ts';
import { toolLine } from '../tool-line.ts';
import { endTexts } from './end-texts.ts';
import { makeRoom, type Room, roomFailure } from './room.ts';
import { changeSharing, earlierKey, type Leaving, onSharingChange, sharingNow } from './sharing-store.ts';

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
