/**
 * Hosts and guests of a shared bench for tests, over real WebSockets. They use Node's own client, which is
 * independent of the relay's library.
 */
import { type LiveCaller, livePaths, liveProtocols, NewLiveRoomAnswer } from '@wirebench/contract';
import { decodeLive, decodeWelcome, encodeLive, type LiveKind, type LiveWelcome } from '@wirebench/contract/live';

/** A received message with its payload as text. */
interface Arrived {
  readonly kind: LiveKind;
  readonly guest: number;
  readonly text: string;
  readonly bytes: Uint8Array;
}

export interface LiveClient {
  readonly socket: WebSocket;
  /** Messages received after the welcome, oldest first. */
  readonly arrived: readonly Arrived[];
  readonly welcome: LiveWelcome;
  send(kind: LiveKind, guest: number, text?: string | Uint8Array): void;
  /** Returns the next message of this kind that was not returned before. Rejects if the connection is closed. */
  next(kind: LiveKind): Promise<Arrived>;
  /** Code and reason of the close. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
}

export interface LiveRoom {
  readonly id: string;
  readonly hostToken: string;
}

type Headers = Readonly<Record<string, string>>;

/** @param address Origin of the server. */
export async function newLiveRoom(address: string, headers: Headers): Promise<LiveRoom> {
  const answer = await fetch(`${address}${livePaths.rooms}`, { method: 'POST', headers });
  const { room, hostToken } = NewLiveRoomAnswer.parse(await answer.json());
  return { id: room.id, hostToken };
}

/** Connects to a room. Resolves with the code of the close if the connection is refused. */
export async function tryLive(
  address: string,
  id: string,
  caller: LiveCaller = null,
): Promise<LiveClient | { readonly code: number; readonly reason: string }> {
  const socket = new WebSocket(`${address.replace(/^http/, 'ws')}${livePaths.socket(id)}`, liveProtocols(caller));
  socket.binaryType = 'arraybuffer';
  const arrived: Arrived[] = [];
  const taken = new Map<LiveKind, number>();
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const listener of [...waiting]) {
      listener();
    }
  };
  /** Code and reason of the close; null while the connection is open. */
  let end: string | null = null;
  const { promise: closed, resolve: close } = Promise.withResolvers<{ code: number; reason: string }>();
  const { promise: welcomed, resolve: greet } = Promise.withResolvers<LiveWelcome | null>();
  socket.addEventListener('message', ({ data }) => {
    const bytes = new Uint8Array(data);
    const message = decodeLive(bytes);
    if (message === null) {
      throw new Error('The relay sent something that is no message');
    }
    const { kind, guest, payload } = message;
    if (kind === 'welcome') {
      greet(decodeWelcome(payload));
    } else {
      arrived.push({ kind, guest, text: new TextDecoder().decode(payload), bytes: payload });
      wake();
    }
  });
  socket.addEventListener('error', () => undefined);
  socket.addEventListener('close', ({ code, reason }) => {
    end = `${code} ${reason}`;
    close({ code, reason });
    greet(null);
    wake();
  });
  const welcome = await welcomed;
  if (welcome === null) {
    return closed;
  }
  const take = (kind: LiveKind) => arrived.filter((message) => message.kind === kind)[taken.get(kind) ?? 0];
  return {
    socket,
    arrived,
    welcome,
    closed,
    send: (kind, guest, text = '') =>
      socket.send(encodeLive(kind, guest, typeof text === 'string' ? new TextEncoder().encode(text) : text)),
    next: (kind) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const message = take(kind);
          if (message !== undefined) {
            waiting.delete(look);
            taken.set(kind, (taken.get(kind) ?? 0) + 1);
            resolve(message);
          } else if (end !== null) {
            waiting.delete(look);
            reject(new Error(`Closed before a ${kind}: ${end}`));
          }
        };
        waiting.add(look);
        look();
      }),
  };
}

/**
 * Connects to a room.
 *
 * @throws Error if the connection is refused.
 */
export async function openLive(address: string, id: string, caller: LiveCaller = null): Promise<LiveClient> {
  const client = await tryLive(address, id, caller);
  if (!('welcome' in client)) {
    throw new Error(`Not welcome: ${client.code}`);
  }
  return client;
}

export function openHost(address: string, { id, hostToken }: LiveRoom): Promise<LiveClient> {
  return openLive(address, id, { host: hostToken });
}

/** Connects a guest and lets its host admit it. */
export async function openGuest(address: string, room: LiveRoom, host: LiveClient): Promise<LiveClient> {
  const guest = await openLive(address, room.id);
  const { you } = guest.welcome;
  for (let joined = await host.next('joined'); joined.guest !== you; joined = await host.next('joined')) {
    // Skips other guests.
  }
  host.send('admit', you);
  // The arrival of this message shows that the relay has processed the admission.
  host.send('data', you, 'admitted');
  for (let data = await guest.next('data'); data.text !== 'admitted'; data = await guest.next('data')) {
    // Skips messages of the host to everyone.
  }
  return guest;
}
