/**
 * Reads what leads to the files of a release: a manifest of ESP Web Tools
 * (https://esphome.github.io/esp-web-tools/, "Creating your manifest"), `flasher_args.json` of ESP-IDF, or a shared
 * project or version as a Wirebench server answers it. All give the same type. Nothing is fetched.
 */
import { chipNamed, listedOffset, readFlasherArgs } from '../espressif/build-output/file-list.ts';
import { ImageError } from '../images/image-error.ts';
import { isObject, type JsonObject, parseJson } from '../images/json-fields.ts';
import { ManifestError } from './manifest-fault.ts';
import { parseUrl } from './parse-url.ts';
import { type BuildGuards, modelName, type ReleaseBuild } from './release-build.ts';

export interface ManifestFile {
  /** Last part of its path, or the name that a Wirebench server states. */
  readonly name: string;
  /** Absolute, http or https. */
  readonly address: string;
  /** Flash address in bytes. Of a format with addresses of its own, its lowest one, or 0. */
  readonly offset: number;
  /** In bytes; null if the manifest does not state it. */
  readonly size: number | null;
  /** Lower-case hexadecimal; null if the manifest does not state it. */
  readonly sha256: string | null;
}

export interface ManifestBuild extends ReleaseBuild {
  /** Id of the build at its Wirebench server; null in other manifests. */
  readonly id: string | null;
  /** 1 to `manifestLimits.files`. */
  readonly files: readonly ManifestFile[];
  /** False: the publisher states that the firmware has no Improv. Null: not stated. */
  readonly improv: boolean | null;
}

export interface ManifestVersion {
  /** Share id at its Wirebench server, by which flashes are reported; null in other manifests. */
  readonly shareId: string | null;
  /** Empty if the manifest does not state it. */
  readonly version: string;
  /** At least one. */
  readonly builds: readonly ManifestBuild[];
}

export interface ManifestRelease {
  readonly kind: 'web-tools' | 'flasher-args' | 'wirebench';
  /** Address that was read, which relative paths start from. */
  readonly address: string;
  /** Host and port of that address. */
  readonly host: string;
  /** Name of the release; its host for a list without a name. */
  readonly name: string;
  /** User name of the publisher on a Wirebench server; null in other manifests. */
  readonly publisher: string | null;
  /** True: for demo boards only. */
  readonly isDemo: boolean;
  /** At least one, newest first. */
  readonly versions: readonly ManifestVersion[];
  /** `new_install_prompt_erase`: ask before a new installation whether the flash is erased. */
  readonly promptsErase: boolean;
  /** `new_install_improv_wait_time` in seconds; null if not stated. */
  readonly improvWaitTime: number | null;
  /** Addresses and domains are as stated, not checked; null if not stated. */
  readonly fundingUrl: string | null;
  readonly homeAssistantDomain: string | null;
}

/** Sizes in bytes. */
export const manifestLimits = {
  /** Manifest. Real ones have a few kilobytes, answers of a server with long release notes up to 110 kB. */
  size: 128 * 1_024,
  versions: 16,
  /** Builds of a version. */
  builds: 32,
  /** Files of a build. */
  files: 8,
  fileSize: 16 * 1_024 * 1_024,
  /** All files of a build together. */
  buildSize: 32 * 1_024 * 1_024,
  /** Names and versions are cut to this many UTF-16 code units. */
  textLength: 200,
} as const;

/**
 * Reads a manifest.
 *
 * @param address Absolute address that it was asked by, before redirects, as ESP Web Tools resolves paths.
 * @throws ManifestError `not-a-manifest`, `no-builds`, `too-many-builds`, `too-many-files`, `unusable-file`,
 *   `encrypted-file`, `not-an-address`.
 */
export function readManifest(text: string, address: string): ManifestRelease {
  const { host } = new URL(address);
  try {
    // Some editors save a byte order mark, which `JSON.parse` refuses.
    const json = parseJson(text.replace(/^\uFEFF/, ''));
    if (isObject(json['flash_files'])) {
      return readIdfList(json, address);
    }
    if (isObject(json['project'])) {
      return readSharedItem(json, json['project'], address);
    }
    if (Array.isArray(json['builds'])) {
      return readWebTools(json, json['builds'], address);
    }
  } catch (error) {
    if (error instanceof ImageError) {
      throw new ManifestError('not-a-manifest', { host, cause: error });
    }
    throw error;
  }
  throw new ManifestError('not-a-manifest', { host });
}

function readIdfList(json: JsonObject, address: string): ManifestRelease {
  const { chip, files, faults } = readFlasherArgs(json);
  const encrypted = files.find((file) => file.encrypted);
  if (encrypted !== undefined) {
    throw new ManifestError('encrypted-file', { name: lastOf(encrypted.path) });
  }
  const listed = [...files, ...faults.map(({ path, offset }) => ({ path, offset }))];
  if (chip === null || listed.length === 0) {
    throw new ManifestError('no-builds');
  }
  return {
    ...plainRelease('flasher-args', address),
    versions: [
      {
        shareId: null,
        version: '',
        builds: [readBuild({ deviceFamily: 'esp', deviceModel: chip, files: listed }, address)],
      },
    ],
  };
}

function readWebTools(json: JsonObject, listed: readonly unknown[], address: string): ManifestRelease {
  const own = json['wirebench'];
  const ownBuilds = isObject(own) && Array.isArray(own['builds']) ? own['builds'] : null;
  checkCount(ownBuilds ?? listed);
  const builds =
    ownBuilds?.filter(isObject).map((build) => readBuild(build, address)) ?? readPlainBuilds(listed, address);
  if (builds.length === 0) {
    throw new ManifestError('no-builds');
  }
  const wait = json['new_install_improv_wait_time'];
  const release = plainRelease('web-tools', address);
  return {
    ...release,
    name: shortText(json['name']) ?? release.name,
    publisher: isObject(own) ? shortText(own['publisher']) : null,
    isDemo: isObject(own) && own['demo'] === true,
    promptsErase: json['new_install_prompt_erase'] === true,
    improvWaitTime: typeof wait === 'number' && wait >= 0 ? wait : null,
    fundingUrl: textOf(json['funding_url']),
    homeAssistantDomain: textOf(json['home_assistant_domain']),
    versions: [
      {
        shareId: isObject(own) ? textOf(own['shareId']) : null,
        version: shortText(json['version']) ?? '',
        builds,
      },
    ],
  };
}

/**
 * Reads the builds that ESP Web Tools itself reads. A chip that has several builds for the same kind of connection
 * gets the first of them, as with ESP Web Tools.
 */
function readPlainBuilds(listed: readonly unknown[], address: string): ManifestBuild[] {
  const builds = new Map<string, ManifestBuild>();
  for (const entry of listed.filter(isObject)) {
    const family = textOf(entry['chipFamily']);
    const connection = connections[String(entry['serialType'])];
    // A chip that is not known here stays in the list, so that the page can name it.
    const deviceModel = chipNamed(family) ?? family;
    const key = `${deviceModel} ${connection ?? ''}`;
    const { parts, improv } = entry;
    if (deviceModel !== null && !builds.has(key) && Array.isArray(parts) && parts.length > 0) {
      builds.set(
        key,
        readBuild({ deviceFamily: 'esp', deviceModel, guards: { connection }, files: parts, improv }, address),
      );
    }
  }
  return [...builds.values()];
}

/** `serialType` of ESP Web Tools 10.4. */
const connections: Readonly<Record<string, BuildGuards['connection']>> = { cdc: 'usb', uart: 'uart' };

/** Reads `GET /api/firmware/shared/(project|version)/…`. The files of an item are below its address. */
function readSharedItem(json: JsonObject, project: JsonObject, address: string): ManifestRelease {
  const one = json['version'];
  const versions = isObject(one) ? [one] : project['versions'];
  const below = new URL(address);
  below.pathname = below.pathname.replace(/\/*$/, '/');
  below.search = '';
  const read = (Array.isArray(versions) ? versions : [])
    .filter(isObject)
    .slice(0, manifestLimits.versions)
    .map((version) => {
      const { deviceFamily, deviceModel } = project;
      const listed = Array.isArray(version['builds'])
        ? version['builds']
        : [{ deviceFamily, deviceModel, files: version['files'] }];
      checkCount(listed);
      return {
        shareId: textOf(version['shareId']),
        version: shortText(version['version']) ?? '',
        builds: listed.filter(isObject).map((build) => readBuild(build, below.href)),
      };
    })
    .filter(({ builds }) => builds.length > 0);
  if (read.length === 0) {
    throw new ManifestError('no-builds');
  }
  const release = plainRelease('wirebench', address);
  return {
    ...release,
    name: shortText(project['name']) ?? release.name,
    publisher: shortText(project['publisher']),
    isDemo: project['demo'] === true,
    versions: read,
  };
}

function plainRelease(kind: ManifestRelease['kind'], address: string): Omit<ManifestRelease, 'versions'> {
  const { host } = new URL(address);
  return {
    kind,
    address,
    host,
    name: host,
    publisher: null,
    isDemo: false,
    promptsErase: false,
    improvWaitTime: null,
    fundingUrl: null,
    homeAssistantDomain: null,
  };
}

function checkCount(builds: readonly unknown[]): void {
  if (builds.length > manifestLimits.builds) {
    throw new ManifestError('too-many-builds', { limit: String(manifestLimits.builds) });
  }
}

/** @param base Address that paths of files are relative to. */
function readBuild(build: JsonObject, base: string): ManifestBuild {
  const deviceModel = textOf(build['deviceModel']);
  const files = build['files'] ?? build['parts'];
  if (deviceModel === null || !Array.isArray(files) || files.length === 0) {
    throw new ManifestError('no-builds');
  }
  if (files.length > manifestLimits.files) {
    throw new ManifestError('too-many-files', { limit: String(manifestLimits.files), name: modelName(deviceModel) });
  }
  const { improv } = build;
  return {
    id: textOf(build['_id']),
    deviceFamily: textOf(build['deviceFamily']) ?? 'esp',
    deviceModel,
    guards: readGuards(build['guards']),
    files: files.map((file) => readFile(isObject(file) ? file : {}, base)),
    improv: typeof improv === 'boolean' ? improv : null,
  };
}

function readGuards(given: unknown): BuildGuards {
  const { flashSize, psram, minRevision, connection } = isObject(given) ? given : {};
  return {
    ...(isCount(flashSize) && { flashSize }),
    ...(typeof psram === 'boolean' && { psram }),
    ...(isCount(minRevision) && { minRevision }),
    ...((connection === 'usb' || connection === 'uart') && { connection }),
  };
}

/** Reads a part of a manifest (`path`; in its first versions `filename`) or a file of a server's answer (`_id`). */
function readFile(file: JsonObject, base: string): ManifestFile {
  const id = textOf(file['_id']);
  const path = textOf(file['path']) ?? textOf(file['filename']) ?? (id === null ? null : `files/${id}`);
  const offset = listedOffset(file['offset']);
  const stated = textOf(file['fileName']);
  const name = stated ?? (path === null ? undefined : lastOf(path));
  const address = path === null ? null : parseUrl(path.replaceAll('\\', '/'), base);
  if (address === null || offset === null || name === undefined || !/^https?:$/.test(address.protocol)) {
    throw new ManifestError('unusable-file', name === undefined ? {} : { name });
  }
  const { size, sha256 } = file;
  return {
    name,
    address: address.href,
    offset,
    size: isCount(size) ? size : null,
    sha256: typeof sha256 === 'string' && /^[\da-f]{64}$/i.test(sha256) ? sha256.toLowerCase() : null,
  };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** Returns one line of text; null for anything else and for an empty text. */
function textOf(value: unknown): string | null {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
  return line === '' ? null : line;
}

/** Returns one line of text of at most `textLength` code units; null for no text. */
const shortText = (value: unknown): string | null => textOf(value)?.slice(0, manifestLimits.textLength) ?? null;

/** Returns the last part of a path, without a query: `firmware.bin`. */
function lastOf(path: string): string {
  const name =
    path
      .replace(/[?#].*$/s, '')
      .split(/[/\\]/)
      .at(-1) ?? '';
  try {
    return decodeURIComponent(name) || path;
  } catch {
    return name;
  }
}
