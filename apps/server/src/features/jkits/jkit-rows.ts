/** Conversion of a table row to a jkit as the API shows it. */
import { type Jkit, jkitTypes } from '@wirebench/contract';
import { withheldOf } from '../../access/withheld.ts';
import type { JkitRow } from '../../storage/database/jkit-tables.ts';
import { isKnown } from '../../storage/known-values.ts';

/** A jkit with the fields that only the server uses. */
export interface StoredJkit {
  readonly jkit: Jkit;
  /** Key of the jkit in other tables. */
  readonly number: number;
  /** The owner's `sub`; null for jkits that come with the product. */
  readonly owner: string | null;
  readonly isWithheld: boolean;
}

export function toStored(row: JkitRow): StoredJkit {
  return { jkit: toJkit(row), number: row.number, owner: row.owner, isWithheld: row.withheld !== null };
}

/** Returns true for a jkit whose type this server knows. */
export const isKnownJkit = ({ type }: JkitRow): boolean => isKnown(jkitTypes, type);

export function toJkit(row: JkitRow): Jkit {
  return {
    _id: row.id,
    name: row.name,
    // See `isKnownJkit`.
    type: row.type as Jkit['type'],
    content: row.content,
    description: row.description,
    shared: row.shared === 1,
    tags: JSON.parse(row.tags) as string[],
    version: row.version,
    publisher: row.publisher,
    ...withheldOf(row),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    rating: row.rating_count === 0 ? 0 : row.rating_total / row.rating_count,
    ratingCount: row.rating_count,
  };
}
