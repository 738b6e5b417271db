import { familyIds } from '@wirebench/boards';
import { describe, expect, it } from 'vitest';
import {
  loadBuildFiles,
  loadManifest,
  loadManifestFile,
  type ManifestRequest,
  manifestAddress,
} from './load-manifest.ts';
import { ManifestError } from './manifest-fault.ts';
import { type ManifestFile, manifestLimits } from './read-manifest.ts';

const address = 'https://firmware.example/manifest.json';
const manifest = { name: 'Lamp', builds: [{ chipFamily: 'ESP32', parts: [{ path: 'a.bin', offset: 0 }] }] };

interface Asked {
  readonly address: string;
  readonly init: RequestInit;
}

/** Answers by address; `blocked` is a server without CORS, `offline` none at all. */
function web(answers: Readonly<Record<string, (() => Response) | 'blocked' | 'offline'>>) {
  const asked: Asked[] = [];
  const request: ManifestRequest = {
    fetch: async (to, init) => {
      asked.push({ address: to, init });
      init.signal?.throwIfAborted();
      const answer = answers[to] ?? 'offline';
      if (answer === 'blocked' && init.mode === 'no-cors') {
        return Response.error();
      }
      if (typeof answer === 'string') {
        throw new TypeError('Failed to fetch');
      }
      return answer();
    },
    signal: new AbortController().signal,
    isSecurePage: true,
  };
  return { asked, request };
}

const json = (value: unknown) => () => new Response(JSON.stringify(value));
const bytes =
  (...values: number[]) =>
  () =>
    new Response(Uint8Array.from(values));

const file = (name: string, stated: Partial<ManifestFile> = {}): ManifestFile => ({
  name,
  address: `https://firmware.example/${name}`,
  offset: 0,
  size: null,
  sha256: null,
  ...stated,
});

async function faultOf(work: Promise<unknown>) {
  const outcome: unknown = await work.then(
    () => null,
    (error: unknown) => error,
  );
  return outcome instanceof ManifestError ? { code: outcome.code, what: outcome.what } : outcome;
}

describe('address of a manifest', () => {
  it.each([
    [' https://firmware.example/m.json#top ', 'https://firmware.example/m.json'],
    ['https://me:secret@firmware.example/m.json', 'https://firmware.example/m.json'],
    [
      'https://bench.example/tools/release.html?type=project&id=abc_-1',
      'https://bench.example/tools/api/firmware/shared/project/abc_-1',
    ],
    [
      'https://bench.example/release.html?type=project&id=x&channel=beta',
      'https://bench.example/api/firmware/shared/project/x?channel=beta',
    ],
    ['https://bench.example/esp_flasher.html?type=version&id=x', 'https://bench.example/api/firmware/shared/version/x'],
    [
      'https://bench.example/release.html?type=version&id=../x',
      'https://bench.example/release.html?type=version&id=../x',
    ],
    ['https://other.example/page.html?type=version&id=x', 'https://other.example/page.html?type=version&id=x'],
  ])('%s', (text, result) => expect(manifestAddress(text)).toBe(result));

  it.each(familyIds)('is known from the page of the flasher for %s', (family) => {
    expect(manifestAddress(`https://bench.example/${family}_flasher.html?type=project&id=x`)).toBe(
      'https://bench.example/api/firmware/shared/project/x',
    );
  });

  it.each(['blob:https://maker.example/1', 'data:application/json,%7B%7D'])('%s may be made by a page', (made) => {
    expect(manifestAddress(made, 'https://maker.example/', 'made')).toBe(made);
  });

  it('may be relative to a page', () => {
    expect(manifestAddress('files/m.json', 'https://maker.example/lamp/')).toBe(
      'https://maker.example/lamp/files/m.json',
    );
  });

  it.each(['', 'm.json', 'javascript:alert(1)', 'file:///m.json', 'data:application/json,{}', 'blob:https://x/1'])(
    '%j is refused',
    (text) => expect(() => manifestAddress(text)).toThrow(ManifestError),
  );
});

describe('loading a manifest', () => {
  it.each([
    ['UTF-8 with a mark', (text: string) => Buffer.from(`\ufeff${text}`)],
    ['UTF-16 of PowerShell', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 with the high byte first', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['UTF-16 without a mark', (text: string) => Buffer.from(text, 'utf16le')],
  ])('reads it in %s', async (_name, encode) => {
    const { request } = web({ [address]: () => new Response(Uint8Array.from(encode(JSON.stringify(manifest)))) });
    expect(await loadManifest(address, request)).toMatchObject({ kind: 'web-tools', name: 'Lamp' });
  });

  it('asks once, without cookies and without the address of the page', async () => {
    const { asked, request } = web({ [address]: json(manifest) });
    await expect(loadManifest(address, request)).resolves.toMatchObject({ name: 'Lamp', address });
    expect(asked.map((one) => one.address)).toEqual([address]);
    expect(asked[0]?.init).toMatchObject({ credentials: 'omit', referrerPolicy: 'no-referrer' });
  });

  it('names the header that the server does not send', async () => {
    const { request } = web({ [address]: 'blocked' });
    expect(await faultOf(loadManifest(address, request))).toEqual({
      code: 'no-cors',
      what: 'The server of firmware.example does not send the header Access-Control-Allow-Origin, so the browser does not let this page read its files.',
    });
  });

  it.each([
    [
      'https://github.com/maker/lamp/releases/download/v1/manifest.json',
      'Download the file and drop it on the flasher, pull it into a release on a Wirebench server, or publish it with GitHub Pages.',
    ],
    [
      'https://github.com/maker/lamp/blob/main/install/manifest.json',
      'Use the address of the file itself: https://raw.githubusercontent.com/maker/lamp/main/install/manifest.json. Or: download the file and drop it on the flasher, pull it into a release on a Wirebench server, or publish it with GitHub Pages.',
    ],
    [
      'https://gitlab.com/maker/lamp/-/raw/main/manifest.json',
      'Download the file and drop it on the flasher, pull it into a release on a Wirebench server, or publish it with GitLab Pages.',
    ],
    [
      'https://firmware.example/manifest.json',
      'Download the file and drop it on the flasher, pull it into a release on a Wirebench server, or ask its owner to send “Access-Control-Allow-Origin: *”.',
    ],
  ])('says what works for %s', async (blocked, remedy) => {
    const { request } = web({ [blocked]: 'blocked' });
    await expect(loadManifest(blocked, request)).rejects.toMatchObject({ code: 'no-cors', remedy });
  });

  it('leads from a page about a file to the file itself', async () => {
    const about = 'https://github.com/maker/lamp/blob/main/manifest.json';
    const { request } = web({ [about]: () => new Response('<!DOCTYPE html><title>lamp</title>') });
    await expect(loadManifest(about, request)).rejects.toMatchObject({
      what: 'The file from github.com is not a manifest: it is a web page.',
      remedy: 'Use the address of the file itself: https://raw.githubusercontent.com/maker/lamp/main/manifest.json',
    });
  });

  it('starts the paths of a manifest that a page made at the page', async () => {
    const made = 'blob:https://maker.example/1';
    const { request } = web({ [made]: json(manifest) });
    const page = 'https://maker.example/lamp/';
    await expect(loadManifest(made, { ...request, page })).resolves.toMatchObject({
      name: 'Lamp',
      host: 'maker.example',
      versions: [{ builds: [{ files: [{ address: 'https://maker.example/lamp/a.bin' }] }] }],
    });
  });

  it('tells a server that cannot be reached from one without the header', async () => {
    const { request } = web({});
    expect(await faultOf(loadManifest(address, request))).toEqual({
      code: 'unreachable',
      what: 'firmware.example could not be reached.',
    });
  });

  it('says the status of a refusal', async () => {
    const { request } = web({ [address]: () => new Response('', { status: 404 }) });
    expect(await faultOf(loadManifest(address, request))).toEqual({
      code: 'refused-by-server',
      what: 'The manifest could not be loaded: firmware.example answered 404.',
    });
  });

  it('does not ask over http from a page over https', async () => {
    const { asked, request } = web({});
    const plain = 'http://firmware.example/manifest.json';
    expect(await faultOf(loadManifest(plain, request))).toMatchObject({ code: 'mixed-content' });
    expect(asked).toEqual([]);
  });

  it.each(['http://127.0.0.1:8000/m.json', 'http://localhost/m.json', 'http://[::1]/m.json'])(
    'asks %s, which browsers trust',
    async (loopback) => {
      const { request } = web({ [loopback]: json(manifest) });
      await expect(loadManifest(loopback, request)).resolves.toMatchObject({ name: 'Lamp' });
    },
  );

  it('reads no more than a manifest may have', async () => {
    let sent = 0;
    const endless = () =>
      new Response(
        new ReadableStream({
          pull(stream) {
            sent += 16_384;
            stream.enqueue(new Uint8Array(16_384).fill(0x20));
          },
        }),
      );
    const { request } = web({ [address]: endless });
    expect(await faultOf(loadManifest(address, request))).toEqual({
      code: 'too-large',
      what: 'This file is larger than 128 KB, which no manifest is.',
    });
    expect(sent).toBeLessThan(manifestLimits.size * 2);
  });

  it('ends with the reason of its signal', async () => {
    const ending = new AbortController();
    ending.abort(new Error('enough'));
    const { request } = web({ [address]: json(manifest) });
    await expect(loadManifest(address, { ...request, signal: ending.signal })).rejects.toThrow('enough');
  });
});

describe('loading the files of a build', () => {
  it('gives the bytes of each file, and requests a file that is listed twice once', async () => {
    const { asked, request } = web({
      'https://firmware.example/a': bytes(1, 2),
      'https://firmware.example/b': bytes(3),
    });
    const totals: number[] = [];
    const files = [file('a'), file('b', { offset: 4096 }), file('a', { offset: 8192 })];
    const loaded = await loadBuildFiles({ files }, request, (received) => totals.push(received));
    expect(loaded.map((one) => [one.file.name, one.file.offset, [...one.bytes]])).toEqual([
      ['a', 0, [1, 2]],
      ['b', 4096, [3]],
      ['a', 8192, [1, 2]],
    ]);
    expect(asked).toHaveLength(2);
    expect(totals.at(-1)).toBe(3);
  });

  it('names the file for which a web page arrived', async () => {
    const page = () => new Response('<!doctype html><html><body>Not found</body></html>');
    const { request } = web({ 'https://firmware.example/a': page });
    expect(await faultOf(loadBuildFiles({ files: [file('a')] }, request))).toEqual({
      code: 'web-page',
      what: 'firmware.example answered with a web page instead of "a".',
    });
  });

  it('refuses a build with a fault in the words of the fault', async () => {
    const { asked, request } = web({});
    const fault = { code: 'unusable-file', what: 'The build has no offset.', remedy: '' } as const;
    expect(await faultOf(loadBuildFiles({ files: [], fault }, request))).toEqual({
      code: 'unusable-file',
      what: 'The build has no offset.',
    });
    expect(asked).toEqual([]);
  });

  it('checks the stated size and hash', async () => {
    const { request } = web({ 'https://firmware.example/a': bytes(0x61, 0x62, 0x63) });
    const sha256 = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    await expect(loadManifestFile(file('a', { size: 3, sha256 }), request)).resolves.toHaveLength(3);
    expect(await faultOf(loadManifestFile(file('a', { size: 4 }), request))).toMatchObject({ code: 'wrong-size' });
    expect(await faultOf(loadManifestFile(file('a', { sha256: '0'.repeat(64) }), request))).toEqual({
      code: 'wrong-hash',
      what: '"a" is not the file that the manifest states: its SHA-256 differs.',
    });
  });

  it('bounds each file and all together', async () => {
    const { request } = web({
      'https://firmware.example/a': bytes(1, 2, 3),
      'https://firmware.example/b': bytes(4, 5, 6),
    });
    const limited = { ...request, limits: { fileSize: 2 } };
    expect(await faultOf(loadBuildFiles({ files: [file('a')] }, limited))).toMatchObject({ code: 'file-too-large' });
    const together = { ...request, limits: { buildSize: 5 } };
    expect(await faultOf(loadBuildFiles({ files: [file('a'), file('b')] }, together))).toMatchObject({
      code: 'file-too-large',
    });
    expect(await loadBuildFiles({ files: [file('a')] }, together)).toHaveLength(1);
  });

  it('requests nothing for a file whose stated size is too large', async () => {
    const { asked, request } = web({});
    const large = file('a', { size: manifestLimits.fileSize + 1 });
    expect(await faultOf(loadManifestFile(large, request))).toEqual({
      code: 'file-too-large',
      what: '"a" is larger than 16 MB.',
    });
    expect(asked).toEqual([]);
  });

  it('names the file that is missing', async () => {
    const { request } = web({ 'https://firmware.example/a': () => new Response('', { status: 410 }) });
    expect(await faultOf(loadBuildFiles({ files: [file('a')] }, request))).toMatchObject({
      what: '"a" could not be loaded: firmware.example answered 410.',
    });
  });
});
