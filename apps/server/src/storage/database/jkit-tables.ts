/** The tables of jkits, stars, ratings and search. Flags are 0 or 1, times are text. */
import type { Generated, Selectable } from 'kysely';
import type { WithheldColumns } from './firmware-tables.ts';

export interface JkitTables {
  jkits: JkitTable;
  jkit_stars: StarTable;
  jkit_ratings: RatingTable;
  jkit_name_parts: NamePartTable;
  jkit_search: SearchTable;
}

export interface JkitTable extends WithheldColumns {
  /** Increases, so that newer jkits have greater numbers. Other tables refer to it. */
  number: Generated<number>;
  /** Id outside the database. */
  id: string;
  /** The owner's `sub`; null for jkits that come with the product, which cannot be changed. */
  owner: string | null;
  /** The owner's public name. */
  publisher: string;
  name: string;
  /** `name` in the form for search and sorting. */
  name_key: string;
  type: string;
  content: string;
  description: string;
  shared: number;
  /** JSON list of texts. */
  tags: string;
  version: string;
  /** Sum and number of its rows in `jkit_ratings`, for sorting lists. */
  rating_total: Generated<number>;
  rating_count: Generated<number>;
  created_at: string;
  updated_at: string;
}

export type JkitRow = Selectable<JkitTable>;

interface StarTable {
  subject: string;
  jkit: number;
  created_at: string;
}

interface RatingTable {
  jkit: number;
  subject: string;
  stars: number;
}

/** The names of shared jkits from each of their words on, in the form of searches. */
interface NamePartTable {
  jkit: number;
  part: string;
}

/** The words of shared jkits. On SQLite it is a full-text index in which `-rowid` is `jkit`. */
interface SearchTable {
  jkit: number;
  text: string;
}
