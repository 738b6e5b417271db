/**
 * Queries of flash counts of versions. They do not change the project's revision, because a flash does not change the
 * release.
 */
import type { Queries } from '../../storage/database/database.ts';
import { ConflictError, ConstraintError } from '../../storage/database/database-failure.ts';
import { isOneOf } from '../../storage/database/dialect.ts';
import { inTransaction } from '../../storage/database/transaction.ts';

export interface FlashKind {
  readonly result: 'success' | 'failure';
  /** Empty if not reported. */
  readonly chip: string;
  readonly errorCode: string;
}

export interface FlashCount extends FlashKind {
  readonly versionId: string;
  /** Build of the version that was flashed; null if none was reported. */
  readonly buildId: string | null;
  readonly count: number;
}

/** Number of flashes of a build with the same result. */
interface BuildFlashes {
  readonly buildId: string;
  readonly result: FlashKind['result'];
  readonly count: number;
}

/** Maximum number of kinds counted separately for a version. Further kinds are counted by their result only. */
export const MAX_KINDS = 200;

export type FlashCountRepository = ReturnType<typeof flashCountRepository>;

export function flashCountRepository(queries: Queries) {
  return {
    /** Adds all counts or none. Counts of deleted versions are dropped. */
    add: (counts: readonly FlashCount[]): Promise<void> =>
      inTransaction(
        queries,
        async (transaction) => {
          const rows = await rowsFor(transaction, counts);
          if (rows.length > 0) {
            await insert(transaction, rows);
          }
          const ofBuilds = await buildRowsFor(transaction, counts);
          if (ofBuilds.length > 0) {
            await insertForBuilds(transaction, ofBuilds);
          }
        },
        // Prevents two processes from exceeding the limit of a version together.
        { lock: 'firmware flash counts' },
      ),

    /** Returns the numbers of successful flashes of versions and builds, by their ids. Those without one are left out. */
    async successes(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
      const rows = await queries
        .selectFrom('firmware_flashes')
        .select(({ fn }) => ['version_id as id', fn.sum('count').as('successes')])
        .where(({ ref }) => isOneOf(queries, ref('version_id'), ids))
        .where('result', '=', 'success')
        .groupBy('version_id')
        .unionAll(
          queries
            .selectFrom('firmware_build_flashes')
            .select(({ fn }) => ['build_id as id', fn.sum('count').as('successes')])
            .where(({ ref }) => isOneOf(queries, ref('build_id'), ids))
            .where('result', '=', 'success')
            .groupBy('build_id'),
        )
        .execute();
      return new Map(rows.map(({ id, successes }) => [id, Number(successes)]));
    },

    /** Returns the flashes of each build of a version, in the order of the builds; empty for one without builds. */
    async ofBuilds(versionId: string): Promise<{ buildId: string; successes: number; failures: number }[]> {
      const rows = await queries
        .selectFrom('firmware_builds as b')
        .leftJoin('firmware_build_flashes as f', 'f.build_id', 'b.id')
        .select(['b.id', 'f.result', 'f.count'])
        .where('b.version_id', '=', versionId)
        .orderBy('b.position')
        .execute();
      const counts = new Map(rows.map(({ id }) => [id, { buildId: id, successes: 0, failures: 0 }]));
      for (const { id, result, count } of rows) {
        const ofBuild = counts.get(id);
        if (ofBuild !== undefined && count !== null) {
          ofBuild[result === 'success' ? 'successes' : 'failures'] += count;
        }
      }
      return [...counts.values()];
    },

    /** Returns the counts, highest first; null if `subject` owns no such version. */
    async ofVersion(versionId: string, subject: string) {
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
            .where('result', 'in', ['success', 'failure'])
            .orderBy('count', 'desc')
            .orderBy('result')
            .orderBy('chip')
            .orderBy('error_code')
            .execute();
    },
  };
}

/** Returns the rows to add. Clients choose the texts of a kind, so the number of distinct kinds is limited. */
async function rowsFor(transaction: Queries, counts: readonly FlashCount[]): Promise<readonly FlashCount[]> {
  const ids = [...new Set(counts.map(({ versionId }) => versionId))];
  const versions = await transaction
    .selectFrom('firmware_versions')
    .select('id')
    .where(({ ref }) => isOneOf(transaction, ref('id'), ids))
    .execute();
  const stored = await transaction
    .selectFrom('firmware_flashes')
    .select(['version_id', 'result', 'chip', 'error_code as errorCode'])
    .where(({ ref }) => isOneOf(transaction, ref('version_id'), ids))
    .execute();
  const kinds = new Map(versions.map(({ id }) => [id, new Set<string>()]));
  for (const { version_id, ...kind } of stored) {
    kinds.get(version_id)?.add(kindKey(kind));
  }
  const rows = new Map<string, FlashCount>();
  for (const flashes of counts) {
    const ofVersion = kinds.get(flashes.versionId);
    if (ofVersion !== undefined) {
      const counted = countedAs(flashes, ofVersion);
      const key = `${counted.versionId} ${kindKey(counted)}`;
      rows.set(key, { ...counted, count: counted.count + (rows.get(key)?.count ?? 0) });
    }
  }
  return [...rows.values()];
}

/** Returns the counts of builds to add. Builds of deleted versions are left out. */
async function buildRowsFor(transaction: Queries, counts: readonly FlashCount[]): Promise<readonly BuildFlashes[]> {
  const ids = [...new Set(counts.flatMap(({ buildId }) => buildId ?? []))];
  if (ids.length === 0) {
    return [];
  }
  const builds = await transaction
    .selectFrom('firmware_builds')
    .select(['id', 'version_id'])
    .where(({ ref }) => isOneOf(transaction, ref('id'), ids))
    .execute();
  const versions = new Map(builds.map(({ id, version_id }) => [id, version_id]));
  const rows = new Map<string, BuildFlashes>();
  for (const { buildId, versionId, result, count } of counts) {
    if (buildId !== null && versions.get(buildId) === versionId) {
      const key = `${buildId} ${result}`;
      rows.set(key, { buildId, result, count: count + (rows.get(key)?.count ?? 0) });
    }
  }
  return [...rows.values()];
}

/** Returns `kind` if it is known or there is room for it, and adds it to `known`. Otherwise returns its result only. */
export function countedAs<Kind extends FlashKind>(kind: Kind, known: Set<string>): Kind {
  const key = kindKey(kind);
  if (known.has(key) || known.size < MAX_KINDS) {
    known.add(key);
    return kind;
  }
  return { ...kind, chip: '', errorCode: '' };
}

/** Returns a unique key. Chips and codes contain no line breaks. */
export function kindKey({ result, chip, errorCode }: FlashKind): string {
  return `${result}\n${chip}\n${errorCode}`;
}

async function insertForBuilds(transaction: Queries, rows: readonly BuildFlashes[]): Promise<void> {
  await unlessDeleted(
    transaction
      .insertInto('firmware_build_flashes')
      .values(rows.map(({ buildId, result, count }) => ({ build_id: buildId, result, count })))
      .onConflict((conflict) =>
        conflict
          .columns(['build_id', 'result'])
          .doUpdateSet(({ eb, ref }) => ({ count: eb('firmware_build_flashes.count', '+', ref('excluded.count')) })),
      )
      .execute(),
  );
}

/** @throws ConflictError if the version was deleted in the meantime. The retry finds it gone. */
async function unlessDeleted(insertion: Promise<unknown>): Promise<void> {
  try {
    await insertion;
  } catch (error) {
    throw error instanceof ConstraintError ? new ConflictError({ cause: error }) : error;
  }
}

async function insert(transaction: Queries, rows: readonly FlashCount[]): Promise<void> {
  await unlessDeleted(
    transaction
      .insertInto('firmware_flashes')
      .values(
        rows.map(({ versionId, result, chip, errorCode, count }) => ({
          version_id: versionId,
          result,
          chip,
          error_code: errorCode,
          count,
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['version_id', 'result', 'chip', 'error_code'])
          .doUpdateSet(({ eb, ref }) => ({ count: eb('firmware_flashes.count', '+', ref('excluded.count')) })),
      )
      .execute(),
  );
}
