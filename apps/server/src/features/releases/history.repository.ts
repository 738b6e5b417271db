/** The history of a project. Entries are only added, in the transaction of the change that they describe. */
import { randomUUIDv7 } from 'node:crypto';
import { type HistoryEntry, historyActions } from '@wirebench/contract';
import type { Actor } from '../../access/actor.ts';
import type { Queries } from '../../storage/database/database.ts';

export interface Change {
  readonly projectId: string;
  readonly action: HistoryEntry['action'];
  /** The version's number, for a change of a version. */
  readonly version: string | null;
  readonly actor: Actor;
  /** ISO 8601, UTC. */
  readonly at: string;
}

export async function addHistory(
  transaction: Queries,
  { projectId, action, version, actor, at }: Change,
): Promise<void> {
  await transaction
    .insertInto('firmware_history')
    .values({
      id: randomUUIDv7(),
      project_id: projectId,
      at,
      action,
      version,
      actor: actor.user.username,
      token_id: actor.token?.id ?? null,
      token_name: actor.token?.name ?? null,
    })
    .execute();
}

/** The last entry that was read. */
export type HistoryPosition = Pick<HistoryEntry, '_id' | 'at'>;

export type HistoryRepository = ReturnType<typeof historyRepository>;

export function historyRepository(queries: Queries) {
  const lines = (projectId: string) =>
    queries
      .selectFrom('firmware_history')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('action', 'in', historyActions)
      .orderBy('at', 'desc')
      .orderBy('id', 'desc');

  return {
    /** Newest first. */
    async page(projectId: string, limit: number, skip: number): Promise<HistoryEntry[]> {
      return (await lines(projectId).limit(limit).offset(skip).execute()).map(toEntry);
    },

    /** Returns at most `limit` entries after `position`, or the newest ones. The list may grow while it is read. */
    async after(projectId: string, position: HistoryPosition | null, limit: number): Promise<HistoryEntry[]> {
      const older =
        position === null
          ? lines(projectId)
          : lines(projectId).where(({ eb, refTuple, tuple }) =>
              eb(refTuple('at', 'id'), '<', tuple(position.at, position._id)),
            );
      return (await older.limit(limit).execute()).map(toEntry);
    },

    async count(projectId: string): Promise<number> {
      const { total } = await queries
        .selectFrom('firmware_history')
        .select(({ fn }) => fn.countAll().as('total'))
        .where('project_id', '=', projectId)
        .where('action', 'in', historyActions)
        .executeTakeFirstOrThrow();
      return Number(total);
    },
  };
}

interface HistoryRow {
  readonly id: string;
  readonly at: string;
  readonly action: HistoryEntry['action'];
  readonly version: string | null;
  readonly actor: string;
  readonly token_id: string | null;
  readonly token_name: string | null;
}

function toEntry({ id, at, action, version, actor, token_id, token_name }: HistoryRow): HistoryEntry {
  const token = token_id === null || token_name === null ? null : { _id: token_id, name: token_name };
  return { _id: id, at, action, version, by: actor, token };
}
