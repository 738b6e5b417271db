/** Reports the outcome of a flash to the Wirebench server of its release. Other publishers receive nothing. */
import type { ManifestBuild, ManifestRelease, ManifestVersion } from '@wirebench/flasher/release';

export interface Outcome {
  readonly result: 'success' | 'failure';
  readonly chip: string;
  /** Null for a success. */
  readonly errorCode: string | null;
}

/** Returns the address for outcomes of this version; null if its manifest names no server that counts them. */
export function flashesAddress({ address }: ManifestRelease, { shareId }: ManifestVersion): string | null {
  const api = /^(.*\/api\/firmware\/shared\/)(?:project|version)\//.exec(address)?.[1];
  return api === undefined || shareId === null ? null : `${api}version/${encodeURIComponent(shareId)}/flashes`;
}

/** Does not wait for the answer. An unreachable server counts one flash less. */
export function reportFlash(
  release: ManifestRelease,
  version: ManifestVersion,
  build: ManifestBuild,
  { result, chip, errorCode }: Outcome,
): void {
  const address = flashesAddress(release, version);
  if (address !== null) {
    const body = {
      result,
      chip,
      ...(errorCode !== null && { errorCode }),
      ...(build.id !== null && { buildId: build.id }),
    };
    fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      keepalive: true,
    }).catch(() => undefined);
  }
}
