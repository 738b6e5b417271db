/** Sort orders of lists of jkits, as SQL on the table `jkits`. */
import type { jkitSorts } from '@wirebench/contract';
import { type RawBuilder, sql } from 'kysely';

export type JkitOrder = (typeof jkitSorts)[number];

/** The mean of the ratings; 0 without ratings. */
const rating = sql`case when jkits.rating_count = 0 then 0 else jkits.rating_total * 1.0 / jkits.rating_count end`;

const orders = {
  createdAt: sql`jkits.created_at desc`,
  updatedAt: sql`jkits.updated_at desc`,
  rating: sql`${rating} desc`,
  name: sql`jkits.name_key asc`,
} satisfies Record<JkitOrder, RawBuilder<unknown>>;

/** Returns the order: newest and highest first, names from A to Z. */
export function orderOf(sort: JkitOrder): RawBuilder<unknown> {
  return orders[sort];
}
