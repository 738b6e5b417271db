/** A complete server with a test's own issuer, for hostile tests over real connections. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { firmwarePaths, ProjectAnswer } from '@wirebench/contract';
import type { Environment } from '../config.ts';
import type { StartOptions } from '../start-server.ts';
import { startTestServer, type TestServer } from './test-server.ts';
import { startTokenIssuer } from './token-issuer.ts';

type Headers = Readonly<Record<string, string>>;

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A connection that a test writes to directly. */
export interface RawConnection {
  readonly socket: Socket;
  /** Returns the text received so far. */
  received(): string;
  /** Resolves when the connection is closed, orderly or not. */
  readonly closed: Promise<void>;
}

export interface HostileTarget extends AsyncDisposable {
  readonly server: TestServer;
  /** Returns the headers of a call of the user `name`. */
  bearer(name: string): Promise<Headers>;
  /** Creates a project of the user `name` and returns its id. */
  newProject(name: string): Promise<string>;
  connect(): Promise<RawConnection>;
}

export async function startHostileTarget(
  environment: Environment = {},
  timeouts: StartOptions['timeouts'] = {},
): Promise<HostileTarget> {
  await using stack = new AsyncDisposableStack();
  const issuer = stack.use(await startTokenIssuer());
  const server = stack.use(
    await startTestServer(
      { RATE_LIMIT_WRITES: '0', LOG_LEVEL: 'error', ...issuer.environment, ...environment },
      { timeouts },
    ),
  );
  const sockets = new Set<Socket>();
  stack.defer(() => {
    for (const socket of sockets) {
      socket.destroy();
    }
  });
  const bearer = async (name: string) => {
    const now = Math.floor(Date.now() / 1_000);
    const claims = { iss: issuer.issuer, sub: `subject-of-${name}`, azp: 'wirebench-web', exp: now + 300 };
    return { authorization: `Bearer ${await issuer.sign({ ...claims, preferred_username: name })}` };
  };
  const resources = stack.move();
  return {
    server,
    bearer,
    async newProject(name) {
      const answer = await fetch(`${server.address}${firmwarePaths.newProject}`, {
        method: 'POST',
        headers: { ...(await bearer(name)), 'content-type': 'application/json' },
        body: JSON.stringify({ name: `Project of ${name}`, deviceModel: 'esp32' }),
      });
      return ProjectAnswer.parse(await answer.json()).project._id;
    },
    async connect() {
      const connection = await startRawConnection(server.port);
      const { socket, closed } = connection;
      sockets.add(socket);
      void closed.then(() => sockets.delete(socket));
      return connection;
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Connects to `port` of this machine. The caller closes the connection. */
export async function startRawConnection(port: number): Promise<RawConnection> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    received += chunk;
  });
  // Some tests are about connections that are reset.
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await once(socket, 'connect');
  return { socket, received: () => received, closed };
}

/**
 * Returns a form for a new version with one file of `size` bytes as the last part: the text before and after its
 * bytes.
 */
export function versionForm(projectId: string, version: string, size: number) {
  const boundary = 'boundary-of-the-test';
  const fields = { projectId, version, description: 'Hostile', offsets: '["0x0"]' };
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `${parts.join('')}--${boundary}\r\ncontent-disposition: form-data; name="files"; filename="app.bin"\r\n\r\n`;
  const tail = `\r\n--${boundary}--\r\n`;
  return { head, tail, length: head.length + size + tail.length, type: `multipart/form-data; boundary=${boundary}` };
}

/** Returns the head of a request with a body. */
export function requestHead(path: string, headers: Headers, method = 'POST'): string {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** Sends one request, over a new connection or that of `agent`. Rejects if the connection breaks before the answer. */
export async function ask(
  url: string,
  options: Parameters<typeof httpRequest>[1] = {},
  body?: string | Uint8Array,
): Promise<Answer> {
  const request = httpRequest(url, options);
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  // Errors after the answer do not matter.
  request.on('error', () => undefined);
  request.end(body);
  const [answer] = await answered;
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) };
}
