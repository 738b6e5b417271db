/** Queries of public data: public projects and their public versions, found by share id. */
import type { ProjectSummary, Version } from '@wirebench/contract';
import type { Queries } from '../../storage/database/database.ts';
import { isOneOf } from '../../storage/database/dialect.ts';
import { type LinkAbsence, linkAbsence } from './link-absence.repository.ts';
import {
  isKnownProject,
  type ProjectRow,
  readPictures,
  readVersions,
  toProject,
  toSummary,
  toVersion,
} from './releases.repository.ts';
import type { SharedType, StoredFile } from './shared-item.ts';

/** State of the item behind a share id. */
export interface PublicState {
  /** End of the link: ISO 8601, UTC; null without an end. */
  readonly endsAt: string | null;
  /** Id of the project or version. */
  readonly id: string;
  /** Revision of the project. */
  readonly revision: number;
}

export type SharedRepository = ReturnType<typeof sharedRepository>;

export function sharedRepository(queries: Queries) {
  const files = () =>
    queries
      .selectFrom('firmware_files as f')
      .innerJoin('firmware_versions as v', 'v.id', 'f.version_id')
      .innerJoin('firmware_projects as p', 'p.id', 'v.project_id')
      .innerJoin('firmware_blobs as b', 'b.sha256', 'f.sha256')
      .select(['f.file_name as fileName', 'f.size', 'f.sha256', 'b.blob_key as key']);

  return {
    /** Returns the public item of each share id. Share ids without one are left out. */
    async states(type: SharedType, shareIds: readonly string[]): Promise<ReadonlyMap<string, PublicState>> {
      const rows = await statesOf(queries, type, shareIds).execute();
      return new Map(rows.map(({ shareId, ...state }) => [shareId, state]));
    },

    /**
     * Returns the reason why nothing is public under a share id.
     *
     * @param now ISO 8601, UTC.
     */
    absence: (type: SharedType, shareId: string, now: string): Promise<LinkAbsence | null> =>
      linkAbsence(queries, type, shareId, now),

    /** Returns the project with its public versions. */
    async project(shareId: string) {
      const row = await publicProjects(queries).selectAll('p').where('p.share_id', '=', shareId).executeTakeFirst();
      return row === undefined || !isKnownProject(row)
        ? null
        : toProject(
            row,
            await readVersions(queries, { projectId: row.id, publicOnly: true }),
            await readPictures(queries, [row.id]),
            'anybody',
          );
    },

    async version(shareId: string): Promise<{ project: ProjectSummary; version: Version } | null> {
      const row = await publicVersions(queries)
        .selectAll('p')
        .select('v.id as version_id')
        .where('v.share_id', '=', shareId)
        .executeTakeFirst();
      if (row === undefined || !isKnownProject(row)) {
        return null;
      }
      const { version_id: versionId, ...project } = row;
      const [version] = await readVersions(queries, { versionId });
      return version === undefined
        ? null
        : {
            project: toSummary(project satisfies ProjectRow, await readPictures(queries, [project.id])),
            version: toVersion(version, 'anybody'),
          };
    },

    /**
     * Returns a file of a public version.
     *
     * @param now ISO 8601, UTC.
     */
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

    /** Returns a file of the owner, public or not. */
    async ownFile(versionId: string, fileId: string, subject: string): Promise<StoredFile | null> {
      const file = await files()
        .where('f.id', '=', fileId)
        .where('v.id', '=', versionId)
        .where('p.subject', '=', subject)
        .where('p.is_demo', '=', 0)
        .executeTakeFirst();
      return file ?? null;
    },
  };
}

/** Maximum number of share ids per query. */
export const MAX_STATES = 256;

function statesOf(queries: Queries, type: SharedType, shareIds: readonly string[]) {
  return type === 'project'
    ? publicProjects(queries)
        .select(['p.share_id as shareId', 'p.id', 'p.revision', 'p.share_ends_at as endsAt'])
        .where(({ ref }) => isOneOf(queries, ref('p.share_id'), shareIds))
    : publicVersions(queries)
        .select(['v.share_id as shareId', 'v.id', 'p.revision', 'v.share_ends_at as endsAt'])
        .where(({ ref }) => isOneOf(queries, ref('v.share_id'), shareIds));
}

function publicProjects(queries: Queries) {
  return queries.selectFrom('firmware_projects as p').where('p.is_public', '=', 1);
}

/** Selects public versions. A version is visible only while its project is public. */
function publicVersions(queries: Queries) {
  return queries
    .selectFrom('firmware_versions as v')
    .innerJoin('firmware_projects as p', 'p.id', 'v.project_id')
    .where('v.is_public', '=', 1)
    .where('p.is_public', '=', 1);
}
