/** A public release on a stubbed server, in the shape of the demo release, for tests of a flasher's whole page. */
import {
  apiPaths,
  demoReleaseId,
  type FirmwareFile,
  type JkitAnswer,
  jkitPaths,
  type PublicConfig,
  type SharedVersionAnswer,
  sharedFirmwarePaths,
} from '@wirebench/contract';
import { espFirmwareSet } from '@wirebench/devices';
import { vi } from 'vitest';

/** Query of the page's address. */
export const servedRelease = `?type=version&id=${demoReleaseId}`;

const config: PublicConfig = {
  apiUrl: '',
  oidc: { issuer: 'http://id', url: 'http://id', realm: 'r', clientId: 'c' },
  latestReleaseUrl: '/',
  adminRole: 'admin',
  limits: { projects: 5, versions: 3, jkits: 5, elfSize: 0, builds: 8 },
};

/**
 * Stubs the server until the test ends. It serves all that an empty ESP32 needs to start, and 404 for other paths.
 *
 * @param jkit Content of the JKit that the terminal set-up names. Omitted: it names none.
 */
export async function serveRelease(jkit?: object): Promise<void> {
  const contents = espFirmwareSet({
    chip: 'esp32',
    project: 'wirebench-demo',
    version: '1.0.0',
    text: 'You have flashed this from a release link.\r\n',
  }).flatMap(({ name, offset, data }, index) => (offset === null ? [] : [{ id: idOf(index), name, offset, data }]));
  const files = await Promise.all(
    contents.map(
      async ({ id, name, offset, data }): Promise<FirmwareFile> => ({
        _id: id,
        fileName: name,
        size: data.length,
        offset: `0x${offset.toString(16)}`,
        sha256: await sha256(data),
      }),
    ),
  );
  const answers = new Map<string, () => Response>([
    [apiPaths.config, () => Response.json(config)],
    [
      sharedFirmwarePaths.item('version', demoReleaseId),
      () => Response.json(answerWith(files, jkit === undefined ? null : jkitId)),
    ],
    ...(jkit === undefined ? [] : [[jkitPaths.jkit(jkitId), () => Response.json(jkitWith(jkit))] as const]),
    ...contents.map(
      ({ id, data }) =>
        [sharedFirmwarePaths.file('version', demoReleaseId, id), () => new Response(new Blob([data]))] as const,
    ),
  ]);
  vi.stubGlobal('fetch', async (path: string) => answers.get(path)?.() ?? new Response(null, { status: 404 }));
}

const createdAt = '2026-11-20T12:00:00.000Z';

function jkitWith(content: object): JkitAnswer {
  return {
    data: {
      _id: jkitId,
      name: 'Weather',
      type: 'uart',
      content: JSON.stringify(content),
      description: '',
      shared: true,
      tags: [],
      version: '1.0.0',
      publisher: 'wirebench',
      createdAt,
      updatedAt: createdAt,
      rating: 0,
      ratingCount: 0,
    },
  };
}

function answerWith(files: FirmwareFile[], jkitId: string | null): SharedVersionAnswer {
  return {
    project: {
      _id: idOf(0xa),
      name: 'Wirebench demo',
      description: 'A release to try the flasher with.',
      deviceFamily: 'esp',
      deviceModel: 'esp32',
      publisher: 'wirebench',
      demo: true,
      createdAt,
      updatedAt: createdAt,
    },
    version: {
      _id: idOf(0xb),
      shareId: demoReleaseId,
      version: '1.0.0',
      description: '',
      isPublic: true,
      createdAt,
      writeCount: 0,
      console: { baudRate: 115_200, lineEnding: 'crlf', jkitId },
      files,
    },
  };
}

async function sha256(data: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', data));
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

const idOf = (number: number) => `01939c00-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;

const jkitId = idOf(0xc);
