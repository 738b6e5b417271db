/** Loads the release of a manifest at any address, in the form that the flasher needs. Loaded when one is opened. */
import {
  type ManifestBuild,
  ManifestError,
  type ManifestRelease,
  type ManifestVersion,
  manifestAddress,
} from '@wirebench/flasher/release';
import {
  type FlasherRelease,
  ReleaseError,
  type ReleaseVersion,
  type VersionBuild,
} from '../../features/flasher/release/flasher-release.ts';
import { ManifestTaskError, readManifestAt, readManifestFiles } from '../../workbench/manifest-loader.ts';

/** @param text Address of the manifest, absolute or relative to the page. */
export async function loadManifestRelease(text: string, signal: AbortSignal): Promise<FlasherRelease> {
  try {
    return flasherRelease(await readManifestAt(manifestAddress(text, location.href), signal));
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

function flasherRelease({ name, host, publisher, isDemo, versions }: ManifestRelease): FlasherRelease {
  const offered = versions.map((version, place) => flasherVersion(version, place));
  const [chosen] = offered;
  const first = versions[0]?.builds[0];
  if (chosen === undefined || first === undefined) {
    throw new ManifestError('no-builds');
  }
  return {
    name,
    publisher: publisher ?? '',
    host,
    demo: isDemo,
    deviceFamily: first.deviceFamily,
    deviceModel: first.deviceModel,
    versions: offered,
    chosen,
  };
}

function flasherVersion({ version, builds }: ManifestVersion, place: number): ReleaseVersion {
  return {
    id: `manifest-${place}`,
    shareId: null,
    version,
    console: null,
    messages: null,
    files: [],
    builds: builds.map((build, index) => versionBuild(build, `manifest-${place}-${index}`)),
    // The outcome stays in this browser: the release is not this server's.
    report: async () => undefined,
  };
}

function versionBuild({ deviceFamily, deviceModel, guards, files }: ManifestBuild, id: string): VersionBuild {
  return {
    id,
    deviceFamily,
    deviceModel,
    guards,
    isHashed: files.every(({ sha256 }) => sha256 !== null),
    size: files.reduce<number | null>((sum, { size }) => (sum === null || size === null ? null : sum + size), 0),
    load: async (signal, onProgress) => {
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
