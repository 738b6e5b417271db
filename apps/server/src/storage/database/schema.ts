/** The schema of the database: migrates it, and detects a schema of another version. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import manifest from '../../../package.json' with { type: 'json' };
import { DatabaseUnavailableError, postgresState } from './database-failure.ts';
import { dialectOf, holdLock } from './dialect.ts';
import { migrations, olderServers } from './migrations/index.ts';
import { applicationName } from './postgres-pool.ts';
import type { Tables } from './tables.ts';

/** The type of the same name in `database.ts`. */
type Queries = Kysely<Tables>;

/**
 * The database has steps that this version of the product does not know, lacks some that it needs, or is in use by servers
 * that must not see the steps to come.
 */
export class SchemaVersionError extends Error {
  readonly is: 'newer' | 'older' | 'in-use';

  constructor(is: SchemaVersionError['is'], message: string) {
    super(message);
    this.name = 'SchemaVersionError';
    this.is = is;
  }
}

/** Returns the remedy, for a sentence after the reason. */
export function adviceForSchema({ is }: SchemaVersionError): string {
  switch (is) {
    case 'newer':
      return 'start that version or a newer one; nothing is damaged';
    case 'older':
      return 'start the server of this version once, which brings the database up to date';
    case 'in-use':
      return 'stop all servers of the older version, then start this one; nothing was changed';
  }
}

/** Milliseconds that a step waits for a lock. Requests for the same table queue behind it for as long. */
const LOCK_TIMEOUT = 3_000;

/** Attempts to get all locks. With the pauses between them, they take two minutes. */
const ATTEMPTS = 20;

/** Milliseconds between two attempts, in which the queued requests are answered. */
const PAUSE = 3_000;

export interface MigrateOptions {
  /** Milliseconds that a step waits for a lock. */
  readonly lockTimeout?: number;
  /** Milliseconds between two attempts. */
  readonly pause?: number;
  readonly attempts?: number;
}

/**
 * Migrates the schema in one transaction that excludes other migrations: all steps are kept or none. On PostgreSQL it
 * starts again if another transaction holds a table for too long.
 *
 * @throws SchemaVersionError if a newer version of the product has changed the database, or if servers of an older one use
 *   it that would serve something wrong after a step.
 * @throws DatabaseUnavailableError if the locks are not available.
 */
export async function migrate(
  queries: Queries,
  { lockTimeout = LOCK_TIMEOUT, pause = PAUSE, attempts = ATTEMPTS }: MigrateOptions = {},
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await takeSteps(queries, lockTimeout);
      return;
    } catch (error) {
      if (!isLockTimeout(error) || attempt >= attempts) {
        throw error;
      }
      await sleep(pause);
    }
  }
}

/**
 * Checks that the schema is exactly this version's. Changes nothing.
 *
 * @throws SchemaVersionError otherwise.
 */
export async function requireCurrentSchema(queries: Queries): Promise<void> {
  const taken = await stepsTaken(queries);
  await refuseNewer(queries, taken);
  const missing = Object.keys(migrations).filter((step) => !taken.includes(step));
  if (missing.length > 0) {
    throw new SchemaVersionError('older', `an older version of Wirebench created it: ${missing.join(', ')} is missing`);
  }
}

async function takeSteps(queries: Queries, lockTimeout: number): Promise<void> {
  await queries.transaction().execute(async (transaction) => {
    // Without a timeout: it blocks only other starting processes.
    await holdLock(transaction, 'wirebench migrations');
    if (dialectOf(transaction) === 'postgres') {
      await sql`select set_config('lock_timeout', ${String(lockTimeout)}, true)`.execute(transaction);
    }
    const taken = await stepsTaken(transaction);
    await refuseNewer(transaction, taken);
    await refuseBesideOlder(transaction, taken);
    const provider = { getMigrations: async () => ({ ...migrations }) };
    const { error, results = [] } = await new Migrator({ db: transaction, provider }).migrateToLatest();
    if (error !== undefined) {
      throw error;
    }
    for (const { migrationName } of results) {
      await transaction
        .insertInto('schema_steps')
        .values({ name: migrationName, product_version: manifest.version })
        .execute();
    }
  });
}

/** Returns the names of the database's steps in order; empty for an empty database. */
async function stepsTaken(queries: Queries): Promise<readonly string[]> {
  if (!(await hasTable(queries, 'kysely_migration'))) {
    return [];
  }
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(queries);
  return rows.map(({ name }) => name);
}

async function refuseNewer(queries: Queries, taken: readonly string[]): Promise<void> {
  const unknown = taken.filter((step) => !(step in migrations));
  const [last] = unknown.slice(-1);
  if (last === undefined) {
    return;
  }
  const row = (await hasTable(queries, 'schema_steps'))
    ? await queries.selectFrom('schema_steps').select('product_version').where('name', '=', last).executeTakeFirst()
    : undefined;
  const version =
    row === undefined ? 'a newer version of Wirebench' : `the newer version ${row.product_version} of Wirebench`;
  throw new SchemaVersionError(
    'newer',
    `${version} has changed it (${unknown.join(', ')}), and this is version ${manifest.version}`,
  );
}

/** Only PostgreSQL has several servers, and knows who is connected. */
async function refuseBesideOlder(queries: Queries, taken: readonly string[]): Promise<void> {
  const stopping = Object.entries(olderServers).flatMap(([step, then]) =>
    then === 'stop' && !taken.includes(step) ? [step] : [],
  );
  if (taken.length === 0 || stopping.length === 0 || dialectOf(queries) !== 'postgres') {
    return;
  }
  const { rows } = await sql<{ address: string | null }>`
    select distinct host(client_addr) as address from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name <> ${applicationName}
      and (application_name = 'wirebench' or application_name like 'wirebench %')`.execute(queries);
  if (rows.length > 0) {
    const hosts = rows.map(({ address }) => address ?? 'this machine').join(', ');
    throw new SchemaVersionError(
      'in-use',
      `servers of an older version are connected from ${hosts}, and would serve something wrong after ${stopping.join(', ')}`,
    );
  }
}

async function hasTable(queries: Queries, name: string): Promise<boolean> {
  const { rows } =
    dialectOf(queries) === 'postgres'
      ? await sql`select 1 where to_regclass(${name}) is not null`.execute(queries)
      : await sql`select 1 from sqlite_master where type = 'table' and name = ${name}`.execute(queries);
  return rows.length > 0;
}

/** Returns true for 55P03: the lock was not available in time (PostgreSQL, "Error Codes"). */
function isLockTimeout(error: unknown): boolean {
  return error instanceof DatabaseUnavailableError && postgresState(error.cause) === '55P03';
}
