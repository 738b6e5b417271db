import { VirtualClock } from '@wirebench/clock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type CreationStep, createVersion } from './create-version.ts';
import { FakeRequest } from './testing/fake-request.ts';
import { ReleaseServer } from './testing/release-server.ts';
import { testProject, testVersion } from './testing/releases.ts';

const server = new ReleaseServer();
const project = testProject({ versions: [testVersion({ version: '1.0' })] });

beforeEach(() => {
  server.projects = [project];
  vi.stubGlobal('fetch', server.fetch);
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
});
afterEach(() => vi.unstubAllGlobals());

function create(version: string, signal = new AbortController().signal) {
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
      elf: null,
      acceptDamaged: [],
      files,
      builds: null,
    },
    { limit: 3, onStep: (step) => steps.push(step), signal, clock },
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

  it('takes numbers for the same that the server takes for the same', async () => {
    expect(await create(' 1.0').result).toMatchObject({ result: 'version-taken' });
  });

  it('uploads nothing where it was cancelled while it asked', async () => {
    const before = FakeRequest.all.length;
    server.failAt('GET /api/firmware/versions/', 'offline');
    expect(await create('1.1', AbortSignal.abort()).result).toEqual({ result: 'cancelled' });
    server.failAt('GET /api/firmware/versions/', null);
    expect(await create('1.1', AbortSignal.abort()).result).toEqual({ result: 'cancelled' });
    expect(FakeRequest.all).toHaveLength(before);
  });

  it('is no failure of the upload but of the number when somebody took it meanwhile', async () => {
    const before = FakeRequest.all.length;
    const { result } = create('1.1');
    (await request(before)).answer(409, '{"message":"Version \\"1.1\\" already exists"}');
    expect(await result).toEqual({ result: 'version-taken', text: 'Version "1.1" already exists' });
  });
});
