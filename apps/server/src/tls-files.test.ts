import { once } from 'node:events';
import { rename, symlink, writeFile } from 'node:fs/promises';
import { get, type RequestOptions } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect, type TLSSocket } from 'node:tls';
import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { openListeners } from './listeners.ts';
import { makeCertificate, type TestCertificate, writeCertificate } from './testing/certificate.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';
import { readTls, renewTls } from './tls-files.ts';

async function startHttps(tls: TestCertificate) {
  const listeners = await openListeners({ host: '127.0.0.1', port: 0, tls });
  listeners.serve((request, response) => response.end(`answer to ${request.url}`));
  return listeners;
}

/** Returns the answer of a server whose certificate has to be `ca`. */
async function ask(port: number, ca: string, options: RequestOptions = {}): Promise<string> {
  const request = get({ host: 'localhost', port, ca, agent: false, ...options });
  const [answer] = await once(request, 'response');
  return text(answer);
}

describe('the files of a certificate', () => {
  it('are read as a pair', async () => {
    await using folder = await temporaryFolder();
    const pair = makeCertificate();
    const { certFile: cert, keyFile: key } = await writeCertificate(folder.path, pair);
    expect(await readTls({ cert, key })).toEqual(pair);
  });

  it('cause one line with the name of the variable if they cannot be used', async () => {
    await using folder = await temporaryFolder();
    const { certFile: cert, keyFile: key } = await writeCertificate(folder.path, makeCertificate());
    const other = join(folder.path, 'other.pem');
    await writeFile(other, makeCertificate().key);
    const nothing = join(folder.path, 'nothing.pem');
    const wrong = join(folder.path, 'wrong.pem');
    await writeFile(wrong, '-----BEGIN CERTIFICATE-----\nbm90aGluZw==\n-----END CERTIFICATE-----\n');
    const lineOf = (files: { cert: string; key: string }) =>
      readTls(files).then(
        () => '',
        ({ lines }: { lines: readonly string[] }) => lines.join('\n'),
      );
    expect(await lineOf({ cert: nothing, key })).toBe(
      `TLS_CERT ${nothing} cannot be read (ENOENT): set it to a readable file.`,
    );
    expect(await lineOf({ cert, key: folder.path })).toBe(
      `TLS_KEY ${folder.path} cannot be read (EISDIR): set it to a readable file.`,
    );
    expect(await lineOf({ cert: wrong, key })).toMatch(/^TLS_CERT .+wrong.pem holds no certificate: .+\.$/);
    expect(await lineOf({ cert: key, key })).toMatch(/^TLS_CERT .+ holds no certificate: .+\.$/);
    expect(await lineOf({ cert, key: cert })).toMatch(/^TLS_KEY .+ holds no private key .+\.$/);
    expect(await lineOf({ cert, key: other })).toMatch(/^TLS_KEY .+other.pem does not belong to TLS_CERT .+\.$/);
  });
});

describe('a certificate that is renewed', () => {
  async function renewed() {
    const folder = await temporaryFolder();
    const first = makeCertificate();
    const files = await writeCertificate(folder.path, first);
    const listeners = await startHttps(first);
    const clock = new VirtualClock(0);
    const failures: unknown[] = [];
    const used: TestCertificate[] = [];
    const renewal = await renewTls({
      files: { cert: files.certFile, key: files.keyFile },
      first,
      clock,
      use: (pair) => {
        listeners.useTls(pair);
        used.push(pair);
      },
      onFailure: (error) => failures.push(error),
    });
    /** Advances the clock until the files have been checked again. */
    const look = async (until: () => boolean) => {
      await expect
        .poll(async () => {
          await clock.advance(10_000);
          return until();
        })
        .toBe(true);
    };
    return {
      folder,
      first,
      files,
      listeners,
      failures,
      used,
      look,
      [Symbol.asyncDispose]: async () => {
        await renewal[Symbol.asyncDispose]();
        await listeners.drain(0);
        await folder[Symbol.asyncDispose]();
      },
    };
  }

  it('is used for the next connection, and keeps the open ones', async () => {
    await using test = await renewed();
    const { port } = test.listeners;
    const open = connect({ host: 'localhost', port, ca: test.first.cert, servername: 'localhost' });
    await once(open, 'secureConnect');
    const second = makeCertificate();
    await test.files.write(second);
    await test.look(() => test.used.length === 1);
    expect(test.used).toEqual([second]);
    expect(await ask(port, second.cert)).toBe('answer to /');
    await expect(ask(port, test.first.cert)).rejects.toMatchObject({
      code: expect.stringMatching(/SELF_SIGNED|VERIFY/),
    });
    open.write('GET /still HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n');
    expect(await text(open)).toContain('answer to /still');
  });

  it('is not used while its files do not match or are missing, which is logged once', async () => {
    await using test = await renewed();
    const { port } = test.listeners;
    const second = makeCertificate();
    await test.files.write({ cert: second.cert });
    await test.look(() => test.failures.length === 1);
    expect(String(test.failures[0])).toContain('does not belong to TLS_CERT');
    expect(await ask(port, test.first.cert)).toBe('answer to /');
    await rename(test.files.keyFile, `${test.files.keyFile}.old`);
    await test.look(() => test.failures.length === 2);
    await test.files.write({ key: second.key });
    await test.look(() => test.used.length === 1);
    expect(test.failures).toHaveLength(2);
    expect(await ask(port, second.cert)).toBe('answer to /');
  });

  it.runIf(process.platform !== 'win32')(
    'is found behind links that change their target, as certbot does it',
    async () => {
      await using test = await renewed();
      const second = makeCertificate();
      for (const [file, content] of [
        [test.files.certFile, second.cert],
        [test.files.keyFile, second.key],
      ] as const) {
        await writeFile(`${file}.2`, content);
        await symlink(`${file}.2`, `${file}.link`);
        await rename(`${file}.link`, file);
      }
      await test.look(() => test.used.length === 1);
      expect(await ask(test.listeners.port, second.cert)).toBe('answer to /');
    },
  );
});

describe('https listeners that drain', () => {
  it('let a request in flight finish, and close connections that are idle or still shaking hands', async () => {
    const pair = makeCertificate();
    const listeners = await openListeners({ host: '127.0.0.1', port: 0, tls: pair });
    const held: (() => void)[] = [];
    listeners.serve((_request, response) => held.push(() => response.end('finished')));
    const slow = ask(listeners.port, pair.cert);
    await expect.poll(() => held.length).toBe(1);
    const idle: TLSSocket = connect({ host: 'localhost', port: listeners.port, ca: pair.cert });
    await once(idle, 'secureConnect');
    const shaking = connectPlain(listeners.port, '127.0.0.1');
    await once(shaking, 'connect');

    const gone = [once(idle, 'close'), once(shaking, 'close')];
    const drained = listeners.drain(60_000);
    await Promise.all(gone);
    held[0]?.();
    expect(await slow).toBe('finished');
    await drained;
  });
});
