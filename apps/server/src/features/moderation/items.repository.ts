/**
 * Shared items as operators see them: projects, versions and jkits alike. Withholding an item makes it private and
 * stores the reason, so that every reader of public items leaves it out without its own check. The demo release and
 * the product's jkits cannot be moderated. The releases of the probe can be taken down like any other.
 */
import { releasePath } from '@wirebench/boards';
import { type ModeratedItem, pagePaths, publicNameKey, type ReportedType } from '@wirebench/contract';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { withheldOf } from '../../access/withheld.ts';
import type { Queries } from '../../storage/database/database.ts';
import { isOneOf } from '../../storage/database/dialect.ts';
import { fold } from '../jkits/search-text.ts';

/** An item with the fields that only the server uses. */
export interface StoredItem {
  readonly item: ModeratedItem;
  /** The owner's `sub`. */
  readonly subject: string | null;
  readonly isPublic: boolean;
}

export interface ItemSearch {
  /** Part of a name, or a publisher; empty for all items. */
  readonly q: string;
  readonly skip: number;
  readonly limit: number;
}

interface ItemRow {
  readonly id: string;
  readonly name: string;
  readonly publisher: string;
  /** The id in links to the item. */
  readonly handle: string;
  /** Set for a jkit: determines which page opens it. */
  readonly jkitType?: string;
  readonly subject: string | null;
  readonly isPublic: number;
  readonly updatedAt: string;
  readonly withheld: 'taken-down' | 'blocked' | null;
  readonly withheld_reason: string | null;
  readonly accountId: string | null;
  readonly blockedAt: string | null;
}

/** One kind of item. `all` returns items that are public or withheld. */
interface Kind {
  byIds(queries: Queries, ids: readonly string[]): Promise<ItemRow[]>;
  /** @param handle Share id, or the id of a jkit. */
  byHandle(queries: Queries, handle: string): Promise<ItemRow | undefined>;
  all(queries: Queries, search: ItemSearch): Promise<ItemRow[]>;
}

const account = ['a.id as accountId', 'a.blocked_at as blockedAt'] as const;

function projects(queries: Queries) {
  return queries
    .selectFrom('firmware_projects as p')
    .leftJoin('accounts as a', 'a.subject', 'p.subject')
    .select(['p.id', 'p.name', 'p.publisher', 'p.share_id as handle', 'p.subject', 'p.is_public as isPublic'])
    .select(['p.updated_at as updatedAt', 'p.withheld', 'p.withheld_reason'])
    .select(account)
    .where('p.is_demo', '=', 0);
}

function versions(queries: Queries) {
  return queries
    .selectFrom('firmware_versions as v')
    .innerJoin('firmware_projects as p', 'p.id', 'v.project_id')
    .leftJoin('accounts as a', 'a.subject', 'p.subject')
    .select(({ ref }) => sql<string>`${ref('p.name')} || ' ' || ${ref('v.version')}`.as('name'))
    .select(({ ref }) => sql<number>`${ref('v.is_public')} * ${ref('p.is_public')}`.as('isPublic'))
    .select(['v.id', 'p.publisher', 'v.share_id as handle', 'p.subject', 'v.created_at as updatedAt'])
    .select(['v.withheld', 'v.withheld_reason'])
    .select(account)
    .where('p.is_demo', '=', 0);
}

function jkits(queries: Queries) {
  return queries
    .selectFrom('jkits as j')
    .leftJoin('accounts as a', 'a.subject', 'j.owner')
    .select([
      'j.id',
      'j.name',
      'j.publisher',
      'j.id as handle',
      'j.owner as subject',
      'j.shared as isPublic',
      'j.type as jkitType',
    ])
    .select(['j.updated_at as updatedAt', 'j.withheld', 'j.withheld_reason'])
    .select(account)
    .where('j.owner', 'is not', null);
}

const kinds = {
  project: {
    byIds: (queries, ids) =>
      projects(queries)
        .where(({ ref }) => isOneOf(queries, ref('p.id'), ids))
        .execute(),
    byHandle: (queries, handle) => projects(queries).where('p.share_id', '=', handle).executeTakeFirst(),
    all: (queries, { q, skip, limit }) =>
      projects(queries)
        .where(isPublicOrWithheld('p.is_public', 'p.withheld'))
        .where(matches(q, sql.ref('p.search_key'), 'p.publisher'))
        .orderBy('p.updated_at', 'desc')
        .orderBy('p.id', 'desc')
        .limit(limit)
        .offset(skip)
        .execute(),
  },
  version: {
    byIds: (queries, ids) =>
      versions(queries)
        .where(({ ref }) => isOneOf(queries, ref('v.id'), ids))
        .execute(),
    byHandle: (queries, handle) => versions(queries).where('v.share_id', '=', handle).executeTakeFirst(),
    all: (queries, { q, skip, limit }) =>
      versions(queries)
        .where(isPublicOrWithheld('v.is_public', 'v.withheld'))
        .where((eb) => eb.or([eb('p.is_public', '=', 1), eb('v.withheld', 'is not', null)]))
        .where(matches(q, sql`${sql.ref('p.search_key')} || ' ' || ${sql.ref('v.version_key')}`, 'p.publisher'))
        .orderBy('v.created_at', 'desc')
        .orderBy('v.id', 'desc')
        .limit(limit)
        .offset(skip)
        .execute(),
  },
  jkit: {
    byIds: (queries, ids) =>
      jkits(queries)
        .where(({ ref }) => isOneOf(queries, ref('j.id'), ids))
        .execute(),
    byHandle: (queries, handle) => jkits(queries).where('j.id', '=', handle).executeTakeFirst(),
    all: (queries, { q, skip, limit }) =>
      jkits(queries)
        .where(isPublicOrWithheld('j.shared', 'j.withheld'))
        .where(matches(q, sql.ref('j.name_key'), 'j.publisher'))
        // Same order as the numbers, which have no index of their own on SQLite.
        .orderBy('j.created_at', 'desc')
        .orderBy('j.number', 'desc')
        .limit(limit)
        .offset(skip)
        .execute(),
  },
} satisfies Record<ReportedType, Kind>;

type Flag = 'p.is_public' | 'v.is_public' | 'j.shared';
type Withheld = 'p.withheld' | 'v.withheld' | 'j.withheld';

/** Matches the condition of the lists' partial indexes, which cannot contain parameters. */
function isPublicOrWithheld(flag: Flag, withheld: Withheld): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${sql.ref(flag)} = 1 or ${sql.ref(withheld)} is not null)`;
}

/**
 * Matches items by name or publisher. Characters in `q` are literal, not wildcards.
 *
 * @param name Name as stored for searching, folded in the same way as `q` here.
 */
function matches(q: string, name: RawBuilder<unknown>, publisher: 'p.publisher' | 'j.publisher'): RawBuilder<SqlBool> {
  if (q === '') {
    return sql<SqlBool>`1 = 1`;
  }
  const pattern = `%${fold(q).replaceAll(/[\\%_]/g, '\\$&')}%`;
  // Matches the account's public name in any spelling. Without an account it matches the stored publisher.
  return sql<SqlBool>`(${name} like ${pattern} escape '\\' or ${sql.ref(publisher)} = ${q} or ${sql.ref('a.name_key')} = ${publicNameKey(q)})`;
}

/** Returns null if the item was deleted. */
export async function findItem(queries: Queries, type: ReportedType, id: string): Promise<StoredItem | null> {
  return (await findItems(queries, type, [id]))[0] ?? null;
}

/** Returns the existing items among `ids`, in any order. */
export async function findItems(
  queries: Queries,
  type: ReportedType,
  ids: readonly string[],
): Promise<readonly StoredItem[]> {
  return (await kinds[type].byIds(queries, ids)).map((row) => toStored(type, row));
}

/** Returns the item that a link leads to, public or not. */
export async function findLinked(queries: Queries, type: ReportedType, handle: string): Promise<StoredItem | null> {
  const row = await kinds[type].byHandle(queries, handle);
  return row === undefined ? null : toStored(type, row);
}

/** Lists public and withheld items, newest change first. */
export async function listItems(queries: Queries, type: ReportedType, search: ItemSearch): Promise<ModeratedItem[]> {
  return (await kinds[type].all(queries, search)).map((row) => toStored(type, row).item);
}

function toStored(type: ReportedType, row: ItemRow): StoredItem {
  const { id, name, publisher, handle, jkitType, subject, isPublic, updatedAt, accountId, blockedAt } = row;
  const jkitPage = jkitType === 'chip' ? pagePaths.esp32 : pagePaths.uart;
  return {
    item: {
      type,
      _id: id,
      name,
      publisher,
      path: type === 'jkit' ? `${jkitPage}?jkit=${handle}` : releasePath(type, handle),
      account: accountId === null ? null : { _id: accountId, isBlocked: blockedAt !== null },
      updatedAt,
      withheld: withheldOf(row).withheld ?? null,
    },
    subject,
    isPublic: isPublic === 1,
  };
}
