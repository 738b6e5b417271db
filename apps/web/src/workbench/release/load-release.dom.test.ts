import { webcrypto } from 'node:crypto';
import { apiPaths, type Project, sharedFirmwarePaths, type Version } from '@wirebench/contract';
import { sha256Of } from '@wirebench/flasher/sha256';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadRelease } from './load-release.ts';
import { ReleaseError } from './release.ts';
import { monitorMessages } from './server-release-files.ts';

const version: Version = {
  _id: '01978c00-0000-7000-8000-000000000001',
  shareId: 'S'.repeat(22),
  version: '1.0.0',
  description: 'x',
  isPublic: true,
  createdAt: '2026-11-18T12:00:00.000Z',
  writeCount: 0,
  console: null,
  files: [],
};
const beta: Version = {
  ...version,
  _id: '01978c00-0000-7000-8000-000000000002',
  shareId: 'B'.repeat(22),
  version: '2.0.0-rc1',
  channel: 'beta',
};
const project: Project = {
  _id: '01978c00-0000-7000-8000-000000000003',
  shareId: 'P'.repeat(22),
  name: 'Blinker',
  description: '',
  deviceFamily: 'esp',
  deviceModel: 'esp32c3',
  publisher: 'mira.k',
  demo: false,
  isPublic: true,
  createdAt: '2026-11-18T12:00:00.000Z',
  updatedAt: '2026-11-18T12:00:00.000Z',
  versions: [version],
};
const config = {
  apiUrl: '',
  oidc: { issuer: 'http://id', url: 'http://id', realm: 'r', clientId: 'c' },
  latestReleaseUrl: '/',
  adminRole: 'admin',
  limits: { projects: 5, versions: 3, jkits: 5, elfSize: 0, builds: 8 },
};

const path = sharedFirmwarePaths.item('project', project.shareId);
const answers = new Map<string, object>([
  [apiPaths.config, config],
  [path, { project }],
  [`${path}?channel=beta`, { project: { ...project, versions: [beta, version] } }],
]);

afterEach(() => vi.unstubAllGlobals());

const never = new AbortController().signal;
const link = { type: 'project', id: project.shareId, owned: false } as const;

it.each([
  ['stable versions', false, [['1.0.0', undefined]]],
  [
    'versions of both channels, newest first, with channel=beta',
    true,
    [
      ['2.0.0-rc1', 'beta'],
      ['1.0.0', undefined],
    ],
  ],
])('a project link gives %s', async (_what, beta, expected) => {
  vi.stubGlobal('fetch', async (asked: string) => Response.json(answers.get(asked) ?? {}));
  const release = await loadRelease({ ...link, beta }, never);
  expect(release.versions.map((each) => [each.version, each.channel])).toEqual(expected);
  expect(release.usual).toBe(release.versions[0]);
});

describe('files of a release', () => {
  const bytes = ['bootloader', 'app'].map((text) => new TextEncoder().encode(text));
  const files = bytes.map((content, index) => ({
    _id: `01978c00-0000-7000-8000-00000000001${index}`,
    fileName: `${index}.bin`,
    size: content.length,
    offset: `0x${index}0000`,
    sha256: '',
  }));

  async function load(sha256: readonly string[], onProgress: (received: number) => void = () => undefined) {
    const listed = files.map((file, index) => ({ ...file, sha256: sha256[index] ?? '' }));
    vi.stubGlobal('fetch', async (asked: string) => {
      const content = bytes[files.findIndex(({ _id }) => asked.endsWith(_id))];
      const item = { project: { ...project, versions: [{ ...version, files: listed }] } };
      return content !== undefined ? new Response(content) : Response.json(asked === path ? item : answers.get(asked));
    });
    const release = await loadRelease({ ...link, beta: false }, never);
    const [build] = release.usual?.builds ?? [];
    return { build, given: await build?.load(never, onProgress) };
  }

  it('are one build for the model of the project, whose arrival is reported as a whole', async () => {
    const real = await Promise.all(bytes.map(sha256Of));
    const progress = vi.fn();
    const { build, given } = await load(real, progress);
    expect(build).toMatchObject({ id: version._id, deviceFamily: 'esp', deviceModel: 'esp32c3', guards: {} });
    expect(given?.map(({ name, offset }) => [name, offset])).toEqual([
      ['0.bin', 0],
      ['1.bin', 0x10000],
    ]);
    expect(progress).toHaveBeenLastCalledWith(13);
  });

  it('are refused if they differ from the published ones', async () => {
    vi.stubGlobal('crypto', webcrypto);
    await expect(load(['0'.repeat(64), '1'.repeat(64)])).rejects.toThrow(ReleaseError);
  });
});

describe('messages of a release', () => {
  it('are those of its JKit that need no number', async () => {
    const content = {
      fields: ['help', { content: 'fan {value}', flow: { value: { from: 0, to: 100 } } }, 'x {value}'],
    };
    const jkit = {
      _id: '01978c00-0000-7000-8000-000000000020',
      name: 'Fan',
      type: 'uart',
      content: JSON.stringify(content),
      description: '',
      shared: true,
      tags: [],
      version: '1',
      publisher: 'maker',
      createdAt: version.createdAt,
      updatedAt: version.createdAt,
      rating: 0,
      ratingCount: 0,
    };
    vi.stubGlobal('fetch', async (asked: string) => Response.json(asked === apiPaths.config ? config : { data: jkit }));
    const { messages } = await monitorMessages(jkit._id, false, never);
    expect(messages.map((message) => message.content)).toEqual(['help', 'x {value}']);
  });
});
