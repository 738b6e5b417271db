/**
 * Query plans of a repository's statements, for tests of their indexes. PostgreSQL's planner avoids full scans and
 * sorts if it has an alternative, so that a few rows show the plan for a million.
 */
import { CompiledQuery, createQueryId, type RootOperationNode, sql } from 'kysely';
import type { Queries } from '../storage/database/database.ts';
import { dialectOf } from '../storage/database/dialect.ts';

export interface QueryPlan {
  readonly sql: string;
  /** One line for each step. */
  readonly steps: readonly string[];
  /** True: reads a whole table without a covering index. */
  readonly readsWholeTable: boolean;
  readonly sorts: boolean;
}

/** Returns the plans of all statements that `ask` runs, in order. Its writes are executed. */
export async function plansOf(
  queries: Queries,
  ask: (recorded: Queries) => Promise<unknown>,
): Promise<readonly QueryPlan[]> {
  const nodes: RootOperationNode[] = [];
  const recorded = queries.withPlugin({
    transformQuery: ({ node }) => {
      nodes.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await ask(recorded);
  const plans: QueryPlan[] = [];
  for (const node of nodes) {
    const { sql: text, parameters } = queries.getExecutor().compileQuery(node, createQueryId());
    const steps = await (dialectOf(queries) === 'postgres' ? postgresSteps : sqliteSteps)(queries, text, parameters);
    plans.push({
      sql: text,
      steps,
      readsWholeTable: steps.some((step) => isWholeTable(step, steps)),
      sorts: steps.some((step) => /\bSort\b|USE TEMP B-TREE FOR (LAST .*)?ORDER BY/.test(step)),
    });
  }
  return plans;
}

function isWholeTable(step: string, steps: readonly string[]): boolean {
  const scanned = /^SCAN (\w+)$/.exec(step)?.[1];
  // SQLite uses the same words for the result of another part of the statement.
  const isPart = steps.includes(`CO-ROUTINE ${scanned}`) || steps.includes(`MATERIALIZE ${scanned}`);
  return (scanned !== undefined && !isPart) || /\bSeq Scan\b/.test(step);
}

async function sqliteSteps(queries: Queries, text: string, parameters: readonly unknown[]): Promise<string[]> {
  const { rows } = await queries.executeQuery<{ detail: string }>(
    CompiledQuery.raw(`explain query plan ${text}`, [...parameters]),
  );
  return rows.map(({ detail }) => detail);
}

function postgresSteps(queries: Queries, text: string, parameters: readonly unknown[]): Promise<string[]> {
  return queries.transaction().execute(async (transaction) => {
    for (const way of ['seqscan', 'sort', 'incremental_sort', 'hashagg', 'bitmapscan']) {
      await sql`set local ${sql.raw(`enable_${way}`)} = off`.execute(transaction);
    }
    const { rows } = await transaction.executeQuery<{ 'QUERY PLAN': string }>(
      CompiledQuery.raw(`explain ${text}`, [...parameters]),
    );
    return rows.map((row) => row['QUERY PLAN'].trim());
  });
}
