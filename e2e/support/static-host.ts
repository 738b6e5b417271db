/**
 * Web hosts for the static edition, as people have them: Python's own server, and one that sends a strict content
 * security policy. Both serve a folder and know nothing of the product.
 */
import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { createInterface } from 'node:readline';

export interface StaticHost extends AsyncDisposable {
  /** Origin of the host. */
  readonly address: string;
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.vtt': 'text/vtt',
  '.webm': 'video/webm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/**
 * Serves `folder` with `Content-Security-Policy: default-src 'self'` on every answer. A folder without a slash at its
 * end is redirected, and an unknown address answered by the nearest `404.html`, as static hosts do.
 */
export async function strictHost(folder: string): Promise<StaticHost> {
  const server = createServer(async (request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://host');
    const file = join(folder, normalize(decodeURIComponent(pathname)));
    response.setHeader('content-security-policy', "default-src 'self'");
    const found = await stat(file).catch(() => null);
    if (found?.isDirectory() && !pathname.endsWith('/')) {
      response.writeHead(301, { location: `${pathname}/${search}` }).end();
      return;
    }
    const path = found?.isDirectory() ? join(file, 'index.html') : file;
    if (found === null || !(await stat(path).catch(() => null))?.isFile()) {
      const unknown = join(folder, pathname.split('/')[1] ?? '', '404.html');
      response.writeHead(404, { 'content-type': 'text/html' });
      createReadStream(unknown)
        .on('error', () => response.end())
        .pipe(response);
      return;
    }
    response.setHeader('content-type', types[extname(path)] ?? 'application/octet-stream');
    createReadStream(path).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://localhost:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Serves `folder` with `python3 -m http.server`. Returns null where there is no Python. */
export async function pythonHost(folder: string): Promise<StaticHost | null> {
  const child = spawn('python3', ['-u', '-m', 'http.server', '0', '--bind', '127.0.0.1', '--directory', folder], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const failed = new Promise<null>((resolve) => child.once('error', () => resolve(null)));
  const line = new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve));
  const first = await Promise.race([line, failed, ended.then(() => null)]);
  const port = /port (\d+)/.exec(first ?? '')?.[1];
  if (port === undefined) {
    return null;
  }
  return {
    address: `http://localhost:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
