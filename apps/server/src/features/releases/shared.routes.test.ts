import { createHash } from 'node:crypto';
import {
  ErrorAnswer,
  EspManifest,
  firmwarePaths,
  type Project,
  ProjectAnswer,
  SharedVersionAnswer,
  sharedFirmwarePaths,
  type Version,
} from '@wirebench/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noise } from '../../testing/noise.ts';
import { releaseClient } from '../../testing/release-client.ts';
import { buildTestApp, type TestApp } from '../../testing/test-app.ts';

let test: TestApp;
let owner: ReturnType<typeof releaseClient>;
let project: Project;
let version: Version;

const bytes = noise(10_000);
const types = ['project', 'version'] as const;
const elsewhere = { origin: 'https://elsewhere.example' };

beforeAll(async () => {
  test = await buildTestApp({ RATE_LIMIT_WRITES: '0' });
  owner = releaseClient(test.app, await test.bearer());
  project = await owner.newProject('Blinker & "Co"', { description: 'Makes a light blink', deviceModel: 'esp32c3' });
  version = await owner.newVersion(project._id, {
    files: [
      { name: 'boot.bin', bytes: Buffer.from('boot') },
      { name: 'größe.bin', bytes },
    ],
    offsets: '["0x0","0x10000"]',
    console: '{"baudRate":9600,"lineEnding":"lf"}',
  });
  await owner.setProjectPublic(project._id, true);
  await owner.setVersionPublic(version._id, true);
});

afterAll(() => test[Symbol.asyncDispose]());

const shareIdOf = (type: (typeof types)[number]) => (type === 'project' ? project.shareId : version.shareId);
const get = (url: string, headers: Record<string, string> = {}) => test.app.inject({ url, headers });
const file = (headers: Record<string, string> = {}, type: (typeof types)[number] = 'version') =>
  get(sharedFirmwarePaths.file(type, shareIdOf(type), version.files[1]?._id ?? ''), headers);
const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;

describe('a shared project', () => {
  it('shows itself, its public versions and only the name of its owner', async () => {
    const hidden = await owner.newVersion(project._id, { version: '2.0.0' });
    const answer = await get(sharedFirmwarePaths.item('project', project.shareId));
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    const shared = ProjectAnswer.parse(answer.json()).project;
    expect(answer.json().project).toEqual(shared);
    expect(shared).toMatchObject({ name: 'Blinker & "Co"', publisher: 'maker', deviceModel: 'esp32c3', demo: false });
    expect(shared.versions.map(({ _id }) => _id)).toEqual([version._id]);
    expect(answer.body).not.toContain('subject');
    await owner.remove(firmwarePaths.version(hidden._id));
  });
});

describe('a shared version', () => {
  it('shows itself and its project, without access to the rest of the project', async () => {
    const answer = await get(sharedFirmwarePaths.item('version', version.shareId));
    const shared = SharedVersionAnswer.parse(answer.json());
    expect(answer.json()).toEqual(shared);
    const { elf: _elf, crashes: _crashes, ...everybodys } = version;
    expect(shared.version).toMatchObject({ ...everybodys, isPublic: true });
    for (const owners of ['elf', 'crashes']) {
      expect(shared.version).not.toHaveProperty(owners);
    }
    expect(answer.body).not.toContain(project.shareId);
  });
});

describe('an unchanged answer', () => {
  it.each(types)('is not sent again: %s', async (type) => {
    for (const url of [
      sharedFirmwarePaths.item(type, shareIdOf(type)),
      sharedFirmwarePaths.manifest(type, shareIdOf(type)),
      sharedFirmwarePaths.badge(type, shareIdOf(type)),
    ]) {
      const first = await get(url);
      expect([first.statusCode, first.headers['cache-control']]).toEqual([200, 'no-cache']);
      const again = await get(url, { 'if-none-match': String(first.headers.etag) });
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', first.headers.etag]);
    }
  });

  it('gets a new tag after any change of the release, but not after a flash', async () => {
    const tags = new Set<unknown>();
    const read = async () => {
      const answer = await get(sharedFirmwarePaths.item('project', project.shareId));
      tags.add(answer.headers.etag);
      return answer.json().project;
    };
    await read();
    await owner.post(firmwarePaths.projectDescription(project._id), { description: 'New words' });
    expect((await read()).description).toBe('New words');
    await owner.post(firmwarePaths.versionDescription(version._id), { description: 'New notes' });
    expect((await read()).versions[0].description).toBe('New notes');
    await owner.post(firmwarePaths.versionConsole(version._id), { console: null });
    expect((await read()).versions[0].console).toBeNull();
    await test.app.inject({ method: 'POST', url: sharedFirmwarePaths.flashes(version.shareId) });
    expect((await read()).versions[0].writeCount).toBe(1);
    expect(tags.size).toBe(4);
  });
});

describe('a file', () => {
  it.each(types)('is sent unchanged, by its %s', async (type) => {
    const answer = await file({}, type);
    expect(answer.statusCode).toBe(200);
    expect(answer.rawPayload.equals(bytes)).toBe(true);
    expect(answer.headers).toMatchObject({
      etag,
      'cache-control': 'no-cache',
      'accept-ranges': 'bytes',
      'content-type': 'application/octet-stream',
      'content-length': '10000',
      'content-disposition': 'attachment; filename="gr__e.bin"; filename*=UTF-8\'\'gr%C3%B6%C3%9Fe.bin',
    });
  });

  it('is not sent to a client that has it', async () => {
    for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const answer = await file({ 'if-none-match': tag, range: 'bytes=0-1' });
      expect([answer.statusCode, answer.body, answer.headers.etag]).toEqual([304, '', etag]);
    }
    expect((await file({ 'if-none-match': '"x"' })).statusCode).toBe(200);
  });

  it('is sent in parts, at any range', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(12_000), fc.nat(12_000), async (from, length) => {
        const answer = await file({ range: `bytes=${from}-${from + length}` });
        if (from >= bytes.length) {
          expect([answer.statusCode, answer.headers['content-range']]).toEqual([416, 'bytes */10000']);
          return;
        }
        const end = Math.min(from + length, bytes.length - 1);
        expect([answer.statusCode, answer.headers['content-range']]).toEqual([206, `bytes ${from}-${end}/10000`]);
        expect(answer.rawPayload.equals(bytes.subarray(from, end + 1))).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it('is sent whole if the part belonged to another file', async () => {
    expect((await file({ range: 'bytes=0-1', 'if-range': etag })).statusCode).toBe(206);
    expect((await file({ range: 'bytes=0-1', 'if-range': '"another"' })).statusCode).toBe(200);
    expect((await file({ range: 'bytes=0-1,5-6' })).statusCode).toBe(200);
  });

  it('describes itself without its bytes', async () => {
    const url = sharedFirmwarePaths.file('version', version.shareId, version.files[1]?._id ?? '');
    const answer = await test.app.inject({ method: 'HEAD', url });
    expect([answer.statusCode, answer.body, answer.headers['content-length'], answer.headers.etag]).toEqual([
      200,
      '',
      '10000',
      etag,
    ]);
    const part = await test.app.inject({ method: 'HEAD', url, headers: { range: 'bytes=10-19' } });
    expect([part.statusCode, part.headers['content-length'], part.headers['content-range']]).toEqual([
      206,
      '10',
      'bytes 10-19/10000',
    ]);
  });
});

describe('the manifest for ESP Web Tools', () => {
  it.each(types)('names chip, files and addresses of a %s, and its paths lead to the bytes', async (type) => {
    const url = sharedFirmwarePaths.manifest(type, shareIdOf(type));
    const answer = await get(url);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    const manifest = EspManifest.parse(answer.json());
    expect(manifest).toEqual({
      name: 'Blinker & "Co"',
      version: '1.0.0',
      new_install_prompt_erase: true,
      builds: [
        {
          chipFamily: 'ESP32-C3',
          parts: version.files.map(({ _id }, index) => ({ path: `files/${_id}`, offset: index * 0x10000 })),
        },
      ],
    });
    const [, part] = manifest.builds[0]?.parts ?? [];
    const address = new URL(part?.path ?? '', `https://bench.example.org${url}`);
    expect((await get(address.pathname)).rawPayload.equals(bytes)).toBe(true);
  });

  it('describes the newest public version of a project', async () => {
    await test.clock.advance(1_000);
    const newer = await owner.newVersion(project._id, { version: '1.1.0' });
    const versionNow = async () => (await get(sharedFirmwarePaths.manifest('project', project.shareId))).json().version;
    expect(await versionNow()).toBe('1.0.0');
    await owner.setVersionPublic(newer._id, true);
    expect(await versionNow()).toBe('1.1.0');
    await owner.remove(firmwarePaths.version(newer._id));
    expect(await versionNow()).toBe('1.0.0');
  });

  it('is missing for other families', async () => {
    const stm = await owner.newProject('STM', { deviceFamily: 'stm', deviceModel: 'stm32f' });
    const release = await owner.newVersion(stm._id, { offsets: '["0x8001000"]' });
    await owner.setProjectPublic(stm._id, true);
    await owner.setVersionPublic(release._id, true);
    expect((await get(sharedFirmwarePaths.item('version', release.shareId))).statusCode).toBe(200);
    expect((await get(sharedFirmwarePaths.manifest('version', release.shareId))).statusCode).toBe(404);
    await owner.remove(firmwarePaths.project(stm._id));
  });
});

describe('the badge', () => {
  it.each(types)('shows name and version of a %s in a picture that runs no scripts', async (type) => {
    const answer = await get(sharedFirmwarePaths.badge(type, shareIdOf(type)));
    expect(answer.headers).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
    expect(answer.body).toContain('>Blinker &amp; &quot;Co&quot;<');
    expect(answer.body).toContain('>1.0.0<');
  });
});

describe('pages of other origins', () => {
  it('read everything that is public, and also a 404', async () => {
    for (const type of types) {
      for (const id of [shareIdOf(type), 'nothing']) {
        for (const url of [
          sharedFirmwarePaths.item(type, id),
          sharedFirmwarePaths.manifest(type, id),
          sharedFirmwarePaths.badge(type, id),
          sharedFirmwarePaths.file(type, id, version.files[0]?._id ?? ''),
          `${sharedFirmwarePaths.item(type, id)}/unknown`,
        ]) {
          expect((await get(url, elsewhere)).headers).toMatchObject({
            'access-control-allow-origin': '*',
            'cross-origin-resource-policy': 'cross-origin',
          });
        }
      }
    }
  });

  it('may ask for parts and report flashes', async () => {
    for (const url of [sharedFirmwarePaths.flashes(version.shareId), sharedFirmwarePaths.item('version', 'x')]) {
      const answer = await test.app.inject({
        method: 'OPTIONS',
        url,
        headers: {
          ...elsewhere,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type',
        },
      });
      expect([answer.statusCode, answer.body]).toEqual([204, '']);
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD, POST',
        'access-control-allow-headers': 'authorization, content-type, range, if-none-match, if-range',
      });
    }
  });

  it('get no other answers and no credentials', async () => {
    for (const url of [
      firmwarePaths.projects,
      firmwarePaths.versions(project._id),
      '/api/tokens',
      '/api/firmware/shared',
    ]) {
      const { headers } = await get(url, elsewhere);
      expect(headers).not.toHaveProperty('access-control-allow-origin');
      expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    }
    expect((await file(elsewhere)).headers).not.toHaveProperty('access-control-allow-credentials');
  });
});

describe('reports of flashes', () => {
  it('are limited for each address, and the refusal can be read from any origin', async () => {
    await using limited = await buildTestApp({ RATE_LIMIT_WRITES: '10', TRUST_PROXY: 'on' });
    const client = releaseClient(limited.app, await limited.bearer());
    const { _id } = await client.newProject();
    const release = await client.newVersion(_id);
    await client.setProjectPublic(_id, true);
    await client.setVersionPublic(release._id, true);
    const report = (address: string) =>
      limited.app.inject({
        method: 'POST',
        url: sharedFirmwarePaths.flashes(release.shareId),
        headers: { ...elsewhere, 'x-forwarded-for': address },
      });
    for (let number = 0; number < 10; number++) {
      expect((await report('192.0.2.1')).statusCode).toBe(204);
    }
    const refused = await report('192.0.2.1');
    expect([refused.statusCode, ErrorAnswer.parse(refused.json()).code]).toEqual([429, 'too-many-requests']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(refused.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect((await report('192.0.2.2')).statusCode).toBe(204);
    // The owner's own writes have a separate limit.
    expect((await client.setVersionPublic(release._id, false)).statusCode).toBe(200);
  });
});
