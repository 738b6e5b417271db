/** Paths of the calls about shared benches, and how a WebSocket authenticates. IDs need no encoding. */

export const livePaths = {
  rooms: '/api/live/rooms',
  room: (id: string) => `/api/live/rooms/${id}`,
  /** Address of the WebSocket, which is opened with `liveProtocols`. */
  socket: (id: string) => `/api/live/rooms/${id}/socket`,
} as const;

/** The WebSocket subprotocol that the relay selects. */
export const liveSubprotocol = 'wirebench.live.1';

const HOST = 'wirebench.host.';
const RESUME = 'wirebench.resume.';

/**
 * Caller that opens a WebSocket: the host with its token, a guest that reconnects with its resume token, or null for
 * a new guest.
 */
export type LiveCaller = { readonly host: string } | { readonly resume: string } | null;

/**
 * Returns the subprotocols that a WebSocket offers: the real one, then the caller's token. The token is not in the
 * address, because addresses end up in logs.
 */
export function liveProtocols(caller: LiveCaller): string[] {
  if (caller === null) {
    return [liveSubprotocol];
  }
  return [liveSubprotocol, 'host' in caller ? `${HOST}${caller.host}` : `${RESUME}${caller.resume}`];
}

/** Reads the caller from the offered subprotocols. Returns undefined unless the first one is `liveSubprotocol`. */
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
