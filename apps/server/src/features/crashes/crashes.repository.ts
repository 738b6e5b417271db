/**
 * Queries of crashes: one group for each distinct crash with its count, and its newest examples. They do not change
 * the project's revision.
 */
import { type CrashExample, type CrashGroup, crashLimits } from '@wirebench/contract';
import type { Selectable } from 'kysely';
import type { Queries } from '../../storage/database/database.ts';
import { ConflictError, ConstraintError } from '../../storage/database/database-failure.ts';
import { isOneOf } from '../../storage/database/dialect.ts';
import type { Tables } from '../../storage/database/tables.ts';
import { inTransaction } from '../../storage/database/transaction.ts';

export interface NewExample {
  readonly id: string;
  readonly receivedAt: string;
  readonly chip: string;
  readonly chipRevision: number | null;
  readonly build: string | null;
  /** Build of the version, as reported; null if none was. */
  readonly buildId: string | null;
  readonly details: string;
  /** JSON. */
  readonly tasks: string;
  /** Base64. */
  readonly memory: string | null;
  /** Bytes. */
  readonly memorySize: number;
}

/** Occurrences of a crash since the last write. The newest example comes last. */
export interface NewCrash {
  readonly versionId: string;
  readonly fingerprint: string;
  readonly cause: string;
  readonly count: number;
  readonly firstSeenAt: string;
  readonly lastSeenAt: string;
  readonly chips: readonly (readonly [chip: string, count: number])[];
  /** Reports that named a build of the version, which may be unknown. */
  readonly builds: readonly (readonly [buildId: string, count: number])[];
  readonly examples: readonly NewExample[];
}

export interface CrashId {
  readonly versionId: string;
  readonly fingerprint: string;
}

export type CrashRepository = ReturnType<typeof crashRepository>;

export function crashRepository(queries: Queries) {
  return {
    /** Adds all crashes or none. Crashes of deleted versions are dropped. */
    add: (crashes: readonly NewCrash[]): Promise<void> =>
      inTransaction(
        queries,
        async (transaction) => {
          const versions = await versionsThere(transaction, crashes);
          for (const crash of crashes) {
            if (versions.has(crash.versionId)) {
              await addCrash(transaction, crash).catch((error: unknown) => {
                // The version or the crash was deleted in the meantime. The retry finds it gone.
                throw error instanceof ConstraintError ? new ConflictError({ cause: error }) : error;
              });
            }
          }
          for (const versionId of versions) {
            await trimMemories(transaction, versionId);
          }
        },
        // Prevents two processes from exceeding the limit of a version together.
        { lock: 'firmware crashes' },
      ),

    /** Returns true if `subject` owns the version. */
    async isOwner(versionId: string, subject: string): Promise<boolean> {
      const version = await queries
        .selectFrom('firmware_versions as v')
        .innerJoin('firmware_projects as p', 'p.id', 'v.project_id')
        .select('v.id')
        .where('v.id', '=', versionId)
        .where('p.subject', '=', subject)
        .where('p.is_demo', '=', 0)
        .executeTakeFirst();
      return version !== undefined;
    },

    /** Returns true if the version has an owner who can read crashes. The product's own releases have none. */
    async hasReader(versionId: string): Promise<boolean> {
      const version = await queries
        .selectFrom('firmware_versions as v')
        .innerJoin('firmware_projects as p', 'p.id', 'v.project_id')
        .select('p.subject')
        .where('v.id', '=', versionId)
        .where('p.is_demo', '=', 0)
        .executeTakeFirst();
      return version !== undefined && version.subject !== '';
    },

    /** Ordered by the last occurrence, newest first. */
    async page(versionId: string, limit: number, skip: number): Promise<CrashGroup[]> {
      const rows = await queries
        .selectFrom('crash_groups')
        .selectAll()
        .where('version_id', '=', versionId)
        .orderBy('last_seen_at', 'desc')
        .orderBy('fingerprint', 'desc')
        .limit(limit)
        .offset(skip)
        .execute();
      const builds = await buildsOf(
        queries,
        versionId,
        rows.map(({ fingerprint }) => fingerprint),
      );
      return rows.map((row) => toGroup(row, builds.get(row.fingerprint) ?? []));
    },

    async count(versionId: string): Promise<number> {
      const { total } = await queries
        .selectFrom('crash_groups')
        .select(({ fn }) => fn.countAll().as('total'))
        .where('version_id', '=', versionId)
        .executeTakeFirstOrThrow();
      return Number(total);
    },

    async find({ versionId, fingerprint }: CrashId): Promise<CrashGroup | null> {
      const row = await queries
        .selectFrom('crash_groups')
        .selectAll()
        .where('version_id', '=', versionId)
        .where('fingerprint', '=', fingerprint)
        .executeTakeFirst();
      const builds = await buildsOf(queries, versionId, [fingerprint]);
      return row === undefined ? null : toGroup(row, builds.get(fingerprint) ?? []);
    },

    /** Newest first, without their core dumps. */
    async examples({ versionId, fingerprint }: CrashId): Promise<CrashExample[]> {
      const rows = await queries
        .selectFrom('crash_examples')
        .select(['id', 'received_at', 'chip', 'chip_revision', 'build', 'build_id', 'details', 'tasks', 'memory_size'])
        .where('version_id', '=', versionId)
        .where('fingerprint', '=', fingerprint)
        .orderBy('received_at', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return rows.map((row) => ({
        _id: row.id,
        receivedAt: row.received_at,
        chip: row.chip,
        chipRevision: row.chip_revision,
        build: row.build,
        ...(row.build_id === null ? {} : { buildId: row.build_id }),
        details: row.details,
        tasks: JSON.parse(row.tasks),
        memorySize: row.memory_size,
      }));
    },

    /** Returns the core dump of an example in Base64; null if it has none. */
    async memory({ versionId, fingerprint }: CrashId, id: string): Promise<string | null> {
      const row = await queries
        .selectFrom('crash_examples')
        .select('memory')
        .where('version_id', '=', versionId)
        .where('id', '=', id)
        .where('fingerprint', '=', fingerprint)
        .executeTakeFirst();
      return row?.memory ?? null;
    },

    /** Returns false if there is no such crash. */
    async remove({ versionId, fingerprint }: CrashId): Promise<boolean> {
      const { numDeletedRows } = await queries
        .deleteFrom('crash_groups')
        .where('version_id', '=', versionId)
        .where('fingerprint', '=', fingerprint)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows) > 0;
    },

    async removeAll(versionId: string): Promise<void> {
      await queries.deleteFrom('crash_groups').where('version_id', '=', versionId).execute();
    },

    /** Deletes crashes that were last seen before `before` (ISO 8601, UTC). */
    async forget(before: string): Promise<void> {
      await queries.deleteFrom('crash_groups').where('last_seen_at', '<', before).execute();
    },
  };
}

async function versionsThere(transaction: Queries, crashes: readonly NewCrash[]): Promise<ReadonlySet<string>> {
  const ids = [...new Set(crashes.map(({ versionId }) => versionId))];
  const rows = await transaction
    .selectFrom('firmware_versions')
    .select('id')
    .where(({ ref }) => isOneOf(transaction, ref('id'), ids))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

async function addCrash(transaction: Queries, crash: NewCrash): Promise<void> {
  const { versionId, fingerprint } = crash;
  const known = await knownIds(transaction, crash);
  const examples = crash.examples.filter(({ id }) => !known.has(id));
  const count = crash.count - known.size;
  if (count <= 0) {
    return;
  }
  const group = await transaction
    .selectFrom('crash_groups')
    .select(['chips', 'count'])
    .where('version_id', '=', versionId)
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst();
  const chips = JSON.stringify(withChips(group === undefined ? {} : JSON.parse(group.chips), crash.chips));
  if (group === undefined) {
    await makeRoom(transaction, versionId);
    await transaction
      .insertInto('crash_groups')
      .values(groupRow(crash, chips, count))
      .execute();
  } else {
    await transaction
      .updateTable('crash_groups')
      .set(({ eb }) => ({ chips, count: eb('count', '+', count), last_seen_at: crash.lastSeenAt }))
      .where('version_id', '=', versionId)
      .where('fingerprint', '=', fingerprint)
      .execute();
  }
  const builds = await addBuilds(transaction, crash, known);
  if (examples.length > 0) {
    await transaction
      .insertInto('crash_examples')
      .values(examples.map((example) => exampleRow(crash, example, builds)))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await trimExamples(transaction, crash);
  }
}

/**
 * Counts the crash for the builds that it occurred in. Returns the version's builds among those that were reported.
 *
 * @param known Ids of examples that were counted before.
 */
async function addBuilds(
  transaction: Queries,
  { versionId, fingerprint, builds, examples }: NewCrash,
  known: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  if (builds.length === 0) {
    return new Set();
  }
  const rows = await transaction
    .selectFrom('firmware_builds')
    .select('id')
    .where('version_id', '=', versionId)
    .execute();
  const ids = new Set(rows.map(({ id }) => id));
  for (const [buildId, count] of builds) {
    const again = examples.filter((example) => known.has(example.id) && example.buildId === buildId).length;
    if (ids.has(buildId) && count > again) {
      await transaction
        .insertInto('crash_builds')
        .values({ version_id: versionId, fingerprint, build_id: buildId, count: count - again })
        .onConflict((conflict) =>
          conflict
            .columns(['version_id', 'fingerprint', 'build_id'])
            .doUpdateSet(({ eb, ref }) => ({ count: eb('crash_builds.count', '+', ref('excluded.count')) })),
        )
        .execute();
    }
  }
  return ids;
}

type CrashBuilds = NonNullable<CrashGroup['builds']>;

/** Returns the counts of builds by fingerprint, highest first. */
async function buildsOf(
  queries: Queries,
  versionId: string,
  fingerprints: readonly string[],
): Promise<ReadonlyMap<string, CrashBuilds>> {
  const rows = await queries
    .selectFrom('crash_builds')
    .select(['fingerprint', 'build_id as buildId', 'count'])
    .where('version_id', '=', versionId)
    .where(({ ref }) => isOneOf(queries, ref('fingerprint'), fingerprints))
    .execute();
  const builds = new Map<string, CrashBuilds>();
  const sorted = rows.toSorted((one, other) => other.count - one.count || (one.buildId < other.buildId ? -1 : 1));
  for (const { fingerprint, ...build } of sorted) {
    builds.set(fingerprint, [...(builds.get(fingerprint) ?? []), build]);
  }
  return builds;
}

function groupRow({ versionId, fingerprint, cause, firstSeenAt, lastSeenAt }: NewCrash, chips: string, count: number) {
  return {
    version_id: versionId,
    fingerprint,
    cause,
    chips,
    count,
    first_seen_at: firstSeenAt,
    last_seen_at: lastSeenAt,
  };
}

function exampleRow({ versionId, fingerprint }: CrashId, example: NewExample, builds: ReadonlySet<string>) {
  return {
    version_id: versionId,
    id: example.id,
    fingerprint,
    received_at: example.receivedAt,
    chip: example.chip,
    chip_revision: example.chipRevision,
    build: example.build,
    build_id: example.buildId !== null && builds.has(example.buildId) ? example.buildId : null,
    details: example.details,
    tasks: example.tasks,
    memory: example.memory,
    memory_size: example.memorySize,
  };
}

/** Returns the ids of examples that are already stored, because the client repeats a report after a lost answer. */
async function knownIds(transaction: Queries, { versionId, examples }: NewCrash): Promise<ReadonlySet<string>> {
  const ids = examples.map(({ id }) => id);
  const rows = await transaction
    .selectFrom('crash_examples')
    .select('id')
    .where('version_id', '=', versionId)
    .where(({ ref }) => isOneOf(transaction, ref('id'), ids))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/**
 * Adds counts per chip. Senders choose the chip's name, so the number of names is limited; further ones count as
 * `other`.
 */
function withChips(known: Readonly<Record<string, number>>, more: NewCrash['chips']): Record<string, number> {
  const chips = new Map(Object.entries(known));
  for (const [chip, count] of more) {
    const name = chips.has(chip) || chips.size < crashLimits.chips ? chip : 'other';
    chips.set(name, (chips.get(name) ?? 0) + count);
  }
  return Object.fromEntries(chips);
}

/**
 * Makes room for another crash of the version. Rare and old crashes are removed first, so that a flood of invented
 * crashes displaces only itself.
 */
async function makeRoom(transaction: Queries, versionId: string): Promise<void> {
  const groups = await transaction
    .selectFrom('crash_groups')
    .select(['fingerprint', 'count', 'last_seen_at'])
    .where('version_id', '=', versionId)
    .execute();
  const excess = groups
    .toSorted((one, other) => one.count - other.count || (one.last_seen_at < other.last_seen_at ? -1 : 1))
    .slice(0, Math.max(0, groups.length - crashLimits.groups + 1));
  for (const { fingerprint } of excess) {
    await transaction
      .deleteFrom('crash_groups')
      .where('version_id', '=', versionId)
      .where('fingerprint', '=', fingerprint)
      .execute();
  }
}

async function trimExamples(transaction: Queries, { versionId, fingerprint }: CrashId): Promise<void> {
  const rows = await transaction
    .selectFrom('crash_examples')
    .select('id')
    .where('version_id', '=', versionId)
    .where('fingerprint', '=', fingerprint)
    .orderBy('received_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  for (const { id } of rows.slice(crashLimits.examples)) {
    await transaction.deleteFrom('crash_examples').where('version_id', '=', versionId).where('id', '=', id).execute();
  }
}

/** Removes the core dumps of all but the newest examples of a version. */
async function trimMemories(transaction: Queries, versionId: string): Promise<void> {
  const rows = await transaction
    .selectFrom('crash_examples')
    .select(['id', 'received_at'])
    .where('version_id', '=', versionId)
    .where('memory_size', '>', 0)
    .execute();
  const newest = rows.toSorted((one, other) => (one.received_at < other.received_at ? 1 : -1));
  for (const { id } of newest.slice(crashLimits.memories)) {
    await transaction
      .updateTable('crash_examples')
      .set({ memory: null, memory_size: 0 })
      .where('version_id', '=', versionId)
      .where('id', '=', id)
      .execute();
  }
}

function toGroup(row: Selectable<Tables['crash_groups']>, builds: CrashBuilds): CrashGroup {
  const chips = Object.entries(JSON.parse(row.chips) as Record<string, number>);
  return {
    fingerprint: row.fingerprint,
    cause: row.cause,
    count: row.count,
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
    chips: chips.map(([chip, count]) => ({ chip, count })).sort((one, other) => other.count - one.count),
    ...(builds.length === 0 ? {} : { builds }),
  };
}
