/**
 * Reads what leads to the files of a release: a manifest of ESP Web Tools
 * (https://esphome.github.io/esp-web-tools/, "Creating your manifest"), `flasher_args.json` of ESP-IDF, or a shared
 * project or version as a Wirebench server answers it. All give the same type. Nothing is fetched.
 */
import { familyOf, modelName } from '@wirebench/boards';
import { buildLimits } from '@wirebench/contract/builds';
import { readSwitch } from '@wirebench/contract/read-switch';
import type { FailureText } from '../core/flash-failure.ts';
import { type FileList, listedOffset, readFlasherArgs, readWebTools } from '../esp/build-output/file-list.ts';
import { placementConflictText } from '../esp/build-output/placement-conflict.ts';
import { ImageError } from '../images/image-error.ts';
import { isObject, type JsonObject, jsonFault, parseJson } from '../images/json-fields.ts';
import { ManifestError, type ManifestFailure } from './manifest-fault.ts';
import { parseUrl } from './parse-url.ts';
import { type BuildGuards, buildName, type ReleaseBuild } from './release-build.ts';

export interface ManifestFile {
  /** Last part of its path, or the name that a Wirebench server states. */
  readonly name: string;
  /** Absolute, http or https. In a manifest that a page made, also `blob:` or `data:`. */
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
  /** 1 to `manifestLimits.files`; none if the build has a fault. */
  readonly files: readonly ManifestFile[];
  /** False: the publisher states that the firmware has no Improv. Null: not stated. */
  readonly improv: boolean | null;
  /** Reason for which the build cannot be written, in a sentence that names it; null for a usable build. */
  readonly fault: BuildFault | null;
}

interface BuildFault extends FailureText {
  readonly code: ManifestFailure;
}

export interface ManifestVersion {
  /** Share id at its Wirebench server, by which flashes are reported; null in other manifests. */
  readonly shareId: string | null;
  /** Empty if the manifest does not state it. */
  readonly version: string;
  /** At least one of them is usable. */
  readonly builds: readonly ManifestBuild[];
  /** Sentences about what cannot be used: builds with a fault, and entries that name no chip. */
  readonly faults: readonly string[];
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
  files: buildLimits.files,
  fileSize: 16 * 1_024 * 1_024,
  /** All files of a build together. */
  buildSize: 32 * 1_024 * 1_024,
  /** Names and versions are cut to this many UTF-16 code units. */
  textLength: 200,
  /** Values that a sentence repeats are cut to this many. */
  shownLength: 60,
} as const;

/**
 * Reads a manifest. A build that cannot be used is named by its version; the others stay usable.
 *
 * @param address Absolute address that it was asked by, before redirects, as ESP Web Tools resolves paths.
 * @param page Address of the page that opens it. Paths of a `blob:` or `data:` manifest start there.
 * @throws ManifestError `not-json`, `web-page`, `not-a-manifest`, `no-builds`, `too-many-builds`; the fault of the
 *   first build if none can be used.
 */
export function readManifest(text: string, address: string, page?: string): ManifestRelease {
  // A page made a manifest of another kind: it has no folder and no host of its own.
  const isMadeByPage = !/^https?:/i.test(address);
  const base = { href: isMadeByPage ? (page ?? address) : address, isMadeByPage };
  const detail = { host: hostOf(base.href), address };
  // Some editors save a byte order mark, which `JSON.parse` refuses.
  const plain = text.replace(/^\uFEFF/, '');
  if (/^\s*</.test(plain)) {
    throw new ManifestError('web-page', detail);
  }
  try {
    const json = parseJson(plain);
    if (isObject(json['flash_files'])) {
      return readIdfList(json, address, base);
    }
    if (isObject(json['project'])) {
      return readSharedItem(json, json['project'], address);
    }
    if (json['builds'] !== undefined) {
      return readPage(json, address, base);
    }
  } catch (cause) {
    if (!(cause instanceof ImageError)) {
      throw cause;
    }
    const json = cause.code === 'not-json' ? jsonFault(plain) : null;
    throw json === null
      ? new ManifestError('not-a-manifest', { ...detail, cause })
      : new ManifestError('not-json', { ...detail, json, cause });
  }
  throw new ManifestError('not-a-manifest', detail);
}

/** Start of the paths of files. */
interface Base {
  readonly href: string;
  /** True: a page made the manifest. Its files may be made by the page, too. */
  readonly isMadeByPage: boolean;
}

const hostOf = (address: string): string => parseUrl(address)?.host ?? '';

function readIdfList(json: JsonObject, address: string, base: Base): ManifestRelease {
  const { chip, files, faults } = readFlasherArgs(json);
  const encrypted = files.find((file) => file.encrypted);
  if (encrypted !== undefined) {
    throw new ManifestError('encrypted-file', { name: lastOf(encrypted.path) });
  }
  const listed = [...files, ...faults.map(({ path, offset }) => ({ path, offset }))];
  if (chip === null || listed.length === 0) {
    throw new ManifestError('no-builds');
  }
  const build = { deviceFamily: 'esp', deviceModel: chip, files: listed };
  return {
    ...plainRelease('flasher-args', address, base),
    versions: [{ shareId: null, version: '', ...readBuilds([build], base) }],
  };
}

/** Reads a manifest of ESP Web Tools, or of a Wirebench server, whose key `wirebench` replaces the builds. */
function readPage(json: JsonObject, address: string, base: Base): ManifestRelease {
  const own = json['wirebench'];
  const ownBuilds = isObject(own) && Array.isArray(own['builds']) ? own['builds'] : null;
  const read = ownBuilds === null ? readPlainBuilds(json, base) : readBuilds(ownBuilds, base);
  const wait = json['new_install_improv_wait_time'];
  const release = plainRelease('web-tools', address, base);
  return {
    ...release,
    name: shortText(json['name']) ?? release.name,
    publisher: isObject(own) ? shortText(own['publisher']) : null,
    isDemo: isObject(own) && own['demo'] === true,
    promptsErase: readSwitch(json['new_install_prompt_erase']) === true,
    improvWaitTime: typeof wait === 'number' && wait >= 0 ? wait : null,
    fundingUrl: textOf(json['funding_url']),
    homeAssistantDomain: textOf(json['home_assistant_domain']),
    versions: [
      {
        shareId: isObject(own) ? textOf(own['shareId']) : null,
        version: shortText(json['version']) ?? '',
        ...read,
      },
    ],
  };
}

type ReadBuilds = Pick<ManifestVersion, 'builds' | 'faults'>;

/**
 * Reads the builds that ESP Web Tools itself reads. A chip that has several builds for the same kind of connection
 * gets the first of them, as with ESP Web Tools.
 */
function readPlainBuilds(json: JsonObject, base: Base): ReadBuilds {
  const listed = readWebTools(json);
  checkCount(listed);
  const keys = new Set<string>();
  const read = listed.map(({ chipFamily, entry, parts: files, list }, index) => {
    if (chipFamily === null) {
      return `Build ${index + 1} names no chip.`;
    }
    const connection = connections[String(entry['serialType'])];
    // Pages other than ESP Web Tools list chips of other makers: `RP2040`, `nRF52840`.
    const other = familyOf(chipFamily.trim().toLowerCase());
    // A chip that is not known here stays in the list, so that the page can name it.
    const deviceModel =
      list.chip ?? (other === null ? (textOf(chipFamily) ?? chipFamily) : chipFamily.trim().toLowerCase());
    const deviceFamily = list.chip === null ? (other ?? 'esp') : 'esp';
    const key = `${deviceModel} ${connection ?? ''}`;
    if (keys.has(key)) {
      return null;
    }
    keys.add(key);
    const { improv } = entry;
    if (!Array.isArray(files) || files.length === 0) {
      return new ManifestError('no-builds', { build: `The build for ${modelName(deviceModel)}` }).what;
    }
    return readBuild({ deviceFamily, deviceModel, guards: { connection }, files, improv }, base, list);
  });
  return usable(read.filter((build) => build !== null));
}

/** Reads builds in the form of a Wirebench server. */
function readBuilds(listed: readonly unknown[], base: Base): ReadBuilds {
  checkCount(listed);
  return usable(
    listed.map((entry, index) =>
      isObject(entry) && textOf(entry['deviceModel']) !== null
        ? readBuild(entry, base)
        : `Build ${index + 1} names no chip.`,
    ),
  );
}

/**
 * @param read Builds, and sentences about entries that name no chip.
 * @throws ManifestError if no build can be used.
 */
function usable(read: readonly (ManifestBuild | string)[]): ReadBuilds {
  const builds = read.filter((build) => typeof build !== 'string');
  if (builds.every(({ fault }) => fault !== null)) {
    const [fault] = builds.flatMap((build) => build.fault ?? []);
    throw fault === undefined ? new ManifestError('no-builds') : new ManifestError(fault.code, { text: fault });
  }
  const faults = read.flatMap((build) => (typeof build === 'string' ? build : (build.fault?.what ?? [])));
  return { builds, faults };
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
  const faults: unknown[] = [];
  const read = (Array.isArray(versions) ? versions : [])
    .filter(isObject)
    .slice(0, manifestLimits.versions)
    .flatMap((version) => {
      const { deviceFamily, deviceModel } = project;
      const listed = Array.isArray(version['builds'])
        ? version['builds']
        : [{ deviceFamily, deviceModel, files: version['files'] }];
      try {
        return [
          {
            shareId: textOf(version['shareId']),
            version: shortText(version['version']) ?? '',
            ...readBuilds(listed, { href: below.href, isMadeByPage: false }),
          },
        ];
      } catch (error) {
        // The other versions can still be used.
        faults.push(error);
        return [];
      }
    });
  if (read.length === 0) {
    throw faults[0] ?? new ManifestError('no-builds');
  }
  const release = plainRelease('wirebench', address, { href: address });
  return {
    ...release,
    name: shortText(project['name']) ?? release.name,
    publisher: shortText(project['publisher']),
    isDemo: project['demo'] === true,
    versions: read,
  };
}

function plainRelease(
  kind: ManifestRelease['kind'],
  address: string,
  { href }: Pick<Base, 'href'>,
): Omit<ManifestRelease, 'versions'> {
  const host = hostOf(href);
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

/**
 * Reads a build that names its chip.
 *
 * @param list Its parts as a dropped manifest has them, whose faults are named in the same words.
 */
function readBuild(build: JsonObject, base: Base, list: FileList | null = null): ManifestBuild {
  const deviceModel = textOf(build['deviceModel']) ?? '';
  const { improv } = build;
  const read = {
    id: textOf(build['_id']),
    deviceFamily: textOf(build['deviceFamily']) ?? 'esp',
    deviceModel,
    guards: readGuards(build['guards']),
    improv: readSwitch(improv),
  };
  try {
    return {
      ...read,
      files: readFiles(build['files'] ?? build['parts'], `The build for ${buildName(read)}`, base, list),
      fault: null,
    };
  } catch (error) {
    if (error instanceof ManifestError) {
      const { code, what, remedy } = error;
      return { ...read, files: [], fault: { code, what, remedy } };
    }
    throw error;
  }
}

/** @param build Names the build, at the beginning of a sentence. */
function readFiles(listed: unknown, build: string, base: Base, list: FileList | null): ManifestFile[] {
  if (!Array.isArray(listed) || listed.length === 0) {
    throw new ManifestError('no-builds', { build });
  }
  if (listed.length > manifestLimits.files) {
    const [limit, count] = [String(manifestLimits.files), listed.length];
    throw new ManifestError('too-many-files', { limit, count, build });
  }
  const fault = list?.faults[0];
  if (fault !== undefined) {
    throw unusableFile(build, fault);
  }
  return listed.map((file, index) => readFile(isObject(file) ? file : {}, { build, part: index + 1, base }));
}

/** Says the fault of a part as it is said of a dropped manifest. */
function unusableFile(build: string, { path, offset, part }: FileList['faults'][number]): ManifestError {
  const { what } =
    path === null
      ? placementConflictText['listed-path']([build], offset === null ? `of part ${part}` : `at ${offset}`)
      : placementConflictText['listed-offset']([lastOf(path), build], offset ?? '');
  return new ManifestError('unusable-file', { what });
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

interface PartPlace {
  readonly build: string;
  /** From 1. */
  readonly part: number;
  readonly base: Base;
}

/** Reads a part of a manifest (`path`; in its first versions `filename`) or a file of a server's answer (`_id`). */
function readFile(file: JsonObject, { build, part, base }: PartPlace): ManifestFile {
  const id = textOf(file['_id']);
  const path = textOf(file['path']) ?? textOf(file['filename']) ?? (id === null ? null : `files/${id}`);
  const offset = listedOffset(file['offset']);
  const isOfPage = path !== null && base.isMadeByPage && /^(?:blob|data):/i.test(path);
  const name = textOf(file['fileName']) ?? (path === null ? null : isOfPage ? `part-${part}.bin` : lastOf(path));
  if (path === null || name === null || offset === null) {
    const { offset: given = null } = file;
    const shown = given === null ? null : typeof given === 'string' ? given : JSON.stringify(given);
    throw unusableFile(build, { path: name, offset: shown?.slice(0, manifestLimits.shownLength) ?? null, part });
  }
  const address = parseUrl(isOfPage ? path : path.replaceAll('\\', '/'), base.href);
  if (address === null || !(isOfPage || /^https?:$/.test(address.protocol))) {
    throw new ManifestError('unusable-address', { build, name: path.slice(0, manifestLimits.shownLength) });
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
