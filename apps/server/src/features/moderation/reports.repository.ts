/** Queries of reports. No other file accesses their table. Reports are kept until an operator has handled them. */
import { randomUUIDv7 } from 'node:crypto';
import {
  type ModeratedItem,
  type ReportEntry,
  type ReportedType,
  type ReportReason,
  reportedTypes,
  reportReasons,
} from '@wirebench/contract';
import type { Queries } from '../../storage/database/database.ts';
import { inTransaction } from '../../storage/database/transaction.ts';
import { isKnown } from '../../storage/known-values.ts';
import { findItems } from './items.repository.ts';

const knownReasons = Object.keys(reportReasons) as ReportReason[];

export interface NewReportRow {
  readonly type: ReportedType;
  readonly itemId: string;
  readonly itemName: string;
  readonly reason: ReportReason;
  readonly note: string;
  readonly at: string;
}

export type ReportRepository = ReturnType<typeof reportRepository>;

export function reportRepository(queries: Queries) {
  return {
    /** Stores a report, unless the item already has `most` open ones. */
    insert: (row: NewReportRow, most: number): Promise<void> =>
      inTransaction(
        queries,
        async (transaction) => {
          const { total } = await transaction
            .selectFrom('reports')
            .select(({ fn }) => fn.countAll().as('total'))
            .where('item_type', '=', row.type)
            .where('item_id', '=', row.itemId)
            .executeTakeFirstOrThrow();
          if (Number(total) >= most) {
            return;
          }
          await transaction
            .insertInto('reports')
            .values({
              id: randomUUIDv7(),
              item_type: row.type,
              item_id: row.itemId,
              item_name: row.itemName,
              reason: row.reason,
              note: row.note,
              created_at: row.at,
            })
            .execute();
        },
        { lock: `reports of ${row.itemId}` },
      ),

    /** Newest first. */
    async page(limit: number, skip: number): Promise<ReportEntry[]> {
      const read = await queries
        .selectFrom('reports')
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(skip)
        .execute();
      // A page may be shorter than asked for while a newer server stores reports.
      const rows = read.filter((row) => isKnown(reportedTypes, row.item_type) && isKnown(knownReasons, row.reason));
      // One query per item type, whatever the number of reports.
      const items = new Map<string, ModeratedItem>();
      for (const [type, reports] of Map.groupBy(rows, ({ item_type }) => item_type)) {
        for (const { item } of await findItems(queries, type, [...new Set(reports.map(({ item_id }) => item_id))])) {
          items.set(item._id, item);
        }
      }
      return rows.map((row) => ({
        _id: row.id,
        type: row.item_type,
        itemId: row.item_id,
        reason: row.reason,
        note: row.note,
        createdAt: row.created_at,
        name: row.item_name,
        item: items.get(row.item_id) ?? null,
      }));
    },

    async count(): Promise<number> {
      const { total } = await queries
        .selectFrom('reports')
        .select(({ fn }) => fn.countAll().as('total'))
        .executeTakeFirstOrThrow();
      return Number(total);
    },
  };
}

/** Deletes all reports of an item. Returns the item's name in them; null if there were none. */
export async function removeReports(
  transaction: Queries,
  { type, id }: { readonly type: ReportedType; readonly id: string },
): Promise<string | null> {
  const removed = await transaction
    .deleteFrom('reports')
    .where('item_type', '=', type)
    .where('item_id', '=', id)
    .returning('item_name')
    .execute();
  return removed[0]?.item_name ?? null;
}
