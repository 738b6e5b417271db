/** A whole server with an issuer that the test plays, for tests that treat it badly over real connections. */
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

/** What came back, whole. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A connection that is written to by hand. */
export interface RawConnection {
  readonly socket: Socket;
  /** What has come back so far. */
  received(): string;
  /** Resolves when the connection is closed, in order or not. */
  readonly closed: Promise<void>;
}

export interface HostileTarget extends AsyncDisposable {
  readonly server: TestServer;
  /** The headers of a call of somebody of this name. */
  bearer(name: string): Promise<Headers>;
  /** Id of a new project of somebody of this name. */
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

/** A connection to `port` of this machine. Whoever starts it ends it. */
export async function startRawConnection(port: number): Promise<RawConnection> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    received += chunk;
  });
  // A connection that is reset is what some tests are about.
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await once(socket, 'connect');
  return { socket, received: () => received, closed };
}

/** A form for a new version with one file of `size` bytes, the file last, in two parts: up to its bytes, and after them. */
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

/** The head of a request that sends such a form, or another body. */
export function requestHead(path: string, headers: Headers, method = 'POST'): string {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** Asks once, over a connection of its own or that of `agent`. Rejects when the connection breaks before an answer. */
export async function ask(
  url: string,
  options: Parameters<typeof httpRequest>[1] = {},
  body?: string | Uint8Array,
): Promise<Answer> {
  const request = httpRequest(url, options);
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  // What breaks after the answer is no matter.
  request.on('error', () => undefined);
  request.end(body);
  const [answer] = await answered;
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) };
}
