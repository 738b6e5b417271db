/**
 * A maker's own page with the flash button: static files below a sub-path, a strict content policy, and Python's plain
 * file server, or one of Node without Python.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, createReadStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, extname, join, normalize } from 'node:path';

const dist = join(import.meta.dirname, '..', '..', 'apps', 'web', 'dist');

/** Path of the page below the server's root. */
const SUB_PATH = 'shop/tools';

export interface MakersPage extends AsyncDisposable {
  readonly address: string;
}

interface PageOptions {
  /** Address of the flash button. Default: the copy beside the page. */
  readonly script?: string;
  /** Content policy of the page; null for none. */
  readonly policy?: string | null;
}

/**
 * Serves the page.
 *
 * @param markup Content of the page's body.
 * @param files Files beside the page, by path.
 */
export async function serveMakersPage(
  markup: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  { script = 'flash-button.js', policy = "default-src 'self'" }: PageOptions = {},
): Promise<MakersPage> {
  const root = mkdtempSync(join(tmpdir(), 'wirebench-maker-'));
  const folder = join(root, SUB_PATH);
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${policy === null ? '' : `<meta http-equiv="Content-Security-Policy" content="${policy}">`}
<title>A maker's page</title>
<link rel="icon" href="icon.svg">
<script type="module" src="${script}"></script>
<script type="module" src="events.js"></script>
</head>
<body><main><h1>Weather node</h1>${markup}</main></body>
</html>`;
  const all = { ...files, 'index.html': page, 'events.js': recordEvents, 'icon.svg': icon };
  for (const [path, content] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  for (const name of ['flash-button.js', 'flash-button']) {
    cpSync(join(dist, name), join(folder, name), { recursive: true });
  }
  const server = (await servePython(root)) ?? (await serveNode(root));
  return {
    address: `http://localhost:${server.port}/${SUB_PATH}/`,
    async [Symbol.asyncDispose]() {
      await server.stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Keeps the events of the element for the test. */
const recordEvents = `
window.flashEvents = [];
for (const name of ['state', 'progress', 'success', 'failure']) {
  document.addEventListener('wirebench-' + name, ({ type, detail }) => window.flashEvents.push({ type, detail }));
}
`;

const icon = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>';

interface Running {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/** Returns null without Python 3. */
async function servePython(root: string): Promise<Running | null> {
  if (spawnSync('python3', ['--version']).status !== 0) {
    return null;
  }
  const child = spawn('python3', ['-u', '-m', 'http.server', '0', '--bind', '127.0.0.1'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const port = await new Promise<number>((resolve, reject) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (more: string) => {
      text += more;
      const [, found] = /port (\d+)/.exec(text) ?? [];
      if (found !== undefined) {
        resolve(Number(found));
      }
    });
    child.once('exit', () => reject(new Error(`Python's file server ended: ${text}`)));
  });
  return { port, stop: () => stopProcess(child) };
}

async function stopProcess(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
};

async function serveNode(root: string): Promise<Running> {
  const server: Server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = normalize(join(root, pathname.endsWith('/') ? `${pathname}index.html` : pathname));
    response.setHeader('content-type', types[extname(path)] ?? 'application/octet-stream');
    createReadStream(path)
      .on('error', () => response.writeHead(404).end())
      .pipe(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
