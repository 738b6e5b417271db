/**
 * The ledger of the file store: which bytes it has to keep, for which versions and pictures, and which may be removed. The store
 * has no transactions, so the order of steps replaces them. Bytes are claimed here before they are stored. A version
 * takes over the claim in the transaction that writes it. Bytes leave the store only after the transaction that
 * removes their last use.
 */
import type { ExpressionBuilder } from 'kysely';
import { newBlobKey } from '../../storage/blobs/blob-store.ts';
import type { Queries } from '../../storage/database/database.ts';
import { holdLock } from '../../storage/database/dialect.ts';
import type { Tables } from '../../storage/database/tables.ts';
import { inTransaction } from '../../storage/database/transaction.ts';

export interface FileBytes {
  /** Lower-case hex. */
  readonly sha256: string;
  readonly size: number;
}

/** Bytes that versions use, and their key in the store. */
export interface KeptBytes extends FileBytes {
  readonly key: string;
}

export type BytesRepository = ReturnType<typeof bytesRepository>;

export function bytesRepository(queries: Queries) {
  return {
    /** Claims the bytes of `files` for an upload. Returns the key in the store for each hash. */
    claim: (uploadId: string, files: readonly FileBytes[], claimedAt: string): Promise<ReadonlyMap<string, string>> =>
      inTransaction(queries, async (transaction) => {
        const keys = new Map<string, string>();
        for (const { sha256, size } of inOrder(files, (file) => file.sha256)) {
          await lockBytes(transaction, sha256);
          await transaction
            .insertInto('firmware_blobs')
            .values({ sha256, blob_key: newBlobKey(sha256), size })
            .onConflict((conflict) => conflict.column('sha256').doNothing())
            .execute();
          const { blob_key: key } = await transaction
            .selectFrom('firmware_blobs')
            .select('blob_key')
            .where('sha256', '=', sha256)
            .executeTakeFirstOrThrow();
          await transaction
            .insertInto('firmware_claims')
            .values({ upload_id: uploadId, sha256, claimed_at: claimedAt })
            .execute();
          keys.set(sha256, key);
        }
        return keys;
      }),

    abandon: (uploadId: string): Promise<void> =>
      inTransaction(queries, async (transaction) => {
        const claims = await transaction
          .deleteFrom('firmware_claims')
          .where('upload_id', '=', uploadId)
          .returning('sha256')
          .execute();
        await releaseBytes(
          transaction,
          claims.map(({ sha256 }) => sha256),
        );
      }),

    /** Returns uploads whose claims are older than `before` (ISO 8601, UTC). */
    async abandoned(before: string): Promise<string[]> {
      const claims = await queries
        .selectFrom('firmware_claims')
        .select('upload_id')
        .distinct()
        .where('claimed_at', '<', before)
        .execute();
      return claims.map(({ upload_id }) => upload_id);
    },

    /**
     * Returns up to `most` keys after `after`, in order, that the store may still have and that are never needed
     * again.
     */
    async garbage(after: string, most: number): Promise<string[]> {
      const rows = await queries
        .selectFrom('firmware_garbage')
        .select('blob_key')
        .where('blob_key', '>', after)
        .orderBy('blob_key')
        .limit(most)
        .execute();
      return rows.map(({ blob_key }) => blob_key);
    },

    /**
     * Releases bytes that nothing needs and no transaction has released. Servers that know no pictures leave those of a
     * deleted project behind.
     */
    releaseUnused: (): Promise<void> =>
      inTransaction(queries, async (transaction) => {
        const rows = await transaction
          .selectFrom('firmware_blobs as b')
          .select('b.sha256')
          .where(({ not, exists, selectFrom }) =>
            not(exists(selectFrom('firmware_claims as c').select('c.sha256').whereRef('c.sha256', '=', 'b.sha256'))),
          )
          .where(({ eb, not }) => not(isUsed(eb)))
          .execute();
        await releaseBytes(
          transaction,
          rows.map(({ sha256 }) => sha256),
        );
      }),

    /** Removes a key from the garbage. Call it when the store has no bytes under `key`. */
    async forget(key: string): Promise<void> {
      await queries.deleteFrom('firmware_garbage').where('blob_key', '=', key).execute();
    },

    /** Returns up to `most` of the bytes that versions use, after the hash `after`, ordered by hash. */
    kept: (after: string, most: number): Promise<KeptBytes[]> =>
      keptBytes(queries).where('b.sha256', '>', after).orderBy('b.sha256').limit(most).execute(),

    /** Returns true if a version still uses the bytes under `key`. */
    async isKept(key: string): Promise<boolean> {
      return (await keptBytes(queries).where('b.blob_key', '=', key).executeTakeFirst()) !== undefined;
    },

    /** Returns the keys that the ledger contains, as needed or as garbage. */
    async known(keys: readonly string[]): Promise<ReadonlySet<string>> {
      const [needed, garbage] = await Promise.all([
        // Searched by hash, which begins every key and is indexed.
        queries
          .selectFrom('firmware_blobs')
          .select('blob_key')
          .where(
            'sha256',
            'in',
            keys.map((key) => key.split('.', 1)[0] ?? ''),
          )
          .execute(),
        queries.selectFrom('firmware_garbage').select('blob_key').where('blob_key', 'in', keys).execute(),
      ]);
      const known = new Set([...needed, ...garbage].map(({ blob_key }) => blob_key));
      return new Set(keys.filter((key) => known.has(key)));
    },

    /** Returns the files that consist of the bytes under `key`. */
    filesOf: (key: string) =>
      queries
        .selectFrom('firmware_files as f')
        .innerJoin('firmware_blobs as b', 'b.sha256', 'f.sha256')
        .innerJoin('firmware_versions as v', 'v.id', 'f.version_id')
        .innerJoin('firmware_projects as p', 'p.id', 'v.project_id')
        .select(['p.name as project', 'v.version', 'f.file_name as fileName'])
        .where('b.blob_key', '=', key)
        .unionAll(
          queries
            .selectFrom('firmware_elfs as f')
            .innerJoin('firmware_blobs as b', 'b.sha256', 'f.sha256')
            .innerJoin('firmware_versions as v', 'v.id', 'f.version_id')
            .innerJoin('firmware_projects as p', 'p.id', 'v.project_id')
            .select(['p.name as project', 'v.version', 'f.file_name as fileName'])
            .where('b.blob_key', '=', key),
        )
        .unionAll(
          queries
            .selectFrom('firmware_pictures as f')
            .innerJoin('firmware_blobs as b', 'b.sha256', 'f.sha256')
            .innerJoin('firmware_projects as p', 'p.id', 'f.project_id')
            .select(({ val }) => ['p.name as project', val('picture').as('version'), 'f.theme as fileName'])
            .where('b.blob_key', '=', key),
        )
        .orderBy('project')
        .orderBy('version')
        .execute(),
  };
}

function keptBytes(queries: Queries) {
  return queries
    .selectFrom('firmware_blobs as b')
    .select(['b.sha256', 'b.size', 'b.blob_key as key'])
    .where(({ eb }) => isUsed(eb));
}

/** True for bytes of a file, an ELF file or a picture. */
function isUsed({ or, exists, selectFrom }: ExpressionBuilder<Tables & { b: Tables['firmware_blobs'] }, 'b'>) {
  return or([
    exists(selectFrom('firmware_files as f').select('f.id').whereRef('f.sha256', '=', 'b.sha256')),
    exists(selectFrom('firmware_elfs as e').select('e.version_id').whereRef('e.sha256', '=', 'b.sha256')),
    exists(selectFrom('firmware_pictures as i').select('i.theme').whereRef('i.sha256', '=', 'b.sha256')),
  ]);
}

/**
 * Ends an upload's claims, in the transaction that writes its version. Returns false if the claims are gone because
 * the upload took too long and was swept. Its bytes may be removed then.
 */
export async function settleClaims(
  transaction: Queries,
  uploadId: string,
  hashes: readonly string[],
): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('firmware_claims')
    .where('upload_id', '=', uploadId)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows) === new Set(hashes).size;
}

/**
 * Releases bytes that no file, ELF file, picture or upload needs any more, in the transaction that removed their last
 * use.
 */
export async function releaseBytes(transaction: Queries, hashes: readonly string[]): Promise<void> {
  for (const sha256 of inOrder(hashes, (hash) => hash)) {
    await lockBytes(transaction, sha256);
    const removed = await transaction
      .deleteFrom('firmware_blobs')
      .where('sha256', '=', sha256)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('firmware_files').select('id').where('firmware_files.sha256', '=', sha256))),
      )
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('firmware_elfs').select('version_id').where('firmware_elfs.sha256', '=', sha256))),
      )
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('firmware_pictures').select('theme').where('firmware_pictures.sha256', '=', sha256))),
      )
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('firmware_claims').select('upload_id').where('firmware_claims.sha256', '=', sha256))),
      )
      .returning('blob_key')
      .executeTakeFirst();
    if (removed !== undefined) {
      await transaction.insertInto('firmware_garbage').values(removed).execute();
    }
  }
}

/** Returns the items without duplicates in a fixed order, so that two transactions never deadlock. */
function inOrder<Item>(items: readonly Item[], hashOf: (item: Item) => string): Item[] {
  const unique = new Map(items.map((item) => [hashOf(item), item]));
  return [...unique].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item);
}

function lockBytes(transaction: Queries, sha256: string): Promise<void> {
  return holdLock(transaction, `firmware bytes ${sha256}`);
}
