/** Queries by which owners change the versions of their projects. */

import { randomUUIDv7 } from 'node:crypto';
import { familyIds } from '@wirebench/boards';
import {
  type Build,
  type ConsoleSettings,
  type DescriptionChange,
  nameKey,
  type ProjectSummary,
  type ReleaseChannel,
  type Version,
} from '@wirebench/contract';
import type { Actor } from '../../access/actor.ts';
import { mayShare } from '../../access/sharing-block.repository.ts';
import { requireShown } from '../../access/withheld.ts';
import type { Queries } from '../../storage/database/database.ts';
import { isKnown } from '../../storage/known-values.ts';
import { type FileBytes, releaseBytes, settleClaims } from './bytes.repository.ts';
import { addHistory, type Change } from './history.repository.ts';
import { onProject, ownProject, type ProjectLock, touchProject } from './projects.repository.ts';
import {
  consoleRow,
  guardsRow,
  type ProjectRow,
  readVersions,
  type StoredVersion,
  toSummary,
  toVersion,
} from './releases.repository.ts';
import type { ElfPlace } from './shared-item.ts';

export interface NewFileRow extends FileBytes {
  readonly fileName: string;
  /** Flash address. */
  readonly offset: number;
}

export interface NewElfRow extends FileBytes {
  readonly fileName: string;
}

export interface NewBuildRow extends Pick<Build, 'deviceFamily' | 'deviceModel' | 'guards'> {
  readonly files: readonly NewFileRow[];
}

export interface NewVersionRow {
  readonly projectId: string;
  readonly actor: Actor;
  readonly version: string;
  readonly description: string;
  readonly console: ConsoleSettings | null;
  /** Default: `stable`. */
  readonly channel?: ReleaseChannel;
  readonly shareId: string;
  readonly at: string;
  /** At least one; the first is for the project's model. */
  readonly builds: readonly NewBuildRow[];
  /** True: the only build is stored as the files of the version, as the simple form describes it. */
  readonly isSimple: boolean;
  readonly elf: NewElfRow | null;
  /** True: deletes the oldest version if the project is at its limit. */
  readonly replaceOldest?: boolean;
  /** The upload that has claimed the files' bytes. */
  readonly uploadId: string;
}

/** A change of one version by the owner of its project. */
export interface VersionEdit {
  readonly id: string;
  readonly actor: Actor;
  readonly at: string;
}

export interface ElfEdit extends VersionEdit, ElfPlace {}

/** Reason why a version cannot be added. `claims-lost`: the upload took so long that its bytes may have been swept. */
export type VersionRefusal = 'not-found' | 'limit' | 'version-taken' | 'claims-lost';

export type VersionRepository = ReturnType<typeof versionRepository>;

export function versionRepository(queries: Queries) {
  return {
    /** Returns null if there is no such version. */
    projectOf: (versionId: string): Promise<string | null> => projectIdOf(queries, versionId),

    /** Returns the versions, newest first; null if `subject` has no such project. */
    async ofProject(projectId: string, subject: string): Promise<Version[] | null> {
      const project = await ownProject(queries, projectId, subject);
      return project === undefined
        ? null
        : (await readVersions(queries, { projectId, publicOnly: false })).map((version) => toVersion(version, 'owner'));
    },

    /** Returns the project's device; null if `subject` has no such project. */
    async deviceOf(
      projectId: string,
      subject: string,
    ): Promise<Pick<ProjectSummary, 'deviceFamily' | 'deviceModel'> | null> {
      const project = await ownProject(queries, projectId, subject);
      return project === undefined ? null : toSummary(project, []);
    },

    /**
     * Returns the families of the boards that a version is for, or one of its builds; null if `subject` has no such
     * version, or it has no such build.
     */
    async familiesOf({ id, buildId }: ElfPlace, subject: string): Promise<readonly Build['deviceFamily'][] | null> {
      const rows = await queries
        .selectFrom('firmware_versions as v')
        .innerJoin('firmware_projects as p', 'p.id', 'v.project_id')
        .leftJoin('firmware_builds as b', 'b.version_id', 'v.id')
        .select(({ fn }) => fn.coalesce('b.device_family', 'p.device_family').as('family'))
        .where('v.id', '=', id)
        .where('p.subject', '=', subject)
        .where('p.is_demo', '=', 0)
        .$if(buildId !== null, (all) => all.where('b.id', '=', buildId))
        .execute();
      const families = rows.flatMap(({ family }) => (isKnown(familyIds, family) ? [family] : []));
      return families.length === 0 || families.length < rows.length ? null : families;
    },

    /** Returns the reason why such a version would be refused at this moment; null if it would be accepted. */
    async refusal(
      {
        projectId,
        version,
        actor,
        replaceOldest,
      }: Pick<NewVersionRow, 'projectId' | 'version' | 'actor' | 'replaceOldest'>,
      limit: number,
    ): Promise<VersionRefusal | null> {
      const project = await ownProject(queries, projectId, actor.user.subject);
      if (project === undefined) {
        return 'not-found';
      }
      const refusal = await refusalIn(queries, projectId, version, limit);
      return refusal === 'full' ? (replaceOldest === true ? null : 'limit') : refusal;
    },

    /** Writes the version with its files in one transaction. */
    insert: async (row: NewVersionRow, limit: number): Promise<Version | VersionRefusal> => {
      const { projectId, actor, at, builds, isSimple, uploadId } = row;
      const result = await onProject(queries, { id: projectId, actor }, async (transaction, project) => {
        const refusal = await refusalIn(transaction, projectId, row.version, limit);
        if (refusal === 'full') {
          if (row.replaceOldest !== true) {
            return 'limit';
          }
          await removeOldest(transaction, { project, actor, at });
        } else if (refusal !== null) {
          return refusal;
        }
        const files = builds.flatMap((build) => build.files);
        const stored = [...files, ...(row.elf === null ? [] : [row.elf])];
        const hashes = stored.map(({ sha256 }) => sha256);
        if (!(await settleClaims(transaction, uploadId, hashes))) {
          return 'claims-lost';
        }
        const id = randomUUIDv7();
        await transaction
          .insertInto('firmware_versions')
          .values({
            id,
            project_id: projectId,
            version: row.version,
            version_key: nameKey(row.version),
            description: row.description,
            is_public: 0,
            share_id: row.shareId,
            ...consoleRow(row.console),
            channel: row.channel ?? 'stable',
            created_at: at,
          })
          .execute();
        if (isSimple) {
          await addFiles(transaction, id, files);
        } else {
          await addBuilds(transaction, id, builds);
        }
        if (row.elf !== null) {
          await addElf(transaction, { id, buildId: null }, row.elf);
        }
        await record(transaction, 'version-created', { project, version: row.version, actor, at });
        return rereadVersion(transaction, id);
      });
      return result ?? 'not-found';
    },

    /**
     * Changes the description. Returns a string if the stored description is no longer the one that was edited: the
     * stored description.
     */
    describe: (edit: VersionEdit, { description, before }: DescriptionChange): Promise<Version | string | null> =>
      onVersion<Version | string>(queries, edit, async (transaction, version, change) => {
        if (version.description === description) {
          return toVersion(version, 'owner');
        }
        if (before !== undefined && before !== version.description) {
          return version.description;
        }
        await transaction.updateTable('firmware_versions').set({ description }).where('id', '=', edit.id).execute();
        await record(transaction, 'version-described', change);
        return rereadVersion(transaction, edit.id);
      }),

    setConsole: (edit: VersionEdit, console: ConsoleSettings | null): Promise<Version | null> =>
      onVersion(queries, edit, async (transaction, version, change) => {
        if (isSameConsole(version.console, console)) {
          return toVersion(version, 'owner');
        }
        await transaction.updateTable('firmware_versions').set(consoleRow(console)).where('id', '=', edit.id).execute();
        await record(transaction, 'version-console-changed', change);
        return rereadVersion(transaction, edit.id);
      }),

    setChannel: (edit: VersionEdit, channel: ReleaseChannel): Promise<Version | null> =>
      onVersion(queries, edit, async (transaction, version, change) => {
        if ((version.channel ?? 'stable') === channel) {
          return toVersion(version, 'owner');
        }
        await transaction.updateTable('firmware_versions').set({ channel }).where('id', '=', edit.id).execute();
        await record(transaction, 'version-channel-changed', change);
        return rereadVersion(transaction, edit.id);
      }),

    /** Changes the visibility; `isPublic` null inverts it. A private project prevents any change. */
    setPublic: (edit: VersionEdit, isPublic: boolean | null): Promise<Version | 'project-private' | null> =>
      onVersion<Version | 'project-private'>(
        queries,
        edit,
        async (transaction, version, change) => {
          const becomes = isPublic ?? !version.isPublic;
          if (becomes === version.isPublic) {
            return toVersion(version, 'owner');
          }
          if (change.project.is_public !== 1) {
            return 'project-private';
          }
          if (becomes) {
            await requireShownVersion(transaction, edit.id);
            await mayShare(transaction, change.project.subject);
          }
          await transaction
            .updateTable('firmware_versions')
            .set({ is_public: becomes ? 1 : 0 })
            .where('id', '=', edit.id)
            .execute();
          await record(transaction, becomes ? 'version-published' : 'version-withdrawn', change);
          return rereadVersion(transaction, edit.id);
        },
        { changesSharing: true },
      ),

    /** Deletes the version with its files. Returns false if there is no such version. */
    remove: async (edit: VersionEdit): Promise<boolean> =>
      (await onVersion(queries, edit, async (transaction, version, change) => {
        await removeVersion(transaction, version, change);
        return true;
      })) === true,

    /** Sets or replaces the ELF file of the version or of a build. `uploadId` has claimed its bytes. */
    setElf: (edit: ElfEdit, elf: NewElfRow, uploadId: string): Promise<Version | 'claims-lost' | null> =>
      onVersion<Version | 'claims-lost'>(queries, edit, async (transaction, version, change) => {
        if (!(await settleClaims(transaction, uploadId, [elf.sha256]))) {
          return 'claims-lost';
        }
        const before = elfIn(version, edit.buildId);
        await removeElfRow(transaction, edit);
        await addElf(transaction, edit, elf);
        await releaseBytes(transaction, before === null ? [] : [before.sha256]);
        await record(transaction, 'version-elf-added', change);
        return rereadVersion(transaction, edit.id);
      }),

    removeElf: (edit: ElfEdit): Promise<Version | null> =>
      onVersion(queries, edit, async (transaction, version, change) => {
        const before = elfIn(version, edit.buildId);
        if (before === null) {
          return toVersion(version, 'owner');
        }
        await removeElfRow(transaction, edit);
        await releaseBytes(transaction, [before.sha256]);
        await record(transaction, 'version-elf-removed', change);
        return rereadVersion(transaction, edit.id);
      }),

    async sharingOf(
      id: string,
      subject: string,
    ): Promise<{ shareId: string; isPublic: boolean; isProjectPublic: boolean } | null> {
      const row = await queries
        .selectFrom('firmware_versions as v')
        .innerJoin('firmware_projects as p', 'p.id', 'v.project_id')
        .select(['v.share_id', 'v.is_public', 'p.is_public as project_is_public'])
        .where('v.id', '=', id)
        .where('p.subject', '=', subject)
        .where('p.is_demo', '=', 0)
        .executeTakeFirst();
      return row === undefined
        ? null
        : { shareId: row.share_id, isPublic: row.is_public === 1, isProjectPublic: row.project_is_public === 1 };
    },
  };
}

/** Runs `work` on a version in a project of the actor. Returns null if there is no such version. */
export async function onVersion<Result>(
  queries: Queries,
  { id, actor, at }: VersionEdit,
  work: (transaction: Queries, version: StoredVersion, change: VersionChange) => Promise<Result>,
  lock: ProjectLock = {},
): Promise<Result | null> {
  const projectId = await projectIdOf(queries, id);
  if (projectId === null) {
    return null;
  }
  return onProject(
    queries,
    { id: projectId, actor },
    async (transaction, project) => {
      // The version may have been deleted while this transaction waited for the lock.
      const [version] = await readVersions(transaction, { versionId: id });
      return version === undefined
        ? null
        : work(transaction, version, { project, version: version.version, actor, at });
    },
    lock,
  );
}

/** Returns the project of a version, which never changes; null if there is no such version. */
async function projectIdOf(queries: Queries, versionId: string): Promise<string | null> {
  const version = await queries
    .selectFrom('firmware_versions')
    .select('project_id')
    .where('id', '=', versionId)
    .executeTakeFirst();
  return version?.project_id ?? null;
}

async function requireShownVersion(transaction: Queries, id: string): Promise<void> {
  requireShown(
    await transaction
      .selectFrom('firmware_versions')
      .select(['withheld', 'withheld_reason'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
  );
}

interface VersionChange {
  readonly project: ProjectRow;
  readonly version: string;
  readonly actor: Actor;
  readonly at: string;
}

/** Records a change of a version, which also changes its project. */
async function record(
  transaction: Queries,
  action: Change['action'],
  { project, version, actor, at }: VersionChange,
): Promise<void> {
  await touchProject(transaction, { id: project.id, at });
  await addHistory(transaction, { projectId: project.id, action, version, actor, at });
}

export async function rereadVersion(transaction: Queries, id: string): Promise<Version> {
  const [version] = await readVersions(transaction, { versionId: id });
  if (version === undefined) {
    throw new Error('A version disappeared while its project was locked');
  }
  return toVersion(version, 'owner');
}

async function removeVersion(transaction: Queries, version: StoredVersion, change: VersionChange): Promise<void> {
  await transaction.deleteFrom('firmware_versions').where('id', '=', version._id).execute();
  await releaseBytes(transaction, bytesOf(version));
  await record(transaction, 'version-deleted', change);
}

/** Deletes the oldest version. The project must have one. */
async function removeOldest(transaction: Queries, change: Omit<VersionChange, 'version'>): Promise<void> {
  const oldest = (await readVersions(transaction, { projectId: change.project.id, publicOnly: false })).at(-1);
  if (oldest === undefined) {
    throw new Error('The project has no version to replace');
  }
  await removeVersion(transaction, oldest, { ...change, version: oldest.version });
}

/**
 * Returns the reason against a new version. It is valid while the project is locked. `full`: one version fewer would
 * make room. `limit`: the project exceeds the limit, and no version is deleted.
 */
async function refusalIn(
  queries: Queries,
  projectId: string,
  version: string,
  limit: number,
): Promise<'full' | 'limit' | 'version-taken' | null> {
  const versions = await queries
    .selectFrom('firmware_versions')
    .select('version_key')
    .where('project_id', '=', projectId)
    .execute();
  if (versions.some(({ version_key }) => version_key === nameKey(version))) {
    return 'version-taken';
  }
  if (versions.length === limit) {
    return 'full';
  }
  return versions.length > limit ? 'limit' : null;
}

function bytesOf({ builds, elf }: StoredVersion): string[] {
  const elfs = [elf, ...builds.map((build) => build.elf)].filter((one) => one !== undefined);
  const all = [...builds.flatMap((build) => build.files), ...elfs];
  return all.map(({ sha256 }) => sha256);
}

/** Returns the ELF file of a version or of one of its builds; null without one. */
function elfIn({ elf, builds }: StoredVersion, buildId: string | null): NonNullable<Version['elf']> | null {
  return (buildId === null ? elf : builds.find(({ _id }) => _id === buildId)?.elf) ?? null;
}

async function removeElfRow(transaction: Queries, { id, buildId }: ElfPlace): Promise<void> {
  await transaction
    .deleteFrom('firmware_elfs')
    .where('version_id', '=', id)
    .where('build_id', '=', buildId ?? '')
    .execute();
}

async function addElf(transaction: Queries, { id, buildId }: ElfPlace, elf: NewElfRow): Promise<void> {
  const { fileName, size, sha256 } = elf;
  await transaction
    .insertInto('firmware_elfs')
    .values({ version_id: id, build_id: buildId ?? '', file_name: fileName, size, sha256 })
    .execute();
}

async function addBuilds(transaction: Queries, versionId: string, builds: readonly NewBuildRow[]): Promise<void> {
  for (const [position, { deviceFamily, deviceModel, guards, files }] of builds.entries()) {
    const id = randomUUIDv7();
    await transaction
      .insertInto('firmware_builds')
      .values({
        id,
        version_id: versionId,
        position,
        device_family: deviceFamily,
        device_model: deviceModel,
        ...guardsRow(guards),
      })
      .execute();
    await addFiles(transaction, versionId, files, id);
  }
}

/** Adds the files of a version, or of one of its builds. Their bytes are already stored. */
export async function addFiles(
  transaction: Queries,
  versionId: string,
  files: readonly NewFileRow[],
  buildId: string | null = null,
): Promise<void> {
  await transaction
    .insertInto('firmware_files')
    .values(
      files.map(({ fileName, size, offset, sha256 }) => ({
        id: randomUUIDv7(),
        version_id: versionId,
        build_id: buildId,
        file_name: fileName,
        size,
        flash_offset: offset,
        sha256,
      })),
    )
    .execute();
}

function isSameConsole(one: ConsoleSettings | null, other: ConsoleSettings | null): boolean {
  return one?.baudRate === other?.baudRate && one?.lineEnding === other?.lineEnding && one?.jkitId === other?.jkitId;
}
