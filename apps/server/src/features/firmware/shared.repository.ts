/** Queries of what anyone may read: public projects and their public versions, found by share id. */
import type { ProjectSummary, Version } from '@wirebench/contract';
import type { CompiledQuery } from 'kysely';
import type { Queries } from '../../storage/database/database.ts';
import { inTransaction } from '../../storage/database/transaction.ts';
import { type LinkAbsence, linkAbsence } from './link-absence.repository.ts';
import { type ProjectRow, readVersions, toProject, toSummary, toVersion } from './releases.repository.ts';
import type { SharedType, StoredFile } from './shared-item.ts';

export interface FlashRow {
  readonly result: 'success' | 'failure';
  /** Empty for one that was not reported. */
  readonly chip: string;
  readonly errorCode: string;
}

/** Kinds of flashes that a version counts apart; anything beyond is counted under its result alone. */
const MOST_KINDS = 200;

export type SharedRepository = ReturnType<typeof sharedRepository>;

export function sharedRepository(queries: Queries) {
  // Asked at every public read, so they are built once for each number of ids, and the ids put in afterwards.
  const compiled = new Map<string, CompiledQuery<RevisionRow>>();
  const revisionQuery = (type: SharedType, ids: readonly string[]): CompiledQuery<RevisionRow> => {
    const name = `${type} ${ids.length}`;
    const query =
      compiled.get(name) ??
      revisionsOf(
        queries,
        type,
        ids.map((_, index) => String(index)),
      ).compile();
    compiled.set(name, query);
    const parameters = query.parameters.map((value) => (typeof value === 'string' ? ids[Number(value)] : value));
    return { ...query, parameters };
  };

  const files = () =>
    queries
      .selectFrom('firmware_files as f')
      .innerJoin('firmware_versions as v', 'v.id', 'f.version_id')
      .innerJoin('firmware_projects as p', 'p.id', 'v.project_id')
      .innerJoin('firmware_blobs as b', 'b.sha256', 'f.sha256')
      .select(['f.file_name as fileName', 'f.size', 'f.sha256', 'b.blob_key as key']);

  return {
    /** Which state of its project is public under each share id; those are left out under which nothing is. */
    async revisions(type: SharedType, shareIds: readonly string[]): Promise<ReadonlyMap<string, PublicState>> {
      const { rows } = await queries.executeQuery(revisionQuery(type, padded(shareIds)));
      return new Map(rows.map(({ shareId, revision, endsAt }) => [shareId, { revision, endsAt }]));
    },

    /** Why nothing is public under a share id. `now`: ISO 8601, UTC; so it is below. */
    absence: (type: SharedType, shareId: string, now: string): Promise<LinkAbsence | null> =>
      linkAbsence(queries, type, shareId, now),

    /** With its public versions. */
    async project(shareId: string) {
      const row = await publicProjects(queries).selectAll('p').where('p.share_id', '=', shareId).executeTakeFirst();
      return row === undefined
        ? null
        : toProject(row, await readVersions(queries, { projectId: row.id, publicOnly: true }));
    },

    async version(shareId: string): Promise<{ project: ProjectSummary; version: Version } | null> {
      const row = await publicVersions(queries)
        .selectAll('p')
        .select('v.id as version_id')
        .where('v.share_id', '=', shareId)
        .executeTakeFirst();
      if (row === undefined) {
        return null;
      }
      const { version_id: versionId, ...project } = row;
      const [version] = await readVersions(queries, { versionId });
      return version === undefined
        ? null
        : { project: toSummary(project satisfies ProjectRow), version: toVersion(version) };
    },

    /** A file of a public version. */
    async file(type: SharedType, shareId: string, fileId: string, now: string): Promise<StoredFile | null> {
      const [id, end] =
        type === 'project'
          ? (['p.share_id', 'p.share_ends_at'] as const)
          : (['v.share_id', 'v.share_ends_at'] as const);
      const file = await files()
        .where('f.id', '=', fileId)
        .where(id, '=', shareId)
        .where((eb) => eb.or([eb(end, 'is', null), eb(end, '>', now)]))
        .where('p.is_public', '=', 1)
        .where('v.is_public', '=', 1)
        .executeTakeFirst();
      return file ?? null;
    },

    /** A file of the owner's, public or not. */
    async ownFile(versionId: string, fileId: string, subject: string): Promise<StoredFile | null> {
      const file = await files()
        .where('f.id', '=', fileId)
        .where('v.id', '=', versionId)
        .where('p.subject', '=', subject)
        .where('p.is_demo', '=', 0)
        .executeTakeFirst();
      return file ?? null;
    },

    /** Counts one flash of a public version; false when there is none. */
    countFlash: (shareId: string, flash: FlashRow): Promise<boolean> =>
      inTransaction(queries, async (transaction) => {
        const version = await publicVersions(transaction)
          .select(['v.id', 'p.id as projectId'])
          .where('v.share_id', '=', shareId)
          .executeTakeFirst();
        if (version === undefined) {
          return false;
        }
        // First, because it makes reports of one project wait for each other, and so for their counting of kinds.
        await transaction
          .updateTable('firmware_projects')
          .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
          .where('id', '=', version.projectId)
          .execute();
        const kind = await kindOf(transaction, version.id, flash);
        await transaction
          .insertInto('firmware_flashes')
          .values({ version_id: version.id, ...kind, count: 1 })
          .onConflict((conflict) =>
            conflict
              .columns(['version_id', 'result', 'chip', 'error_code'])
              .doUpdateSet(({ eb }) => ({ count: eb('firmware_flashes.count', '+', 1) })),
          )
          .execute();
        return true;
      }),

    /** Most frequent first; null when `subject` owns no such version. */
    async flashes(versionId: string, subject: string) {
      const version = await queries
        .selectFrom('firmware_versions as v')
        .innerJoin('firmware_projects as p', 'p.id', 'v.project_id')
        .select('v.id')
        .where('v.id', '=', versionId)
        .where('p.subject', '=', subject)
        .where('p.is_demo', '=', 0)
        .executeTakeFirst();
      return version === undefined
        ? null
        : queries
            .selectFrom('firmware_flashes')
            .select(['result', 'chip', 'error_code as errorCode', 'count'])
            .where('version_id', '=', versionId)
            .orderBy('count', 'desc')
            .orderBy('result')
            .orderBy('chip')
            .orderBy('error_code')
            .execute();
    },
  };
}

/** Which state of its project is public, and until when: ISO 8601, UTC; null without an end. */
interface PublicState {
  readonly revision: number;
  readonly endsAt: string | null;
}

interface RevisionRow extends PublicState {
  readonly shareId: string;
}

/** Share ids that are asked for at once. */
export const MOST_REVISIONS = 256;

function revisionsOf(queries: Queries, type: SharedType, ids: readonly string[]) {
  return type === 'project'
    ? publicProjects(queries)
        .select(['p.share_id as shareId', 'p.revision', 'p.share_ends_at as endsAt'])
        .where('p.share_id', 'in', ids)
    : publicVersions(queries)
        .select(['v.share_id as shareId', 'p.revision', 'v.share_ends_at as endsAt'])
        .where('v.share_id', 'in', ids);
}

/** Up to the next power of two, the last id repeated, so that there are few different statements. */
function padded(ids: readonly string[]): readonly string[] {
  const length = 2 ** Math.ceil(Math.log2(ids.length));
  return Array.from({ length }, (_, index) => ids[Math.min(index, ids.length - 1)] ?? '');
}

function publicProjects(queries: Queries) {
  return queries.selectFrom('firmware_projects as p').where('p.is_public', '=', 1);
}

/** A version is visible only while its project is too. */
function publicVersions(queries: Queries) {
  return queries
    .selectFrom('firmware_versions as v')
    .innerJoin('firmware_projects as p', 'p.id', 'v.project_id')
    .where('v.is_public', '=', 1)
    .where('p.is_public', '=', 1);
}

/** Whoever reports chooses the words, so there is an end to how many different ones are kept. */
async function kindOf(transaction: Queries, versionId: string, { result, chip, errorCode }: FlashRow) {
  const kind = { result, chip, error_code: errorCode };
  const kinds = await transaction
    .selectFrom('firmware_flashes')
    .select(['result', 'chip', 'error_code'])
    .where('version_id', '=', versionId)
    .execute();
  const isKnown = kinds.some(
    (known) => known.result === result && known.chip === chip && known.error_code === errorCode,
  );
  return isKnown || kinds.length < MOST_KINDS ? kind : { result, chip: '', error_code: '' };
}
