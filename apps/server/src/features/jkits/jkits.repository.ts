/** Queries of jkits themselves. Stars, ratings and search are in the files beside this one. */
import { randomUUIDv7 } from 'node:crypto';
import type { Jkit, JkitChange, NewJkit } from '@wirebench/contract';
import type { Updateable } from 'kysely';
import { requireSharing } from '../../access/sharing-block.repository.ts';
import { requireShown } from '../../access/withheld.ts';
import type { Queries } from '../../storage/database/database.ts';
import type { JkitTable } from '../../storage/database/jkit-tables.ts';
import { inTransaction } from '../../storage/database/transaction.ts';
import { publicNameOf } from '../accounts/public-name.repository.ts';
import { type JkitOrder, orderOf } from './jkit-order.repository.ts';
import { isKnownJkit, type StoredJkit, toJkit, toStored } from './jkit-rows.ts';
import { fold } from './search-text.ts';
import { forgetWords, keepWords } from './search-words.repository.ts';

/** The owner, and the time of saving: ISO 8601, UTC. */
export interface Saving {
  readonly owner: string;
  /** The owner's public name. */
  readonly publisher: string;
  readonly at: string;
}

export interface JkitPage {
  /** Undefined selects every type. */
  readonly type: Jkit['type'] | undefined;
  readonly sort: JkitOrder;
  readonly skip: number;
  readonly limit: number;
}

export type JkitRepository = ReturnType<typeof jkitRepository>;

export function jkitRepository(queries: Queries) {
  const ofOwner = (owner: string, type: string | undefined) => {
    const own = queries.selectFrom('jkits').where('owner', '=', owner);
    return type === undefined ? own : own.where('type', '=', type);
  };

  return {
    async find(id: string): Promise<StoredJkit | null> {
      const row = await queries.selectFrom('jkits').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined || !isKnownJkit(row) ? null : toStored(row);
    },

    async page(owner: string, { type, sort, skip, limit }: JkitPage): Promise<Jkit[]> {
      const rows = await ofOwner(owner, type)
        .selectAll()
        .orderBy(orderOf(sort))
        .orderBy('number', 'desc')
        .limit(limit)
        .offset(skip)
        .execute();
      return rows.filter(isKnownJkit).map(toJkit);
    },

    async count(owner: string, type: string | undefined): Promise<number> {
      const { total } = await ofOwner(owner, type)
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return total;
    },

    /**
     * Saves a new jkit. Returns null if `owner` already has `limit` jkits of this type. Two simultaneous calls cannot
     * both take the last slot.
     */
    insert: (jkit: NewJkit, { owner, publisher, at }: Saving, limit: number): Promise<Jkit | null> =>
      inTransaction(
        queries,
        async (transaction) => {
          const { total } = await transaction
            .selectFrom('jkits')
            .select(({ fn }) => fn.countAll<number>().as('total'))
            .where('owner', '=', owner)
            .where('type', '=', jkit.type)
            .executeTakeFirstOrThrow();
          if (total >= limit) {
            return null;
          }
          if (jkit.shared) {
            await requireSharing(transaction, owner);
          }
          const row = await transaction
            .insertInto('jkits')
            .values({
              id: randomUUIDv7(),
              owner,
              // Read in this statement, since the account may have been renamed after the request was authenticated.
              publisher: publicNameOf(owner, publisher),
              name: jkit.name,
              name_key: fold(jkit.name),
              type: jkit.type,
              content: jkit.content,
              description: jkit.description,
              shared: jkit.shared ? 1 : 0,
              tags: JSON.stringify(jkit.tags),
              version: jkit.version,
              created_at: at,
              updated_at: at,
            })
            .returningAll()
            .executeTakeFirstOrThrow();
          await keepWords(transaction, [row]);
          return toJkit(row);
        },
        { lock: `jkits of ${owner}` },
      ),

    /**
     * Changes a jkit. Returns null if `owner` has no such jkit or it differs from the one that the change is based
     * on.
     */
    update: (
      id: string,
      { basedOn, ...change }: JkitChange,
      { owner, at }: Omit<Saving, 'publisher'>,
    ): Promise<Jkit | null> =>
      inTransaction(queries, async (transaction) => {
        if (change.shared === true) {
          await requireShared(transaction, id, owner);
        }
        const own = transaction
          .updateTable('jkits')
          .set({ ...changedColumns(change), updated_at: at })
          .where('id', '=', id)
          .where('owner', '=', owner);
        const unchanged = basedOn === undefined ? own : own.where('updated_at', '=', basedOn);
        const row = await unchanged.returningAll().executeTakeFirst();
        if (row === undefined) {
          return null;
        }
        await keepWords(transaction, [row]);
        return toJkit(row);
      }),

    /** Deletes a jkit. Returns true if `owner` had it. */
    remove: (id: string, owner: string): Promise<boolean> =>
      inTransaction(queries, async (transaction) => {
        const row = await transaction
          .deleteFrom('jkits')
          .where('id', '=', id)
          .where('owner', '=', owner)
          .returning('number')
          .executeTakeFirst();
        if (row === undefined) {
          return false;
        }
        await forgetWords(transaction, [row.number]);
        return true;
      }),
  };
}

/**
 * Checks that `owner` may share the jkit.
 *
 * @throws ApiError if the owner is blocked or the jkit is withheld.
 */
async function requireShared(transaction: Queries, id: string, owner: string): Promise<void> {
  await requireSharing(transaction, owner);
  const own = await transaction
    .selectFrom('jkits')
    .select(['withheld', 'withheld_reason'])
    .where('id', '=', id)
    .where('owner', '=', owner)
    .executeTakeFirst();
  if (own !== undefined) {
    requireShown(own);
  }
}

/** Returns only the changed columns, so that two simultaneous changes do not undo each other. */
function changedColumns({ name, shared, tags, ...same }: JkitChange): Updateable<JkitTable> {
  return {
    ...same,
    ...(name === undefined ? {} : { name, name_key: fold(name) }),
    ...(shared === undefined ? {} : { shared: shared ? 1 : 0 }),
    ...(tags === undefined ? {} : { tags: JSON.stringify(tags) }),
  };
}
