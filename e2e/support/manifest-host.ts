/** Another host than the product's, with a manifest and its files, with or without the header for other origins. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type EspChipName, espFirmwareSet } from '@wirebench/devices';

export interface ManifestHost extends AsyncDisposable {
  /** Origin: `http://127.0.0.1:40123`. */
  readonly address: string;
  /** Host and port, as the page names them. */
  readonly host: string;
  /** Paths that were asked, in order, without the requests that only look for the server. */
  readonly asked: readonly string[];
}

/** @param cors True: every origin may read the files. */
export async function manifestHost(
  files: Readonly<Record<string, string | Uint8Array>>,
  { cors = true }: { readonly cors?: boolean } = {},
): Promise<ManifestHost> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://host');
    const content = files[pathname];
    if (request.method === 'GET') {
      asked.push(pathname);
    }
    if (cors) {
      response.setHeader('access-control-allow-origin', '*');
    }
    response.setHeader('content-type', pathname.endsWith('.json') ? 'application/json' : 'application/octet-stream');
    response.writeHead(content === undefined ? 404 : 200).end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address: `http://${host}`,
    host,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const labels = { esp32: 'ESP32', esp32c3: 'ESP32-C3', esp32s3: 'ESP32-S3' } as const;

/** Returns a manifest of ESP Web Tools and its files, with a build for each of these chips. */
export function manifestFiles(chips: readonly (EspChipName & keyof typeof labels)[]) {
  const files: Record<string, string | Uint8Array> = {};
  const builds = chips.map((chip) => {
    const set = espFirmwareSet({ chip, project: 'lamp', version: '2.1.0', text: `Lamp on ${labels[chip]}\r\n` });
    const parts = set.flatMap(({ name, offset, data }) => {
      if (offset === null) {
        return [];
      }
      files[`/lamp/${chip}/${name}`] = data;
      return [{ path: `${chip}/${name}`, offset }];
    });
    return { chipFamily: labels[chip], parts };
  });
  files['/lamp/manifest.json'] = JSON.stringify({
    name: 'Lamp',
    version: '2.1.0',
    new_install_prompt_erase: true,
    builds,
  });
  return files;
}
