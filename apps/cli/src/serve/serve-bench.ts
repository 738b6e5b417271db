/** A guest of a shared bench that serves one port there to programs on this computer, until a signal ends it. */
import { userInfo } from 'node:os';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { systemClock } from '@wirebench/clock';
import type { ConnectionFault } from '@wirebench/contract/connection-fault';
import { dialSocket, parseShareLink, type ShareLink } from '@wirebench/remote';
import { WebSocket as NodeWebSocket } from 'ws';
import { faultOf } from '../network/outgoing-fetch.ts';
import { connectionThrough, proxyFor } from '../network/proxy.ts';
import { linkVariable, type RemotePortArguments } from './arguments.ts';
import { runRemotePort } from './remote-port-program.ts';

/** Longest time for the last message to leave, in milliseconds. */
const FAREWELL = 1_000;

/**
 * Returns the link that was given, or the one of standard input.
 *
 * @throws Error that says in one line, without the link, why there is none.
 */
export async function linkOf({ link }: RemotePortArguments): Promise<ShareLink> {
  const text = link ?? (await readLink(process.stdin, (question) => process.stderr.write(question)));
  if (text === null) {
    throw new Error(`the link is missing: give it, or set ${linkVariable} (see --help)`);
  }
  return parseShareLink(text);
}

/**
 * Reads the link from the first line of standard input that is not blank. Prints a prompt if the input is a terminal.
 *
 * @returns The line as read, or null if the input ends without one.
 */
async function readLink(
  input: Readable & { readonly isTTY?: boolean },
  ask: (text: string) => void,
): Promise<string | null> {
  if (input.isTTY) {
    ask('Link of the shared bench: ');
  }
  const lines = createInterface({ input });
  try {
    for await (const line of lines) {
      if (line.trim() !== '') {
        return line;
      }
    }
    return null;
  } finally {
    lines.close();
    input.destroy();
  }
}

/**
 * Serves a port. Resolves after `signal` has aborted, everything is closed, and the last messages have left. Prints
 * what it waits for and what changes.
 *
 * @throws RemotePortError if it cannot go on.
 */
export async function serveBench(
  { port, listen, name }: RemotePortArguments,
  { origin, room, secret }: ShareLink,
  signal: AbortSignal,
): Promise<void> {
  const sockets = new Set<NodeWebSocket>();
  /** Node has its own WebSocket only since version 22. */
  /** Sentences about the newest failed connection; empty without one. */
  let fault = '';
  const failed = (error: unknown) => {
    const { what, remedy } = socketFault(error, origin);
    fault = `${what} ${remedy}`;
  };
  const open = (address: string, protocols: string[]): WebSocket => {
    try {
      const proxy = proxyFor(address, process.env);
      const through = proxy === null ? {} : { createConnection: connectionThrough(proxy, new URL(address)) as never };
      const options = { perMessageDeflate: false, handshakeTimeout: 10_000, ...through };
      const socket = new NodeWebSocket(address, protocols, options);
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      socket.on('error', failed);
      return socket as unknown as WebSocket;
    } catch (error) {
      failed(error);
      throw error;
    }
  };
  const say = (line: string) => console.log(line);
  say(`Opening the shared bench at ${origin}. Ctrl+C ends.`);
  const dial = dialSocket({ origin, room, hostToken: null, open });
  try {
    const parts = { clock: systemClock, dial, secret, port, listen, name: name ?? userName(), say, fault: () => fault };
    await runRemotePort(parts, signal);
  } finally {
    const closed = [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    await Promise.race([Promise.all(closed), systemClock.sleep(FAREWELL)]);
  }
}

/** Returns the sentences for a WebSocket that did not open. @param origin Server of the link. */
function socketFault(error: unknown, origin: string): ConnectionFault {
  const { host } = new URL(origin);
  const message = error instanceof Error ? error.message : '';
  const [, status] = /^Unexpected server response: (\d+)$/.exec(message) ?? [];
  if (status !== undefined) {
    return {
      what: `${host} answered ${status} to a WebSocket.`,
      remedy: 'Check the link. A proxy in front of the server has to pass WebSockets on (Upgrade).',
    };
  }
  const late =
    message === 'Opening handshake has timed out' ? Object.assign(new Error(), { code: 'ETIMEDOUT' }) : error;
  return faultOf(late, origin);
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // The user has no entry in the system's user list.
    return 'wirebench';
  }
}
