import { apiPaths, type Project, sharedFirmwarePaths, type Version } from '@wirebench/contract';
import { afterEach, expect, it, vi } from 'vitest';
import { releaseSource } from './release-source.ts';

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

it.each([
  ['stable versions', '', [['1.0.0', undefined]]],
  [
    'versions of both channels, newest first, with channel=beta',
    '&channel=beta',
    [
      ['2.0.0-rc1', 'beta'],
      ['1.0.0', undefined],
    ],
  ],
])('the flasher takes from a project link %s', async (_what, channel, expected) => {
  vi.stubGlobal('fetch', async (asked: string) => Response.json(answers.get(asked) ?? {}));
  const load = releaseSource(`?type=project&id=${project.shareId}${channel}`);
  const release = await load?.(new AbortController().signal);
  expect(release?.versions.map((each) => [each.version, each.channel])).toEqual(expected);
  expect(release?.chosen).toBe(release?.versions[0]);
});
