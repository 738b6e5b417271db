/** Queries by which owners change their projects. They never affect projects of other subjects or the demo. */
import { randomUUIDv7 } from 'node:crypto';
import { type DescriptionChange, nameKey, type Project } from '@wirebench/contract';
import type { Updateable } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { holdSharing, mayShare } from '../../access/sharing-block.repository.ts';
import { requireShown } from '../../access/withheld.ts';
import type { Queries } from '../../storage/database/database.ts';
import type { Tables } from '../../storage/database/tables.ts';
import { inTransaction } from '../../storage/database/transaction.ts';
import { publicNameOf } from '../accounts/public-name.repository.ts';
import { fold } from '../jkits/search-text.ts';
import { removeTokensOf } from '../tokens/tokens.repository.ts';
import { releaseBytes } from './bytes.repository.ts';
import { addHistory, type Change } from './history.repository.ts';
import { isKnownProject, type ProjectRow, readPictures, readVersions, toProject } from './releases.repository.ts';

export interface NewProjectRow {
  readonly actor: Actor;
  readonly name: string;
  readonly description: string;
  readonly deviceFamily: string;
  readonly deviceModel: string;
  readonly shareId: string;
  readonly at: string;
}

/** A change of one project by its owner. */
export interface ProjectEdit {
  readonly id: string;
  readonly actor: Actor;
  readonly at: string;
}

export type ProjectRepository = ReturnType<typeof projectRepository>;

export function projectRepository(queries: Queries) {
  return {
    /** Newest change first. */
    async ofOwner(subject: string): Promise<Project[]> {
      const rows = await queries
        .selectFrom('firmware_projects')
        .selectAll()
        .where('subject', '=', subject)
        .where('is_demo', '=', 0)
        .orderBy('updated_at', 'desc')
        .orderBy('id', 'desc')
        .execute();
      const versions = Map.groupBy(await readVersions(queries, { subject }), ({ projectId }) => projectId);
      const pictures = await readPictures(
        queries,
        rows.map(({ id }) => id),
      );
      return rows.filter(isKnownProject).map((row) => toProject(row, versions.get(row.id) ?? [], pictures, 'owner'));
    },

    /** Returns true if `subject` owns a project with this id. */
    async exists(id: string, subject: string): Promise<boolean> {
      return (await ownProject(queries, id, subject)) !== undefined;
    },

    insert: (row: NewProjectRow, limit: number): Promise<Project | 'limit' | 'name-taken'> => {
      const { subject, username } = row.actor.user;
      return inTransaction(
        queries,
        async (transaction) => {
          const { total } = await transaction
            .selectFrom('firmware_projects')
            .select(({ fn }) => fn.countAll().as('total'))
            .where('subject', '=', subject)
            .executeTakeFirstOrThrow();
          if (Number(total) >= limit) {
            return 'limit';
          }
          const inserted = await transaction
            .insertInto('firmware_projects')
            .values({
              id: randomUUIDv7(),
              subject,
              // Read in this statement, since the account may have been renamed after the request was authenticated.
              publisher: publicNameOf(subject, username),
              name: row.name,
              name_key: nameKey(row.name),
              search_key: fold(row.name),
              description: row.description,
              device_family: row.deviceFamily,
              device_model: row.deviceModel,
              is_public: 0,
              is_demo: 0,
              share_id: row.shareId,
              revision: 1,
              created_at: row.at,
              updated_at: row.at,
            })
            .onConflict((conflict) => conflict.columns(['subject', 'name_key']).doNothing())
            .returningAll()
            .executeTakeFirst();
          if (inserted === undefined) {
            return 'name-taken';
          }
          await addHistory(transaction, changeOf(inserted.id, row, 'project-created'));
          return toProject(inserted, [], [], 'owner');
        },
        { lock: `firmware projects of ${subject}` },
      );
    },

    /**
     * Changes the description. Returns a string if the stored description is no longer the one that was edited: the
     * stored description.
     */
    describe: (edit: ProjectEdit, { description, before }: DescriptionChange): Promise<Project | string | null> =>
      onProject<Project | string>(queries, edit, async (transaction, project) => {
        if (project.description === description) {
          return readProject(transaction, project);
        }
        if (before !== undefined && before !== project.description) {
          return project.description;
        }
        const changed = await touchProject(transaction, edit, { description });
        await addHistory(transaction, changeOf(edit.id, edit, 'project-described'));
        return readProject(transaction, changed);
      }),

    /** Changes the visibility; `isPublic` null inverts it. */
    setPublic: (edit: ProjectEdit, isPublic: boolean | null): Promise<Project | null> =>
      onProject(
        queries,
        edit,
        async (transaction, project) => {
          const was = project.is_public === 1;
          const becomes = isPublic ?? !was;
          if (becomes === was) {
            return readProject(transaction, project);
          }
          if (becomes) {
            requireShown(project);
            await mayShare(transaction, project.subject);
          }
          const changed = await touchProject(transaction, edit, { is_public: becomes ? 1 : 0 });
          await addHistory(transaction, changeOf(edit.id, edit, becomes ? 'project-published' : 'project-withdrawn'));
          return readProject(transaction, changed);
        },
        { changesSharing: true },
      ),

    async shareIdOf(id: string, subject: string): Promise<{ shareId: string; isPublic: boolean } | null> {
      const project = await ownProject(queries, id, subject);
      return project === undefined ? null : { shareId: project.share_id, isPublic: project.is_public === 1 };
    },

    /** Deletes the project with its versions, files and history. Returns false if there is no such project. */
    remove: async (edit: ProjectEdit): Promise<boolean> =>
      (await onProject(queries, edit, async (transaction) => {
        const files = await transaction
          .selectFrom('firmware_files')
          .innerJoin('firmware_versions', 'firmware_versions.id', 'firmware_files.version_id')
          .select('sha256')
          .where('project_id', '=', edit.id)
          .unionAll(
            transaction
              .selectFrom('firmware_elfs')
              .innerJoin('firmware_versions', 'firmware_versions.id', 'firmware_elfs.version_id')
              .select('sha256')
              .where('project_id', '=', edit.id),
          )
          .unionAll(transaction.selectFrom('firmware_pictures').select('sha256').where('project_id', '=', edit.id))
          .execute();
        await removeTokensOf(transaction, edit.id);
        await transaction.deleteFrom('firmware_projects').where('id', '=', edit.id).execute();
        await releaseBytes(
          transaction,
          files.map(({ sha256 }) => sha256),
        );
        return true;
      })) === true,
  };
}

/** Returns the project with all its versions. */
export async function readProject(from: Queries, row: ProjectRow): Promise<Project> {
  const versions = await readVersions(from, { projectId: row.id, publicOnly: false });
  return toProject(row, versions, await readPictures(from, [row.id]), 'owner');
}

export interface ProjectLock {
  /** True: waits for moderation of the actor's shared items before the project is read. */
  readonly changesSharing?: boolean;
}

/**
 * Runs `work` on a project of the actor. Changes of one project never overlap. Returns null if there is no such
 * project.
 */
export function onProject<Result>(
  queries: Queries,
  { id, actor }: Pick<ProjectEdit, 'id' | 'actor'>,
  work: (transaction: Queries, project: ProjectRow) => Promise<Result>,
  { changesSharing = false }: ProjectLock = {},
): Promise<Result | null> {
  return inTransaction(
    queries,
    async (transaction) => {
      if (changesSharing) {
        await holdSharing(transaction, actor.user.subject);
      }
      const project = await ownProject(transaction, id, actor.user.subject);
      return project === undefined ? null : work(transaction, project);
    },
    { lock: `firmware project ${id}` },
  );
}

/** Changes columns of a project and marks it as changed. */
export function touchProject(
  transaction: Queries,
  { id, at }: Pick<ProjectEdit, 'id' | 'at'>,
  change: Pick<
    Updateable<Tables['firmware_projects']>,
    'description' | 'sentence' | 'picture_text' | 'is_public' | 'share_id' | 'share_ends_at'
  > = {},
): Promise<ProjectRow> {
  return transaction
    .updateTable('firmware_projects')
    .set(({ eb }) => ({ ...change, updated_at: at, revision: eb('revision', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Returns undefined also for projects of others and for the demo. */
export async function ownProject(queries: Queries, id: string, subject: string): Promise<ProjectRow | undefined> {
  const project = await queries
    .selectFrom('firmware_projects')
    .selectAll()
    .where('id', '=', id)
    .where('subject', '=', subject)
    .where('is_demo', '=', 0)
    .executeTakeFirst();
  return project !== undefined && isKnownProject(project) ? project : undefined;
}

export function changeOf(
  projectId: string,
  { actor, at }: Pick<ProjectEdit, 'actor' | 'at'>,
  action: Change['action'],
): Change {
  return { projectId, action, version: null, actor, at };
}
