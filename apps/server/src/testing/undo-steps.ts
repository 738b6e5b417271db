/** Takes a database back to the schema before a step, for tests of what the step does with older data. */
import { type RawBuilder, sql } from 'kysely';
import type { Queries } from '../storage/database/database.ts';
import { migrations, type olderServers } from '../storage/database/migrations/index.ts';

/** The steps that a test goes back before, and all after them. A new step without a line below is a type error. */
type UndoneStep = Exclude<keyof typeof olderServers, `000${string}` | `001${'0' | '1' | '2'}-${string}`>;

/** Statements that undo the newest steps, by the step's name. */
const undoings: Readonly<Record<UndoneStep, readonly RawBuilder<unknown>[]>> = {
  '0013-searches-and-tokens': [
    sql`alter table firmware_projects drop column search_key`,
    sql`alter table publishing_tokens drop column may_replace`,
    sql`drop table schema_steps`,
  ],
  '0014-builds': [
    sql`drop table crash_builds`,
    sql`drop table firmware_build_flashes`,
    sql`drop table firmware_builds`,
    sql`alter table firmware_files drop column build_id`,
    sql`alter table crash_examples drop column build_id`,
  ],
  '0015-channels': [sql`alter table firmware_versions drop column channel`],
  '0016-pulled-files': [sql`drop table firmware_pulled_files`],
  '0017-account-roles': [sql`alter table accounts drop column is_admin`],
  '0018-build-elfs': [
    sql`delete from firmware_elfs where build_id <> ''`,
    sql`create table older_elfs (version_id text primary key references firmware_versions (id) on delete cascade,
      file_name text not null, size integer not null, sha256 text not null references firmware_blobs (sha256))`,
    sql`insert into older_elfs select version_id, file_name, size, sha256 from firmware_elfs`,
    sql`drop table firmware_elfs`,
    sql`alter table older_elfs rename to firmware_elfs`,
    sql`create index firmware_elfs_with_bytes on firmware_elfs (sha256)`,
  ],
  '0019-pictures': [
    sql`drop table firmware_pictures`,
    sql`alter table firmware_projects drop column sentence`,
    sql`alter table firmware_projects drop column picture_text`,
  ],
  // SQLite has no such indexes.
  '0020-shared-decoders': [
    sql`drop index if exists jkit_search_decoders`,
    sql`drop index if exists jkit_search_decoder_trigrams`,
  ],
  '0021-account-names': [
    sql`alter table accounts drop column sign_in_name`,
    sql`alter table accounts drop column email`,
    sql`alter table accounts drop column sign_in_key`,
  ],
};

/**
 * Undoes `step` and all later steps, newest first.
 *
 * @throws Error if a later step has no statements here.
 */
export async function undoSteps(queries: Queries, step: string): Promise<void> {
  const undone = Object.keys(migrations).filter((name) => name >= step);
  const known: Readonly<Record<string, readonly RawBuilder<unknown>[]>> = undoings;
  for (const name of undone.toReversed()) {
    const statements = known[name];
    if (statements === undefined) {
      throw new Error(`testing/undo-steps.ts does not say how to undo ${name}`);
    }
    await sql`delete from schema_steps where name = ${name}`.execute(queries);
    for (const statement of statements) {
      await statement.execute(queries);
    }
    await sql`delete from kysely_migration where name = ${name}`.execute(queries);
  }
}
