/** Compares a stored version with files that are about to be published under its number. */
import { modelName } from '@wirebench/boards';
import type { BuildGuards, FirmwareFile } from './builds.ts';
import { addressText, parseOffset } from './offsets.ts';
import { buildsOf, type Project, type Version } from './releases.ts';

export interface LocalFile {
  readonly name: string;
  /** Null for a file with its own addresses. */
  readonly offset: string | null;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

export interface LocalBuild {
  readonly deviceModel: string;
  readonly guards: BuildGuards;
  readonly files: readonly LocalFile[];
}

/**
 * Returns what differs, in one sentence that names the file or the build; null if the version has the same files for
 * the same boards. Names of files may differ.
 */
export function versionDifference(
  version: Version,
  project: Pick<Project, 'deviceFamily' | 'deviceModel'>,
  local: readonly LocalBuild[],
): string | null {
  const stored = buildsOf(version, project);
  const storedKeys = new Map(stored.map((build) => [keyOf(build), build]));
  for (const build of local) {
    const other = storedKeys.get(keyOf(build));
    if (other === undefined) {
      return `It has no such build for ${nameOf(build)}.`;
    }
    const difference = filesDifference(build, other.files);
    if (difference !== null) {
      return local.length === 1 ? difference : difference.replace(/\.$/, `, in the build for ${nameOf(build)}.`);
    }
  }
  const localKeys = new Set(local.map(keyOf));
  const more = stored.find((build) => !localKeys.has(keyOf(build)));
  return more === undefined ? null : `It also has a build for ${nameOf(more)}.`;
}

type AnyBuild = Pick<LocalBuild, 'deviceModel' | 'guards'>;

/** Returns true for builds of the same boards. No version has two of them. */
export const isForSameBoards = (one: AnyBuild, other: AnyBuild): boolean => keyOf(one) === keyOf(other);

const keyOf = ({ deviceModel, guards: { flashSize, psram, minRevision, connection } }: AnyBuild): string =>
  [deviceModel, flashSize, psram, minRevision, connection].join(' ');

const nameOf = ({ deviceModel }: AnyBuild): string => modelName(deviceModel as Project['deviceModel']);

function filesDifference({ files }: LocalBuild, stored: readonly FirmwareFile[]): string | null {
  const left = new Set(stored);
  for (const { name, offset, sha256 } of files) {
    const place = offset === null ? null : parseOffset(offset);
    const isThere = (file: FirmwareFile) =>
      place === null ? file.fileName === name : parseOffset(file.offset) === place;
    const same = [...left].find((file) => file.sha256 === sha256 && (place === null || isThere(file)));
    const other = same ?? [...left].find(isThere);
    const at = place === null ? '' : ` at ${addressText(place)}`;
    if (other === undefined) {
      return `It has no file${at} like "${name}".`;
    }
    if (other.sha256 !== sha256) {
      return `"${other.fileName}"${at} is another file there: its SHA-256 begins with ${other.sha256.slice(0, SHOWN)}, that of "${name}" here with ${sha256.slice(0, SHOWN)}.`;
    }
    left.delete(other);
  }
  const [more] = left;
  return more === undefined ? null : `It also has "${more.fileName}" at ${addressText(parseOffset(more.offset) ?? 0)}.`;
}

/** Digits of a hash that a sentence shows. */
const SHOWN = 12;
