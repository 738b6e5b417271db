/** Loads the release of a manifest at any address, or of another server. Fetched when one is opened. */
import {
  type ManifestBuild,
  ManifestError,
  type ManifestRelease,
  type ManifestVersion,
  manifestAddress,
} from '@wirebench/flasher/release';
import { ManifestTaskError, readManifestAt, readManifestFiles } from '../manifest-loader.ts';
import { type Release, ReleaseError, type ReleaseVersion, type VersionBuild } from './release.ts';

/** @param text Address of the manifest, absolute or relative to the page. */
export async function loadManifestRelease(text: string, signal: AbortSignal): Promise<Release> {
  try {
    return releaseOf(await readManifestAt(manifestAddress(text, location.href), signal));
  } catch (error) {
    throw explained(error);
  }
}

/** Returns the failure as the page says it: a title without a full stop, and the remedy. */
function explained(error: unknown): unknown {
  return error instanceof ManifestError || error instanceof ManifestTaskError
    ? new ReleaseError(error.message.replace(/\.$/, ''), error.remedy, {
        way: error.code === 'not-an-address' ? null : 'again',
        cause: error,
      })
    : error;
}

function releaseOf({ name, host, publisher, isDemo, versions: read }: ManifestRelease): Release {
  const versions = read.map((version, place) => versionOf(version, place));
  const [usual] = versions;
  const first = read[0]?.builds.find(({ fault }) => fault === null);
  if (usual === undefined || first === undefined) {
    throw new ManifestError('no-builds');
  }
  const { deviceFamily, deviceModel } = first;
  return { name, publisher: publisher ?? '', host, demo: isDemo, deviceFamily, deviceModel, versions, usual };
}

function versionOf({ version, builds, faults }: ManifestVersion, place: number): ReleaseVersion {
  return {
    id: `manifest-${place}`,
    shareId: null,
    version,
    description: '',
    createdAt: null,
    writeCount: 0,
    console: null,
    messages: null,
    builds: builds.map((build, index) => buildOf(build, `manifest-${place}-${index}`)),
    isPerBoard: true,
    faults,
    // The outcome stays in this browser: the release is not this server's.
    report: async () => undefined,
  };
}

function buildOf({ deviceFamily, deviceModel, guards, files, fault }: ManifestBuild, id: string): VersionBuild {
  return {
    id,
    deviceFamily,
    deviceModel,
    guards,
    files: files.map(({ address, name, offset, size, sha256 }) => ({ id: address, name, offset, size, sha256 })),
    load: async (signal, onProgress) => {
      if (fault !== null) {
        throw new ReleaseError(fault.what.replace(/\.$/, ''), fault.remedy, { way: null });
      }
      try {
        const contents = await readManifestFiles(files, signal, onProgress);
        return files.flatMap(({ name, offset }, index) => {
          const content = contents[index];
          return content === undefined ? [] : [{ name, offset, content }];
        });
      } catch (error) {
        throw explained(error);
      }
    },
  };
}
