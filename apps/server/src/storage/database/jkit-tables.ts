/** The tables of jkits, of what people think of them, and of finding them. Flags are 0 or 1, times are text. */
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
  /** Counts up, so that newer ones have greater numbers; everything inside the database refers to it. */
  number: Generated<number>;
  /** What everybody else calls it. */
  id: string;
  /** The owner's `sub`; null for those that come with the product, which nobody may change. */
  owner: string | null;
  /** The owner's public name. */
  publisher: string;
  name: string;
  /** `name` as it is searched and sorted. */
  name_key: string;
  type: string;
  content: string;
  description: string;
  shared: number;
  /** JSON list of texts. */
  tags: string;
  version: string;
  /** Sum and number of its rows in `jkit_ratings`, so that lists can be sorted by it. */
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

/** The names of shared jkits from each of their words on, as they are searched. */
interface NamePartTable {
  jkit: number;
  part: string;
}

/** The words of shared jkits. On SQLite a full-text index, in which `-rowid` stands for `jkit`. */
interface SearchTable {
  jkit: number;
  text: string;
}
