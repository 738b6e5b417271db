/** Reads projects and versions from the database in the shape of the contract, one query for each kind. */
import { familyIds, modelsOf } from '@wirebench/boards';
import {
  type Build,
  type BuildGuards,
  type ConsoleSettings,
  type FirmwareFile,
  formatOffset,
  lineEndings,
  type Project,
  type ProjectSummary,
  pictureThemes,
  type Version,
} from '@wirebench/contract';
import { buildConnections } from '@wirebench/contract/builds';
import type { Selectable, SelectQueryBuilder } from 'kysely';
import { withheldOf } from '../../access/withheld.ts';
import type { Queries } from '../../storage/database/database.ts';
import type { WithheldColumns } from '../../storage/database/firmware-tables.ts';
import type { Tables } from '../../storage/database/tables.ts';
import { isKnown } from '../../storage/known-values.ts';

export type PictureRow = Selectable<Tables['firmware_pictures']>;
export type ProjectRow = Selectable<Tables['firmware_projects']>;
/** A version with the fields that only its owner may see. Files belong to builds, of which there is at least one. */
export interface StoredVersion extends Omit<Version, 'files' | 'builds'> {
  readonly projectId: string;
  readonly builds: readonly StoredBuild[];
  /** True: the only build is that of the simple form, which answers show as `files`. It has the id of the version. */
  readonly isSimple: boolean;
}

type StoredBuild = Build & { readonly files: FirmwareFile[] };

/** The reader of a version, which decides the visible fields. */
export type Reader = 'owner' | 'anybody';

/** Selected versions: all of an owner, all or the public ones of a project, or a single one. */
export type VersionScope =
  | { readonly subject: string }
  | { readonly projectId: string; readonly publicOnly: boolean }
  | { readonly versionId: string };

type Ids = SelectQueryBuilder<Tables, 'firmware_versions', { id: string }>;

function idsIn(queries: Queries, scope: VersionScope): Ids {
  const all = queries.selectFrom('firmware_versions').select('firmware_versions.id as id');
  if ('versionId' in scope) {
    return all.where('firmware_versions.id', '=', scope.versionId);
  }
  if ('projectId' in scope) {
    const ofProject = all.where('firmware_versions.project_id', '=', scope.projectId);
    return scope.publicOnly ? ofProject.where('firmware_versions.is_public', '=', 1) : ofProject;
  }
  return all.where(
    'firmware_versions.project_id',
    'in',
    queries.selectFrom('firmware_projects').select('firmware_projects.id').where('subject', '=', scope.subject),
  );
}

/** Reads the pictures of projects. */
export const readPictures = (queries: Queries, projectIds: readonly string[]): Promise<PictureRow[]> =>
  projectIds.length === 0
    ? Promise.resolve([])
    : queries.selectFrom('firmware_pictures').selectAll().where('project_id', 'in', projectIds).execute();

/**
 * Reads versions, newest first, with their builds in order and the files of each ordered by address. It is one
 * statement, so that a version never appears without its files while another transaction removes it.
 */
export async function readVersions(queries: Queries, scope: VersionScope): Promise<StoredVersion[]> {
  const rows = await queries
    .selectFrom('firmware_versions as v')
    .innerJoin('firmware_projects as p', 'p.id', 'v.project_id')
    .innerJoin('firmware_files as f', 'f.version_id', 'v.id')
    .leftJoin('firmware_builds as b', 'b.id', 'f.build_id')
    .leftJoin('firmware_elfs as e', (join) => join.onRef('e.version_id', '=', 'v.id').on('e.build_id', '=', ''))
    .leftJoin('firmware_elfs as be', (join) =>
      join.onRef('be.version_id', '=', 'v.id').onRef('be.build_id', '=', 'f.build_id'),
    )
    .selectAll('v')
    .select(['p.device_family as project_family', 'p.device_model as project_model'])
    .select(['f.build_id', 'b.device_family', 'b.device_model'])
    .select(['b.flash_size', 'b.psram', 'b.min_revision', 'b.connection'])
    .select(['f.id as file_id', 'f.file_name', 'f.size', 'f.flash_offset', 'f.sha256'])
    .select(['e.file_name as elf_name', 'e.size as elf_size', 'e.sha256 as elf_sha256'])
    .select(['be.file_name as build_elf_name', 'be.size as build_elf_size', 'be.sha256 as build_elf_sha256'])
    .select(({ selectFrom, fn, lit }) =>
      selectFrom('firmware_flashes')
        .select(({ eb }) => fn.coalesce(fn.sum(eb.ref('firmware_flashes.count')), lit(0)).as('writes'))
        .whereRef('firmware_flashes.version_id', '=', 'v.id')
        .where('firmware_flashes.result', '=', 'success')
        .as('write_count'),
    )
    .select(({ selectFrom, fn, lit }) =>
      selectFrom('crash_groups')
        .select(({ eb }) => fn.coalesce(fn.sum(eb.ref('crash_groups.count')), lit(0)).as('crashes'))
        .whereRef('crash_groups.version_id', '=', 'v.id')
        .as('crash_count'),
    )
    .select(({ selectFrom, fn, lit }) =>
      selectFrom('firmware_build_flashes')
        .select(({ eb }) => fn.coalesce(fn.sum(eb.ref('firmware_build_flashes.count')), lit(0)).as('writes'))
        .whereRef('firmware_build_flashes.build_id', '=', 'f.build_id')
        .where('firmware_build_flashes.result', '=', 'success')
        .as('build_writes'),
    )
    .select(({ selectFrom, fn, lit }) =>
      selectFrom('crash_builds')
        .select(({ eb }) => fn.coalesce(fn.sum(eb.ref('crash_builds.count')), lit(0)).as('crashes'))
        .whereRef('crash_builds.version_id', '=', 'v.id')
        .whereRef('crash_builds.build_id', '=', 'f.build_id')
        .as('build_crashes'),
    )
    .where('v.id', 'in', idsIn(queries, scope))
    .orderBy('v.created_at', 'desc')
    .orderBy('v.id', 'desc')
    .orderBy('b.position')
    .orderBy('f.flash_offset')
    .execute();
  const versions = new Map<string, StoredVersion & { readonly builds: StoredBuild[] }>();
  // A version with a build that this server does not know is left out as a whole: its files could be for another chip.
  const unknown = new Set(rows.filter((row) => row.build_id !== null && !isKnownBuild(row)).map(({ id }) => id));
  for (const row of rows.filter(({ id }) => !unknown.has(id))) {
    const version = versions.get(row.id) ?? {
      _id: row.id,
      projectId: row.project_id,
      shareId: row.share_id,
      version: row.version,
      description: row.description,
      isPublic: row.is_public === 1,
      ...linkOf(row),
      createdAt: row.created_at,
      writeCount: Number(row.write_count),
      console: consoleOf(row),
      // A version of any other channel must not reach those who follow the stable link.
      ...(row.channel === 'stable' ? {} : { channel: 'beta' as const }),
      builds: [],
      isSimple: row.build_id === null,
      ...elfOf(row.elf_name, row.elf_size, row.elf_sha256),
      crashes: Number(row.crash_count),
    };
    versions.set(row.id, version);
    const { file_id: _id, file_name: fileName, size, sha256 } = row;
    const file = { _id, fileName, size, offset: formatOffset(row.flash_offset), sha256 };
    buildOf(version.builds, row).files.push(file);
  }
  return [...versions.values()];
}

interface BuildRow {
  /** Id of the version. */
  readonly id: string;
  /** Null: the row is a file of the simple form. */
  readonly build_id: string | null;
  readonly project_family: string;
  readonly project_model: string;
  readonly device_family: string | null;
  readonly device_model: string | null;
  readonly flash_size: number | null;
  readonly psram: number | null;
  readonly min_revision: number | null;
  readonly connection: string | null;
  readonly build_writes: number | string | bigint | null;
  readonly build_crashes: number | string | bigint | null;
  readonly build_elf_name: string | null;
  readonly build_elf_size: number | null;
  readonly build_elf_sha256: string | null;
}

function isKnownBuild({ device_family: family, device_model: model, connection }: BuildRow): boolean {
  return isKnownDevice(family, model) && (connection === null || isKnown(buildConnections, connection));
}

/** Returns true for a project whose device this server knows. */
export const isKnownProject = (row: ProjectRow): boolean => isKnownDevice(row.device_family, row.device_model);

function isKnownDevice(family: string | null, model: string | null): boolean {
  return isKnown(familyIds, family) && isKnown(modelsOf(family), model);
}

/** Returns the build of a row, and adds it to those of its version if it is missing. */
function buildOf(builds: StoredBuild[], row: BuildRow): StoredBuild {
  const id = row.build_id ?? row.id;
  const known = builds.find(({ _id }) => _id === id);
  if (known !== undefined) {
    return known;
  }
  const build = {
    _id: id,
    deviceFamily: (row.device_family ?? row.project_family) as Build['deviceFamily'],
    deviceModel: (row.device_model ?? row.project_model) as Build['deviceModel'],
    guards: guardsOf(row),
    files: [],
    writeCount: Number(row.build_writes),
    ...elfOf(row.build_elf_name, row.build_elf_size, row.build_elf_sha256),
    crashes: Number(row.build_crashes),
  };
  builds.push(build);
  return build;
}

function guardsOf(row: BuildRow): BuildGuards {
  const { flash_size: flashSize, psram, min_revision: minRevision, connection } = row;
  return {
    ...(flashSize === null ? {} : { flashSize }),
    ...(psram === null ? {} : { psram: psram === 1 }),
    ...(minRevision === null ? {} : { minRevision }),
    ...(connection === null ? {} : { connection: connection as BuildGuards['connection'] }),
  };
}

/** Returns the columns of a build's guards. */
export function guardsRow({ flashSize, psram, minRevision, connection }: BuildGuards) {
  return {
    flash_size: flashSize ?? null,
    psram: psram === undefined ? null : psram ? 1 : 0,
    min_revision: minRevision ?? null,
    connection: connection ?? null,
  };
}

function elfOf(fileName: string | null, size: number | null, sha256: string | null) {
  return fileName === null || size === null || sha256 === null ? {} : { elf: { fileName, size, sha256 } };
}

type ConsoleRow = Pick<
  Selectable<Tables['firmware_versions']>,
  'console_baud_rate' | 'console_line_ending' | 'console_jkit_id'
>;

function consoleOf(row: ConsoleRow): ConsoleSettings | null {
  const { console_baud_rate: baudRate, console_line_ending: lineEnding, console_jkit_id: jkitId } = row;
  return baudRate === null || !isKnown(lineEndings, lineEnding) ? null : { baudRate, lineEnding, jkitId };
}

/** Returns the columns of a version's console settings. */
export function consoleRow(console: ConsoleSettings | null): ConsoleRow {
  return {
    console_baud_rate: console?.baudRate ?? null,
    console_line_ending: console?.lineEnding ?? null,
    console_jkit_id: console?.jkitId ?? null,
  };
}

/** @param pictures Pictures of this project, and perhaps of others. */
export function toSummary(row: ProjectRow, pictures: readonly PictureRow[]): ProjectSummary {
  return {
    _id: row.id,
    name: row.name,
    description: row.description,
    ...(row.sentence === null ? {} : { sentence: row.sentence }),
    ...pictureOf(row, pictures),
    deviceFamily: row.device_family as ProjectSummary['deviceFamily'],
    deviceModel: row.device_model as ProjectSummary['deviceModel'],
    publisher: row.publisher,
    demo: row.is_demo === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Returns the picture of a project; nothing without one. A theme that this server does not know is left out. */
function pictureOf(
  { id, picture_text: text }: Pick<ProjectRow, 'id' | 'picture_text'>,
  pictures: readonly PictureRow[],
): Pick<ProjectSummary, 'picture'> {
  const files = pictures
    .filter((picture) => picture.project_id === id && isKnown(pictureThemes, picture.theme))
    .map(({ theme, type, width, height, size, sha256 }) => [theme, { type, width, height, size, sha256 }] as const);
  return files.length === 0 ? {} : { picture: { text: text ?? '', ...Object.fromEntries(files) } };
}

/** @param pictures Pictures of this project, and perhaps of others. */
export function toProject(
  row: ProjectRow,
  versions: readonly StoredVersion[],
  pictures: readonly PictureRow[],
  reader: Reader,
): Project {
  return {
    ...toSummary(row, pictures),
    shareId: row.share_id,
    ...linkOf(row),
    isPublic: row.is_public === 1,
    versions: versions.map((version) => toVersion(version, reader)),
  };
}

/** Returns the end of a link and the reason of withholding, as far as they exist. */
function linkOf(row: WithheldColumns & { readonly share_ends_at: string | null }) {
  return { ...(row.share_ends_at === null ? {} : { shareEndsAt: row.share_ends_at }), ...withheldOf(row) };
}

/** Returns a version as it is answered. Its `files` are those of its first build, for clients that know no builds. */
export function toVersion(
  { projectId: _projectId, isSimple, builds, elf, crashes, ...shown }: StoredVersion,
  reader: Reader,
): Version {
  const isOwner = reader === 'owner';
  return {
    ...shown,
    files: builds[0]?.files ?? [],
    ...(isSimple ? {} : { builds: isOwner ? [...builds] : builds.map(publicBuild) }),
    ...(isOwner && elf !== undefined ? { elf } : {}),
    ...(isOwner ? { crashes } : {}),
  };
}

function publicBuild({ elf: _elf, crashes: _crashes, ...shown }: Build): Build {
  return shown;
}
