/** Queries of jkits themselves; what people think of them and how they are found are beside this file. */
import { randomUUIDv7 } from 'node:crypto';
import type { Jkit, JkitChange, NewJkit } from '@wirebench/contract';
import type { Updateable } from 'kysely';
import type { Queries } from '../../storage/database/database.ts';
import type { JkitTable } from '../../storage/database/jkit-tables.ts';
import { inTransaction } from '../../storage/database/transaction.ts';
import { publicNameOf } from '../accounts/public-name.repository.ts';
import { requireSharing } from '../accounts/sharing-block.repository.ts';
import { requireShown } from '../withheld.ts';
import { type JkitOrder, orderOf } from './jkit-order.repository.ts';
import { type StoredJkit, toJkit, toStored } from './jkit-rows.ts';
import { fold } from './search-text.ts';
import { forgetWords, keepWords } from './search-words.repository.ts';

/** Who saves, and when: ISO 8601, UTC. */
export interface Saving {
  readonly owner: string;
  /** The owner's public name. */
  readonly publisher: string;
  readonly at: string;
}

export interface JkitPage {
  /** Undefined lets every type through. */
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
      return row === undefined ? null : toStored(row);
    },

    async page(owner: string, { type, sort, skip, limit }: JkitPage): Promise<Jkit[]> {
      const rows = await ofOwner(owner, type)
        .selectAll()
        .orderBy(orderOf(sort))
        .orderBy('number', 'desc')
        .limit(limit)
        .offset(skip)
        .execute();
      return rows.map(toJkit);
    },

    async count(owner: string, type: string | undefined): Promise<number> {
      const { total } = await ofOwner(owner, type)
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return total;
    },

    /** Null when `owner` has `limit` jkits of this type already. Two at once cannot both take the last slot. */
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
              // Asked here, since the account may have been renamed after it was received.
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

    /** Null when `owner` has no such jkit (any more), or it is not what the change was based on. */
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

    /** Whether `owner` had such a jkit. */
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

/** Throws when `owner` may not share the jkit. */
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

/** Only what is in the change, so that two that come together do not undo each other. */
function changedColumns({ name, shared, tags, ...same }: JkitChange): Updateable<JkitTable> {
  return {
    ...same,
    ...(name === undefined ? {} : { name, name_key: fold(name) }),
    ...(shared === undefined ? {} : { shared: shared ? 1 : 0 }),
    ...(tags === undefined ? {} : { tags: JSON.stringify(tags) }),
  };
}
