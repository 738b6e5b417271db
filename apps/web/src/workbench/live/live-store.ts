/** State of a guest's visit on its page: the link, and the reports of the live worker. */
import { parseShareLink, RemoteError, type RemoteFailure, type ShareLink } from '@wirebench/remote';
import type { LiveTick } from '../../protocol/live-protocol.ts';
import { pageStore } from '../../shared/page-store.ts';

/** Reason why no visit is possible: the link is invalid, or the browser cannot encrypt or connect. */
export type LinkFault = Extract<RemoteFailure, 'no-link' | 'wrong-key'> | 'insecure-context' | 'no-web-socket';

interface LiveState {
  readonly link: ShareLink | LinkFault;
  /** True once the guest gave a name and the page opened the link. */
  readonly isJoinRequested: boolean;
  /** True once the host was reached. From then on there is a log to show. */
  readonly isHostReached: boolean;
  /** Null before the first tick. */
  readonly tick: LiveTick | null;
}

const liveStore = pageStore<LiveState>({
  link: readLink(location.href),
  isJoinRequested: false,
  isHostReached: false,
  tick: null,
});

/** Parses the share link. Browsers offer `crypto.subtle` in secure contexts only (W3C Web Cryptography, section 10). */
export function readLink(address: string): ShareLink | LinkFault {
  if (globalThis.crypto?.subtle === undefined) {
    return 'insecure-context';
  }
  if (globalThis.WebSocket === undefined) {
    return 'no-web-socket';
  }
  try {
    return parseShareLink(address);
  } catch (error) {
    return error instanceof RemoteError && error.code === 'wrong-key' ? 'wrong-key' : 'no-link';
  }
}

/** Stores a tick. Unchanged parts keep the objects of the last tick, so that components do not render again. */
export function takeTick(tick: LiveTick): void {
  const { tick: before, isHostReached } = liveStore.getState();
  const kept = <Name extends 'ports' | 'people' | 'using'>(name: Name): LiveTick[Name] =>
    before !== null && JSON.stringify(before[name]) === JSON.stringify(tick[name]) ? before[name] : tick[name];
  liveStore.setState({
    tick: { ...tick, ports: kept('ports'), people: kept('people'), using: kept('using') },
    isHostReached: isHostReached || tick.host !== '',
  });
}

export const useLive = liveStore.use;

export function currentVisit(): LiveState {
  return liveStore.getState();
}

/**
 * Calls the listener after each change of the visit. The same listener is added once.
 *
 * @returns Function that removes the listener.
 */
export function onVisitChange(listener: (visit: LiveState) => void): () => void {
  return liveStore.subscribe(listener);
}

/** Sets the link that the next visit opens. */
export function setLink(link: ShareLink | LinkFault): void {
  liveStore.setState({ link });
}

/** Called when the guest has given a name and the page opens the link. */
export function requestJoin(): void {
  liveStore.setState({ isJoinRequested: true });
}
