/** A guest of a shared bench that serves one port there to programs on this computer, until a signal ends it. */
import { userInfo } from 'node:os';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { systemClock } from '@wirebench/clock';
import { dialSocket, parseShareLink, type ShareLink } from '@wirebench/remote';
import { WebSocket as NodeWebSocket } from 'ws';
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
  const open = (address: string, protocols: string[]): WebSocket => {
    const socket = new NodeWebSocket(address, protocols, { perMessageDeflate: false, handshakeTimeout: 10_000 });
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    return socket as unknown as WebSocket;
  };
  const say = (line: string) => console.log(line);
  say(`Opening the shared bench at ${origin}. Ctrl+C ends.`);
  const dial = dialSocket({ origin, room, hostToken: null, open });
  try {
    await runRemotePort({ clock: systemClock, dial, secret, port, listen, name: name ?? userName(), say }, signal);
  } finally {
    const closed = [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    await Promise.race([Promise.all(closed), systemClock.sleep(FAREWELL)]);
  }
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // The user has no entry in the system's user list.
    return 'wirebench';
  }
}
