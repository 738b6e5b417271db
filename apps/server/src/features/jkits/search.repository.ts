/** Finds shared jkits. Their words are written by `search-words.repository.ts`. */
import { type Jkit, jkitTypes } from '@wirebench/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Queries } from '../../storage/database/database.ts';
import { dialectOf } from '../../storage/database/dialect.ts';
import type { JkitRow } from '../../storage/database/jkit-tables.ts';
import { isKnownJkit, toJkit } from './jkit-rows.ts';
import { fold, type MarkedType, markedNamePart, markedTypes, markOf, needlesOf } from './search-text.ts';

export interface JkitSearch {
  readonly query: string;
  /** Undefined selects every type. */
  readonly type: Jkit['type'] | undefined;
  readonly skip: number;
  readonly limit: number;
}

/**
 * Number of jkits that are ranked: this many of the newest matches, and as many whose names match. A search for `at`
 * may match half of all jkits. Matches beyond this number follow unranked, newest first, which keeps the search fast.
 */
const WEIGHED = 50;

/**
 * For each wanted jkit, PostgreSQL scans this many of the newest texts before it uses its index. Frequent words are
 * found faster by the scan. Rare ones are cheap with the index, which always returns all matches.
 */
const LOOKED_THROUGH = 100;

/**
 * The mean of the ratings with five additional ratings of three stars, so that a single rating does not outweigh
 * fifty.
 */
const score = sql`(rating_total + 15.0) / (rating_count + 5)`;

/** The greatest code point. A text that begins with X sorts before X followed by this character. */
const LAST_CHARACTER = '\u{10ffff}';

export type SearchRepository = ReturnType<typeof searchRepository>;

export function searchRepository(queries: Queries) {
  return {
    /** Returns at most `limit` jkits, best match first; none for a query without words. */
    async find({ query, type, skip, limit }: JkitSearch): Promise<Jkit[]> {
      const needles = needlesOf(query);
      if (needles.length === 0) {
        return [];
      }
      const name = fold(query);
      const weighed = sql.lit(WEIGHED);
      const beyond = Math.max(0, skip + limit - WEIGHED);
      const newest = newestWith(queries, { needles, type }, WEIGHED + beyond);
      const unnamed = sql`where jkit not in (select jkit from named)`;
      const later = sql`union all select jkit, 2 from (
        select jkit from newest order by jkit desc limit ${beyond} offset ${weighed}
      ) as later ${unnamed}`;
      const { rows } = await sql<JkitRow>`
        with named as (select distinct jkit from (${namedWith(name, type)}) as parts), ${newest}, candidates as (
          select jkit, 0 as place from named
          union all select jkit, 1 from (
            select jkit from newest order by jkit desc limit ${weighed}
          ) as recent ${unnamed}
          ${beyond > 0 ? later : sql``}
        ), placed as (
          select number, rating_total, rating_count, case
              when place = 2 then 5
              when name_key = ${name} then 1
              when substr(name_key, 1, ${[...name].length}) = ${name} then 2
              when place = 0 then 3
              else 4
            end as tier
          from candidates join jkits on number = jkit
          ${type === undefined ? sql`` : sql`where type = ${type}`}
        ), best as (
          select number, tier, case when tier < 5 then ${score} end as score
          from placed order by tier, score desc, number desc limit ${limit} offset ${skip}
        )
        select jkits.* from best join jkits on jkits.number = best.number
        order by best.tier, best.score desc, best.number desc`.execute(queries);
      return rows.filter(isKnownJkit).map(toJkit);
    },
  };
}

/** Selects at most `WEIGHED` jkits of each wanted type that have a word in their name beginning with `name`. */
function namedWith(name: string, type: Jkit['type'] | undefined): RawBuilder<unknown> {
  const within = (beginning: string) => sql`
    select jkit from jkit_name_parts where part >= ${beginning} and part < ${beginning + LAST_CHARACTER}
    order by part, jkit desc limit ${sql.lit(WEIGHED)}`;
  if (type !== undefined) {
    return within(markedNamePart(type, name));
  }
  const each = jkitTypes.map((one) => sql`select jkit from (${within(markedNamePart(one, name))}) as ${sql.ref(one)}`);
  return sql.join(each, sql` union all `);
}

interface Wanted {
  readonly needles: readonly string[];
  readonly type: Jkit['type'] | undefined;
}

/**
 * Defines `newest`: the newest jkits, at most `count`, with every needle in their text. Needles contain no wildcards.
 */
function newestWith(queries: Queries, { needles, type }: Wanted, count: number): RawBuilder<unknown> {
  if (dialectOf(queries) === 'postgres') {
    return newestOnPostgres({ needles, type }, count);
  }
  const sought = isMarked(type) ? [...needles, markOf(type)] : needles;
  const all = sought.map((needle) => `"${needle.replaceAll('"', '""')}"`).join(' AND ');
  const others = type === 'uart' ? markedTypes : [];
  const phrases = others.reduce((phrase, other) => `(${phrase}) NOT "${markOf(other)}"`, all);
  // SQLite reads its index in this order and stops when it has enough.
  return sql`newest as (
    select -rowid as jkit from jkit_search where jkit_search match ${phrases} order by rowid limit ${count}
  )`;
}

/**
 * Defines `newest` for PostgreSQL. The planner cannot estimate how many texts contain a needle, and a wrong plan is a
 * hundred times slower. Therefore the newest texts are scanned first, and the index is read only if they give too few
 * matches.
 */
function newestOnPostgres({ needles, type }: Wanted, count: number): RawBuilder<unknown> {
  const each = sql.join(
    [...needles.map(containsNeedle), ...(type === 'uart' ? markedTypes.map((other) => sql`not (${isOf[other]})`) : [])],
    sql` and `,
  );
  const byIndex = sql.join(needles.map(isLike), sql` and `);
  const tooFew = sql`(select count(*) from recent) < ${count}`;
  // Marked jkits are rare among messages. Each type has indexes of its own, so that only its jkits are scanned.
  const among = isMarked(type) ? isOf[type] : sql`true`;
  return sql`recent as (
    select jkit from (
      select jkit, text from jkit_search where ${among} order by jkit desc limit ${LOOKED_THROUGH * count}
    ) as looked_through where ${each} order by jkit desc limit ${count}
  ), newest as (
    select jkit from recent where not ${tooFew}
    union all (
      select jkit from (
        select jkit from jkit_search where ${tooFew} and ${among} and ${each} and ${byIndex} offset 0
      ) as every order by jkit desc limit ${count}
    )
  )`;
}

const isMarked = (type: Jkit['type'] | undefined): type is MarkedType => type !== undefined && type !== 'uart';

/** Must equal the conditions of the partial indexes of migrations 11 and 20, or PostgreSQL does not use them. */
const isOf = {
  chip: sql`strpos(text, E'   \\u0001') <> 0`,
  decoder: sql`strpos(text, E'   \\u0002') <> 0`,
} satisfies Record<MarkedType, RawBuilder<unknown>>;

/**
 * Finds a text in half the time of `like`, but without an index. The planner assumes that `<> 0` is almost always
 * true.
 */
function containsNeedle(needle: string): RawBuilder<unknown> {
  return sql`strpos(text, ${needle}) <> 0`;
}

/**
 * Finds the same texts by the index. The database concatenates the pattern, which makes the planner evaluate cheaper
 * conditions first.
 */
function isLike(needle: string): RawBuilder<unknown> {
  return sql`text like concat('%', ${needle.replaceAll(/[\\%_]/g, '\\$&')}::text, '%')`;
}
