/**
 * Starts Firefox for Playwright and passes WebDriver BiDi messages between the two, with two corrections:
 * - Playwright sends commands of newer Firefox versions (`emulation.setMediaFeaturesOverride` in 153) and closes the
 *   browser if one fails. The bridge answers such a failure with an empty result.
 * - Firefox 153 gives a download no ID, and Playwright drops downloads without one. The bridge uses the file's
 *   address as its ID.
 *
 * Usage: `node bridge.ts <path of Firefox> <arguments of Firefox>`. Prints the address of the bridge in Firefox's own
 * format.
 */
import { spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { type RawData, WebSocket, WebSocketServer } from 'ws';

/** Fields of a message that the bridge reads (W3C WebDriver BiDi, 3.4 "Commands" and 3.5 "Errors"). */
interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly type?: string;
  readonly error?: string;
  readonly params?: { readonly download?: string; readonly url?: string };
}

const [program, ...args] = process.argv.slice(2);
if (program === undefined) {
  throw new Error('Usage: node bridge.ts <path of Firefox> <arguments of Firefox>');
}

const browser = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
browser.once('error', ({ message }) => {
  console.error(`${program} does not start: ${message}`);
  process.exit(1);
});
browser.once('exit', (code) => process.exit(code ?? 1));
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.on(signal, () => browser.kill(signal));
}

createInterface({ input: browser.stderr }).on('line', (line) => {
  const address = /^WebDriver BiDi listening on (ws:\/\/\S+)$/.exec(line)?.[1];
  if (address === undefined) {
    console.error(line);
  } else {
    listen(address);
  }
});

/** Accepts Playwright's connection and opens one to Firefox at `address`. */
function listen(address: string): void {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('connection', (client, { url = '/session' }) => pass(client, new WebSocket(`${address}${url}`)));
  server.on('listening', () => {
    const { port } = server.address() as AddressInfo;
    console.error(`WebDriver BiDi listening on ws://127.0.0.1:${port}`);
  });
}

/** Passes messages in both directions until either side closes. */
function pass(client: WebSocket, firefox: WebSocket): void {
  /** IDs of `emulation` commands that have no answer yet. */
  const emulation = new Set<number>();
  const early: RawData[] = [];
  client.on('message', (data) => {
    const { id, method } = read(data);
    if (id !== undefined && method?.startsWith('emulation.')) {
      emulation.add(id);
    }
    if (firefox.readyState === WebSocket.OPEN) {
      firefox.send(data.toString());
    } else {
      early.push(data);
    }
  });
  firefox.on('open', () => {
    for (const data of early.splice(0)) {
      firefox.send(data.toString());
    }
  });
  firefox.on('message', (data) => {
    const message = read(data);
    const { id, type, error, method, params } = message;
    const isEmulation = id !== undefined && emulation.delete(id);
    if (isEmulation && type === 'error' && error === 'unknown command') {
      client.send(JSON.stringify({ type: 'success', id, result: {} }));
    } else if (method?.startsWith('browsingContext.download') && params?.download === undefined) {
      client.send(JSON.stringify({ ...message, params: { ...params, download: params?.url } }));
    } else {
      client.send(data.toString());
    }
  });
  client.on('close', () => firefox.close());
  firefox.on('close', () => client.close());
  for (const socket of [client, firefox]) {
    // A failed socket also emits `close`.
    socket.on('error', ({ message }) => console.error(message));
  }
}

const read = (data: RawData): Message => JSON.parse(data.toString()) as Message;
