/**
 * Serves a port of a shared bench to esptool, PlatformIO and other programs: `npm run remote-port -- <link>`, or
 * `node remote-port.mjs <link>`. It runs on Node 20 or newer. Node has its own WebSocket only since version 22, so
 * the program uses `ws`.
 */
import './older-node.ts';
import { userInfo } from 'node:os';
import { systemClock } from '@wirebench/clock';
import { dialSocket, parseShareLink, type ShareLink } from '@wirebench/remote';
import { WebSocket as NodeWebSocket } from 'ws';
import { linkVariable, type RemotePortArguments, readArguments, usage } from './arguments.ts';
import { readLink } from './read-link.ts';
import { RemotePortError, runRemotePort } from './remote-port-program.ts';

const wrongUsage = 2;
/** Time for the last message to leave, in milliseconds. */
const FAREWELL = 1_000;

// Process lists show this title instead of the link, where the system lets a program choose its title.
process.title = 'remote-port';

function fail(text: string, exitCode: number): void {
  console.error(`remote-port: ${text}`);
  process.exitCode = exitCode;
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function readCommandLine(): RemotePortArguments | 'help' | null {
  try {
    return readArguments(process.argv.slice(2), process.env);
  } catch (error) {
    fail(`${reasonOf(error)} (see --help)`, wrongUsage);
    return null;
  }
}

async function linkOf({ link }: RemotePortArguments): Promise<ShareLink | null> {
  const text = link ?? (await readLink(process.stdin, (question) => process.stderr.write(question)));
  if (text === null) {
    fail(`the link is missing: give it, or set ${linkVariable} (see --help)`, wrongUsage);
    return null;
  }
  try {
    return parseShareLink(text);
  } catch (error) {
    fail(reasonOf(error), wrongUsage);
    return null;
  }
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // The user has no entry in the system's user list.
    return 'remote-port';
  }
}

function openSocket(address: string, protocols: string[]): WebSocket {
  const options = { perMessageDeflate: false, handshakeTimeout: 10_000 };
  return new NodeWebSocket(address, protocols, options) as unknown as WebSocket;
}

async function run(wanted: RemotePortArguments, { origin, room, secret }: ShareLink): Promise<void> {
  const ending = new AbortController();
  const interrupt = () => {
    if (ending.signal.aborted) {
      process.exit(130);
    }
    ending.abort();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  const { port, listen, name } = wanted;
  const say = (line: string) => console.log(line);
  say(`Opening the shared bench at ${origin}. Ctrl+C ends.`);
  const dial = dialSocket({ origin, room, hostToken: null, open: openSocket });
  await runRemotePort({ clock: systemClock, dial, secret, port, listen, name: name ?? userName(), say }, ending.signal);
}

const wanted = readCommandLine();
if (wanted === 'help') {
  process.stdout.write(usage);
} else if (wanted !== null) {
  const link = await linkOf(wanted);
  if (link !== null) {
    try {
      await run(wanted, link);
    } catch (error) {
      if (!(error instanceof RemotePortError)) {
        throw error;
      }
      fail(error.message, 1);
    }
    // The connections are closing. A connection that stays open must not keep the program running.
    setTimeout(() => process.exit(), FAREWELL).unref();
  }
}
