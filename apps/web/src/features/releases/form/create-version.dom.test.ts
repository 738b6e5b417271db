import { webcrypto } from 'node:crypto';
import { VirtualClock } from '@wirebench/clock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeRequest } from '../testing/fake-request.ts';
import { ReleaseServer } from '../testing/release-server.ts';
import { testProject, testVersion } from '../testing/releases.ts';
import { type CreationStep, createVersion } from './create-version.ts';

const server = new ReleaseServer();
const project = testProject({ versions: [testVersion({ version: '1.0' })] });

beforeEach(() => {
  server.projects = [project];
  vi.stubGlobal('fetch', server.fetch);
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
});
afterEach(() => vi.unstubAllGlobals());

function create(version: string, signal = new AbortController().signal, isRepeated = false) {
  const clock = new VirtualClock(0);
  const steps: CreationStep[] = [];
  const files = [{ file: new File(['x'], 'a.bin'), offset: '0x0' }];
  const result = createVersion(
    {
      projectId: project._id,
      version,
      description: 'd',
      channel: 'stable',
      console: null,
      acceptDamaged: [],
      builds: [{ deviceModel: 'esp32', guards: {}, files, elf: null }],
      isSimple: true,
    },
    {
      limit: 3,
      project: { deviceFamily: 'esp', deviceModel: 'esp32' },
      isRepeated,
      onStep: (step) => steps.push(step),
      signal,
      clock,
    },
  );
  return { clock, steps, result };
}

const request = async (before: number) => {
  await vi.waitFor(() => expect(FakeRequest.all.length).toBe(before + 1), { timeout: 15_000 });
  return FakeRequest.last();
};

describe('creating a version', () => {
  it('goes from checking over uploading, with its pace, to storing', async () => {
    const before = FakeRequest.all.length;
    const { clock, steps, result } = create('1.1');
    const upload = await request(before);
    upload.progress(100, 2_100);
    await clock.advance(500);
    upload.progress(600, 2_100);
    upload.progress(2_100, 2_100);
    const version = testVersion({ version: '1.1' });
    upload.answer(201, JSON.stringify({ version }));
    expect(await result).toEqual({ result: 'created', version });
    expect(steps.slice(0, 4)).toEqual([
      { step: 'checking' },
      { step: 'uploading', sent: 100, total: 2_100, bytesPerSecond: null },
      { step: 'uploading', sent: 600, total: 2_100, bytesPerSecond: 1_000 },
      { step: 'storing' },
    ]);
  });

  it('compares version numbers like the server', async () => {
    expect(await create(' 1.0').result).toMatchObject({ result: 'version-taken' });
  });

  it('uploads nothing if it is cancelled during the check', async () => {
    const before = FakeRequest.all.length;
    server.failAt('GET /api/firmware/versions/', 'offline');
    expect(await create('1.1', AbortSignal.abort()).result).toEqual({ result: 'cancelled' });
    server.failAt('GET /api/firmware/versions/', null);
    expect(await create('1.1', AbortSignal.abort()).result).toEqual({ result: 'cancelled' });
    expect(FakeRequest.all).toHaveLength(before);
  });

  it('reports an occupied number if another user created the version during the upload', async () => {
    const before = FakeRequest.all.length;
    const { result } = create('1.1');
    (await request(before)).answer(409, '{"message":"Version \\"1.1\\" already exists"}');
    expect(await result).toEqual({ result: 'version-taken', text: 'Version "1.1" already exists' });
  });

  describe('a version with a lost answer', () => {
    beforeEach(() => {
      vi.stubGlobal('crypto', webcrypto);
      vi.stubGlobal('isSecureContext', true);
    });
    // SHA-256 of "x".
    const sha256 = '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881';
    const stored = (hash: string) => {
      const [file] = testVersion({}).files;
      const files = file === undefined ? [] : [{ ...file, fileName: 'a.bin', offset: '0x0', sha256: hash }];
      return testVersion({ version: '1.1', files });
    };

    it.each([0, 502])('is found at the server as stored: status %i', async (status) => {
      const before = FakeRequest.all.length;
      const { result } = create('1.1');
      const upload = await request(before);
      server.projects = [{ ...project, versions: [stored(sha256), ...project.versions] }];
      if (status === 0) {
        upload.fail();
      } else {
        upload.answer(status, '');
      }
      expect(await result).toMatchObject({ result: 'created', version: { version: '1.1' } });
    });

    it('is found by the next attempt if the server was out of reach', async () => {
      const before = FakeRequest.all.length;
      const { result } = create('1.1');
      const upload = await request(before);
      server.failAt('GET /api/firmware/versions/', 'offline');
      upload.fail();
      expect(await result).toMatchObject({ result: 'failed', mayBeStored: true });
      server.failAt('GET /api/firmware/versions/', null);
      server.projects = [{ ...project, versions: [stored(sha256)] }];
      expect(await create('1.1', undefined, true).result).toMatchObject({ result: 'created' });
      expect(FakeRequest.all).toHaveLength(before + 1);
    });

    it('is refused with the name of the file that differs', async () => {
      server.projects = [{ ...project, versions: [stored('b'.repeat(64))] }];
      expect(await create('1.1', undefined, true).result).toEqual({
        result: 'version-taken',
        text: 'Version "1.1" already exists in this project. Please use a unique version number. "a.bin" at 0x0 is another file there: its SHA-256 begins with bbbbbbbbbbbb, that of "a.bin" here with 2d711642b726.',
      });
    });
  });
});
