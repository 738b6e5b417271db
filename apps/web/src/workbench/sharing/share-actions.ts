/** Actions on the shared bench. Fetched when the user opens the dialog, or shares. */
import type { PortNumber } from '@wirebench/serial';
import { CallClient } from '../../protocol/calls/call-client.ts';
import type { Right, ShareApi, ShareHours, ShareStatus, ShareTick } from '../../protocol/share-protocol.ts';
import { sessionStore } from '../../shared/session/page-session.ts';
import { signIn } from '../../shared/session/sign-in.ts';
import { browserStorage } from '../../shared/storage/browser-storage.ts';
import { savingOf } from '../../shared/storage/saving.ts';
import { toast } from '../../shared/ui/toast.ts';
import { onBenchLost, openToolLine } from '../bench.ts';
import { benchLoss } from '../bench-loss.ts';
import { endTexts } from './end-texts.ts';
import { makeRoom, type Room, roomFailure } from './room.ts';
import { earlierKey, type Leaving, sharingStore } from './sharing-store.ts';

export type ShareLine = Pick<CallClient<ShareApi, ShareTick>, 'call'>;

let line: ShareLine | null = null;
let room: Room | null = null;

/** The host; its code is fetched with the first call of this. */
function getLine(): ShareLine {
  if (line === null) {
    const client = new CallClient<ShareApi, ShareTick>(({ status }) => takeStatus(status));
    client.attach(openToolLine('sharing'));
    onBenchLost(() => {
      client.lose({ pending: () => benchLoss, later: () => benchLoss });
      line = null;
      endRoom();
      forget();
    });
    line = client;
  }
  return line;
}

/** For tests: another host. */
export function setShareLine(other: ShareLine | null): void {
  line = other;
}

/** Straight from a click: a visitor is asked to sign in, and sharing begins when that is done. */
export async function signInAndShare(): Promise<void> {
  await signIn();
  if (sessionStore.current() !== null) {
    await startSharing();
  }
}

export async function startSharing(): Promise<void> {
  if (sharingStore.getState().phase !== 'off') {
    return;
  }
  sharingStore.setState({ phase: 'starting', failure: null, status: null });
  try {
    const made = await makeRoom();
    room = made;
    const { id, hostToken, relay } = made;
    const { hours, showsEarlier, portNames } = sharingStore.getState();
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
    sharingStore.setState({ phase: 'on', link });
    window.addEventListener('pagehide', leave);
  } catch (error) {
    endRoom();
    sharingStore.setState({ phase: 'off', failure: roomFailure(error) });
  }
}

export function stopSharing(): void {
  const { status } = sharingStore.getState();
  if (line !== null) {
    void line.call('stop');
  }
  if (status?.state !== 'sharing') {
    // The relay does not learn it from the host, so the page informs the server.
    endRoom();
  }
  forget();
}

export function stopAndLeave({ href }: Leaving): void {
  leave();
  location.assign(href);
}

/** Ends the room at the server when the document is left, because the worker may not run any more. */
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
  sharingStore.setState({ phase: 'off', link: null, status: null, leaving: null });
}

/** For tests: a tick of the host. */
export function takeStatus(status: ShareStatus | null): void {
  if (sharingStore.getState().phase === 'off' || status === null) {
    return;
  }
  if (status.state !== 'ended') {
    sharingStore.setState({ status });
    return;
  }
  if (sharingStore.getState().phase === 'on') {
    const { why } = status;
    forget();
    if (why !== null) {
      const { text, level, detail } = endTexts(why);
      toast(text, { level, detail });
    }
  }
}

sharingStore.subscribe(({ phase, portNames }, before) => {
  if (phase === 'on' && portNames !== before.portNames) {
    void getLine().call('setPortNames', portNames);
  }
});

export function endAfter(hours: ShareHours): void {
  sharingStore.setState({ hours });
  if (sharingStore.getState().phase === 'on') {
    void getLine().call('endAfter', hours);
  }
}

const saving = savingOf({ what: 'Your choice for guests' });

/** Takes effect for guests that come from now on, and is remembered in this browser. */
export function showEarlier(isShown: boolean): void {
  sharingStore.setState({ showsEarlier: isShown });
  saving(() => browserStorage.setItem(earlierKey, isShown ? 'on' : 'off'));
  if (sharingStore.getState().phase === 'on') {
    void getLine().call('showEarlier', isShown);
  }
}

export const setRight = (guest: string, port: PortNumber, right: Right) =>
  void getLine().call('setRight', guest, port, right);

/** Closes this page's use of the port and grants the guest's pending request. */
export async function disconnectFor(guest: string, port: PortNumber): Promise<void> {
  if (await sharingStore.getState().letGo(port)) {
    setRight(guest, port, 'use');
  }
}

export const refuse = (guest: string, port: PortNumber) => void getLine().call('refuse', guest, port);

export const lowerAll = () => void getLine().call('lowerAll');

export const refuseAll = () => void getLine().call('refuseAll');

export const takeBack = (port: PortNumber) => void getLine().call('takeBack', port);

export const removeGuest = (guest: string) => void getLine().call('remove', guest);
