/** Reads projects and versions from the database in the shape of the contract, one query for each kind. */
import {
  type Build,
  type BuildGuards,
  type ConsoleSettings,
  type FirmwareFile,
  formatOffset,
  type Project,
  type ProjectSummary,
  type Version,
} from '@wirebench/contract';
import type { Selectable, SelectQueryBuilder } from 'kysely';
import { withheldOf } from '../../access/withheld.ts';
import type { Queries } from '../../storage/database/database.ts';
import type { WithheldColumns } from '../../storage/database/firmware-tables.ts';
import type { Tables } from '../../storage/database/tables.ts';

export type ProjectRow = Selectable<Tables['firmware_projects']>;
/** A version with the fields that only its owner may see. */
export type StoredVersion = Version & { readonly projectId: string };

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

/**
 * Reads versions, newest first, with their builds in order and the files of each ordered by address. It is one
 * statement, so that a version never appears without its files while another transaction removes it.
 */
export async function readVersions(queries: Queries, scope: VersionScope): Promise<StoredVersion[]> {
  const rows = await queries
    .selectFrom('firmware_versions as v')
    .innerJoin('firmware_files as f', 'f.version_id', 'v.id')
    .leftJoin('firmware_builds as b', 'b.id', 'f.build_id')
    .leftJoin('firmware_elfs as e', 'e.version_id', 'v.id')
    .selectAll('v')
    .select(['f.build_id', 'b.device_family', 'b.device_model'])
    .select(['b.flash_size', 'b.psram', 'b.min_revision', 'b.connection'])
    .select(['f.id as file_id', 'f.file_name', 'f.size', 'f.flash_offset', 'f.sha256'])
    .select(['e.file_name as elf_name', 'e.size as elf_size', 'e.sha256 as elf_sha256'])
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
  const versions = new Map<string, StoredVersion & { readonly files: FirmwareFile[] }>();
  for (const row of rows) {
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
      ...(row.channel === 'beta' ? { channel: row.channel } : {}),
      files: [],
      ...(row.build_id === null ? {} : { builds: [] }),
      ...elfOf(row),
      crashes: Number(row.crash_count),
    };
    versions.set(row.id, version);
    const { file_id: _id, file_name: fileName, size, sha256 } = row;
    const file = { _id, fileName, size, offset: formatOffset(row.flash_offset), sha256 };
    const build = row.build_id === null ? null : buildOf(version, row.build_id, row);
    build?.files.push(file);
    // A version shows the files of its first build.
    if (build === null || build === version.builds?.[0]) {
      version.files.push(file);
    }
  }
  return [...versions.values()];
}

interface BuildRow {
  readonly device_family: string | null;
  readonly device_model: string | null;
  readonly flash_size: number | null;
  readonly psram: number | null;
  readonly min_revision: number | null;
  readonly connection: string | null;
  readonly build_writes: number | string | bigint | null;
  readonly build_crashes: number | string | bigint | null;
}

/** Returns the build of a version by its id, and adds it if it is missing. */
function buildOf({ builds = [] }: StoredVersion, id: string, row: BuildRow): Build {
  const known = builds.find(({ _id }) => _id === id);
  if (known !== undefined) {
    return known;
  }
  const build = {
    _id: id,
    deviceFamily: row.device_family as Build['deviceFamily'],
    deviceModel: row.device_model as Build['deviceModel'],
    guards: guardsOf(row),
    files: [],
    writeCount: Number(row.build_writes),
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

interface ElfRow {
  readonly elf_name: string | null;
  readonly elf_size: number | null;
  readonly elf_sha256: string | null;
}

function elfOf({ elf_name: fileName, elf_size: size, elf_sha256: sha256 }: ElfRow) {
  return fileName === null || size === null || sha256 === null ? {} : { elf: { fileName, size, sha256 } };
}

type ConsoleRow = Pick<
  Selectable<Tables['firmware_versions']>,
  'console_baud_rate' | 'console_line_ending' | 'console_jkit_id'
>;

function consoleOf(row: ConsoleRow): ConsoleSettings | null {
  const { console_baud_rate: baudRate, console_line_ending: lineEnding, console_jkit_id: jkitId } = row;
  return baudRate === null || lineEnding === null
    ? null
    : { baudRate, lineEnding: lineEnding as ConsoleSettings['lineEnding'], jkitId };
}

/** Returns the columns of a version's console settings. */
export function consoleRow(console: ConsoleSettings | null): ConsoleRow {
  return {
    console_baud_rate: console?.baudRate ?? null,
    console_line_ending: console?.lineEnding ?? null,
    console_jkit_id: console?.jkitId ?? null,
  };
}

export function toSummary(row: ProjectRow): ProjectSummary {
  return {
    _id: row.id,
    name: row.name,
    description: row.description,
    deviceFamily: row.device_family as ProjectSummary['deviceFamily'],
    deviceModel: row.device_model as ProjectSummary['deviceModel'],
    publisher: row.publisher,
    demo: row.is_demo === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function toProject(row: ProjectRow, versions: readonly StoredVersion[], reader: Reader): Project {
  return {
    ...toSummary(row),
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

export function toVersion({ projectId: _projectId, ...version }: StoredVersion, reader: Reader): Version {
  if (reader === 'owner') {
    return version;
  }
  const { elf: _elf, crashes: _crashes, ...shown } = version;
  return shown.builds === undefined ? shown : { ...shown, builds: shown.builds.map(publicBuild) };
}

function publicBuild({ crashes: _crashes, ...shown }: Build): Build {
  return shown;
}
