/**
 * The proxy of `deploy/Caddyfile`: starts Caddy with this file, with the names of upstreams replaced by a test's
 * addresses.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './temporary-folder.ts';

export interface Caddy extends AsyncDisposable {
  /** Origin of the product, `http://localhost:{port}`. */
  readonly address: string;
  /** Host name of the identity provider, the value of `host` in its requests. */
  readonly identityHost: string;
}

export interface CaddyOptions {
  /** Loopback port of the proxy. */
  readonly port: number;
  /** `host:port` in the Caddyfile → `host:port` that replaces it. */
  readonly upstreams: Readonly<Record<string, string>>;
}

/** Folder where `npm test` puts a downloaded Caddy. */
export const fetchedCaddy = fileURLToPath(new URL('../../../../.cache/caddy', import.meta.url));

const caddyfile = fileURLToPath(new URL('../../../../deploy/Caddyfile', import.meta.url));

/** Returns the path of Caddy, from the PATH or downloaded earlier; null if it is not installed. */
export function findCaddy(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const paths = [...folders, join(fetchedCaddy, 'usr', 'bin')].map((folder) => join(folder, 'caddy'));
  return paths.find((path) => existsSync(path)) ?? null;
}

/**
 * Starts the proxy without TLS, as behind another proxy, because Caddy manages certificates itself. Resolves when it
 * forwards requests.
 *
 * @throws Error if the Caddyfile does not name an upstream, or with Caddy's output if it ends.
 */
export async function startCaddy({ port, upstreams }: CaddyOptions): Promise<Caddy> {
  const program = findCaddy();
  if (program === null) {
    throw new Error('Caddy is not installed here');
  }
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const file = join(folder.path, 'Caddyfile');
  await writeFile(file, `{\n\tadmin off\n\tdefault_bind 127.0.0.1\n}\n${await withUpstreams(upstreams)}`);

  const address = `http://localhost:${port}`;
  const identityHost = `id.localhost:${port}`;
  const child = spawn(program, ['run', '--config', file, '--adapter', 'caddyfile'], {
    cwd: folder.path,
    env: { HOME: folder.path, PUBLIC_HOST: address, IDENTITY_HOST: `http://${identityHost}` },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const gone = once(child, 'close');
  stack.defer(async () => {
    child.kill('SIGKILL');
    await gone;
  });
  // An aborted test run must not leave the process behind.
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  stack.defer(() => {
    process.off('exit', end);
  });

  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-4_000);
  });
  const ended = gone.then(() => Promise.reject(new Error(`Caddy ended: ${log}`)));
  await Promise.race([untilItAnswers(address), ended]);
  ended.catch(() => undefined);
  const resources = stack.move();
  return { address, identityHost, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

async function withUpstreams(upstreams: CaddyOptions['upstreams']): Promise<string> {
  let text = await readFile(caddyfile, 'utf8');
  for (const [name, address] of Object.entries(upstreams)) {
    if (!text.includes(name)) {
      throw new Error(`The Caddyfile does not name ${name}`);
    }
    text = text.replaceAll(name, address);
  }
  return text;
}

async function untilItAnswers(address: string): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const answer = await fetch(address).catch(() => null);
    if (answer !== null && answer.status < 500) {
      return;
    }
    await sleep(100);
  }
  throw new Error('Caddy passes nothing on');
}
