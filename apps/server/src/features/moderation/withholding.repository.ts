/**
 * Withholds items and shows them again. A withheld item is also private, which every read respects. Its project's
 * revision increases, which invalidates cached answers.
 */
import type { ReportedType } from '@wirebench/contract';
import type { Queries } from '../../storage/database/database.ts';
import { keepWords } from '../jkits/search-words.repository.ts';

export interface Withholding {
  readonly by: 'taken-down' | 'blocked';
  readonly reason: string;
}

type Change = (transaction: Queries, id: string, to: Withholding | null) => Promise<void>;

const columnsOf = (to: Withholding | null) => ({
  withheld: to?.by ?? null,
  withheld_reason: to?.reason ?? null,
});

const changes = {
  project: async (transaction, id, to) => {
    await transaction
      .updateTable('firmware_projects')
      .set(({ eb }) => ({ ...columnsOf(to), is_public: to === null ? 1 : 0, revision: eb('revision', '+', 1) }))
      .where('id', '=', id)
      .execute();
  },
  version: async (transaction, id, to) => {
    const { project_id: projectId } = await transaction
      .updateTable('firmware_versions')
      .set({ ...columnsOf(to), is_public: to === null ? 1 : 0 })
      .where('id', '=', id)
      .returning('project_id')
      .executeTakeFirstOrThrow();
    await transaction
      .updateTable('firmware_projects')
      .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
      .where('id', '=', projectId)
      .execute();
  },
  jkit: async (transaction, id, to) => {
    const row = await transaction
      .updateTable('jkits')
      .set({ ...columnsOf(to), shared: to === null ? 1 : 0 })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await keepWords(transaction, [row]);
  },
} satisfies Record<ReportedType, Change>;

/** Withholds an item that is public or already withheld. Null shows it again. */
export function withhold(
  transaction: Queries,
  { type, id }: { readonly type: ReportedType; readonly id: string },
  to: Withholding | null,
): Promise<void> {
  return changes[type](transaction, id, to);
}

/** Withholds everything that the account shares at this moment. */
export async function withholdAll(transaction: Queries, subject: string, reason: string): Promise<void> {
  const [projects, jkits] = [
    await transaction
      .selectFrom('firmware_projects')
      .select('id')
      .where('subject', '=', subject)
      .where('is_public', '=', 1)
      .where('is_demo', '=', 0)
      .execute(),
    await transaction.selectFrom('jkits').select('id').where('owner', '=', subject).where('shared', '=', 1).execute(),
  ];
  await changeAll(transaction, { project: projects, jkit: jkits }, { by: 'blocked', reason });
}

/**
 * Shows everything that was withheld because the account was blocked. Items that were taken down individually stay
 * withheld.
 */
export async function showAll(transaction: Queries, subject: string): Promise<void> {
  const [projects, jkits] = [
    await transaction
      .selectFrom('firmware_projects')
      .select('id')
      .where('subject', '=', subject)
      .where('withheld', '=', 'blocked')
      .execute(),
    await transaction
      .selectFrom('jkits')
      .select('id')
      .where('owner', '=', subject)
      .where('withheld', '=', 'blocked')
      .execute(),
  ];
  await changeAll(transaction, { project: projects, jkit: jkits }, null);
}

async function changeAll(
  transaction: Queries,
  items: Readonly<Record<'project' | 'jkit', readonly { readonly id: string }[]>>,
  to: Withholding | null,
): Promise<void> {
  for (const type of ['project', 'jkit'] as const) {
    for (const { id } of items[type]) {
      await withhold(transaction, { type, id }, to);
    }
  }
}
