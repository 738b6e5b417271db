/** Addresses of the calls about shared benches, and how a WebSocket says who it is. Ids need no encoding. */

export const livePaths = {
  rooms: '/api/live/rooms',
  room: (id: string) => `/api/live/rooms/${id}`,
  /** To be opened as a WebSocket with `liveProtocols`. */
  socket: (id: string) => `/api/live/rooms/${id}/socket`,
} as const;

/** The subprotocol that the relay speaks and selects. */
export const liveSubprotocol = 'wirebench.live.1';

const HOST = 'wirebench.host.';
const RESUME = 'wirebench.resume.';

/** Who opens a WebSocket: the host with its token, a guest that comes back with what its welcome said, a new guest. */
export type LiveCaller = { readonly host: string } | { readonly resume: string } | null;

/**
 * What a WebSocket offers as its subprotocols: the one that is spoken, and after it a token, which would end up in logs as a part of
 * the address.
 */
export function liveProtocols(caller: LiveCaller): string[] {
  if (caller === null) {
    return [liveSubprotocol];
  }
  return [liveSubprotocol, 'host' in caller ? `${HOST}${caller.host}` : `${RESUME}${caller.resume}`];
}

/** Undefined when nothing that is spoken here is offered. */
export function readLiveProtocols(offered: Iterable<string>): LiveCaller | undefined {
  const [first, ...tokens] = [...offered].map((protocol) => protocol.trim());
  if (first !== liveSubprotocol) {
    return undefined;
  }
  const token = (prefix: string) => tokens.find((offer) => offer.startsWith(prefix))?.slice(prefix.length);
  const host = token(HOST);
  const resume = token(RESUME);
  return host !== undefined ? { host } : resume === undefined ? null : { resume };
}

export const liveText = {
  signInRequired: 'Please sign in to share a bench',
  roomLimit: (limit: number) =>
    `You are already sharing ${limit} ${limit === 1 ? 'bench' : 'benches'}. Stop sharing one of them first.`,
  unavailable: 'Sharing is not available right now. Please try again in a moment.',
  notHere:
    'No bench is shared here under this link. Whoever runs several servers has to set REDIS_URL, so that each of them finds it.',
  wrongOrigin: 'Pages of this origin may not open a shared bench.',
  upgradeRequired: 'This address is to be opened as a WebSocket.',
} as const;
