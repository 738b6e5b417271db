/** Serves the peers' pages on loopback: their sources without types, and the installed packages unchanged. */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { dirname, join, normalize, sep } from 'node:path';

const require = createRequire(import.meta.url);
/** Folders of the packages by the first part of their URL path. */
const packages = {
  xterm: dirname(require.resolve('@xterm/xterm/package.json')),
  virtual: dirname(require.resolve('@tanstack/virtual-core/package.json')),
};

const imports = {
  '@xterm/xterm': '/xterm/lib/xterm.mjs',
  '@tanstack/virtual-core': '/virtual/dist/esm/index.js',
};

/**
 * Returns a peer's page, which waits for bytes. It defines the Node globals that unbundled packages use.
 *
 * @param peer Name of its file.
 */
const page = (peer: string) => `<!doctype html>
<link rel="stylesheet" href="/xterm/css/xterm.css">
<script>globalThis.process = { env: { NODE_ENV: 'production' } };</script>
<script type="importmap">${JSON.stringify({ imports })}</script>
<div id="root"></div>
<script type="module">
  import { mount } from '/peers/${peer}.ts';
  const write = mount(document.getElementById('root'));
  const worker = new Worker('/peers/source.worker.ts', { type: 'module' });
  window.written = 0;
  worker.addEventListener('message', ({ data }) => {
    write(data);
    window.written += data.length;
  });
  window.play = async (rate) => {
    const bytes = new Uint8Array(await (await fetch('/load')).arrayBuffer());
    worker.postMessage({ bytes, rate }, [bytes.buffer]);
  };
</script>`;

export interface PeerServer {
  readonly address: string;
  stop(): Promise<void>;
}

/**
 * Starts the server.
 *
 * @param load Output of the device.
 */
export async function servePeers(load: Uint8Array): Promise<PeerServer> {
  const server = createServer(({ url = '/' }, response) => {
    const [type, body] = answer(url, load);
    response.writeHead(body === null ? 404 : 200, { 'content-type': type });
    response.end(body ?? 'not found');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { address: `http://127.0.0.1:${portOf(server)}`, stop: () => closed(server) };
}

function answer(url: string, load: Uint8Array): [type: string, body: string | Uint8Array | null] {
  const [, folder = '', ...rest] = url.split('/');
  if (folder === 'load') {
    return ['application/octet-stream', load];
  }
  if (folder === 'peers') {
    const source = readFileSync(inside(import.meta.dirname, rest), 'utf8');
    return ['text/javascript', stripTypeScriptTypes(source)];
  }
  if (folder === 'xterm' || folder === 'virtual') {
    const file = inside(packages[folder], rest);
    return [file.endsWith('.css') ? 'text/css' : 'text/javascript', readFileSync(file)];
  }
  return folder === 'page' ? ['text/html', page(rest.join('/'))] : ['text/plain', null];
}

/**
 * Returns a path inside `folder`.
 *
 * @throws Error for a path outside of it.
 */
function inside(folder: string, rest: readonly string[]): string {
  const file = normalize(join(folder, ...rest));
  if (!file.startsWith(folder + sep)) {
    throw new RangeError(`There is no ${rest.join('/')} here.`);
  }
  return file;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new Error('The server has no port.');
  }
  return address.port;
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
