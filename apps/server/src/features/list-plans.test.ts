/** The index behind each list, on both databases. No list reads a whole table, and only short lists are sorted. */
import { jkitSorts, type ReportedType } from '@wirebench/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Queries } from '../storage/database/database.ts';
import { databaseKinds, type TestDatabase } from '../testing/databases.ts';
import { plansOf } from '../testing/query-plans.ts';
import { crashRepository } from './crashes/crashes.repository.ts';
import { feedbackRepository } from './feedback/feedback.repository.ts';
import { jkitRepository } from './jkits/jkits.repository.ts';
import { ratingRepository } from './jkits/ratings.repository.ts';
import { starRepository } from './jkits/stars.repository.ts';
import { findItem, findLinked, listItems } from './moderation/items.repository.ts';
import { moderationRepository } from './moderation/moderation.repository.ts';
import { reportRepository } from './moderation/reports.repository.ts';
import { elfRepository } from './releases/elfs.repository.ts';
import { historyRepository } from './releases/history.repository.ts';
import { projectRepository } from './releases/projects.repository.ts';
import { versionRepository } from './releases/versions.repository.ts';
import { tokenRepository } from './tokens/tokens.repository.ts';

type Ask = (queries: Queries) => Promise<unknown>;

const subject = 'subject-of-maker';
const page = { skip: 40, limit: 20 };
const at = '2026-11-20T12:00:00.000Z';
const position = { _id: 'x', at, createdAt: at };

const reportedTypes: readonly ReportedType[] = ['project', 'version', 'jkit'];

/** Lists without a limit on their length. */
const long: Readonly<Record<string, Ask>> = {
  ...Object.fromEntries(
    jkitSorts.flatMap((sort) =>
      ([undefined, 'uart'] as const).map((type) => [
        `jkits of an owner by ${sort}${type === undefined ? '' : ' of a type'}`,
        (queries: Queries) => jkitRepository(queries).page(subject, { type, sort, ...page }),
      ]),
    ),
  ),
  'how many jkits an owner has': (queries) => jkitRepository(queries).count(subject, 'uart'),
  'a jkit': (queries) => jkitRepository(queries).find('x'),
  'starred jkits by the time of the star': (queries) =>
    starRepository(queries).page(subject, { type: 'uart', sort: 'createdAt', ...page }),
  'how many jkits are starred': (queries) => starRepository(queries).count(subject, 'uart'),
  'whether a jkit is starred': (queries) => starRepository(queries).has(subject, 7),
  "one's own rating": (queries) => ratingRepository(queries).starsOf(subject, 7),
  feedback: (queries) => feedbackRepository(queries).page({ email: null, offset: 40, limit: 20 }),
  'feedback of a sender': (queries) => feedbackRepository(queries).page({ email: 'a@b', offset: 40, limit: 20 }),
  'the export of feedback': (queries) => feedbackRepository(queries).after(null, position, 500),
  "the export of a sender's feedback": (queries) => feedbackRepository(queries).after('a@b', position, 500),
  'how much feedback there is': (queries) => feedbackRepository(queries).count(null),
  'how much feedback of a sender there is': (queries) => feedbackRepository(queries).count('a@b'),
  'the statistics of feedback': (queries) => feedbackRepository(queries).totals(at),
  'the history of a project': (queries) => historyRepository(queries).page('x', 20, 40),
  'the export of a history': (queries) => historyRepository(queries).after('x', position, 500),
  'how long a history is': (queries) => historyRepository(queries).count('x'),
  ...Object.fromEntries(
    reportedTypes.flatMap((type): [string, Ask][] => [
      [`every public ${type}`, (queries) => listItems(queries, type, { q: '', ...page })],
      [`every public ${type} with a name`, (queries) => listItems(queries, type, { q: 'modem', ...page })],
      [`a reported ${type}`, (queries) => findItem(queries, type, 'x')],
      [`a ${type} that a link leads to`, (queries) => findLinked(queries, type, 'x')],
    ]),
  ),
  reports: (queries) => reportRepository(queries).page(20, 40),
  'how many reports there are': (queries) => reportRepository(queries).count(),
  'what operators did': (queries) => moderationRepository(queries).audit(20, 40),
  'how much operators did': (queries) => moderationRepository(queries).countAudit(),
  'every account': (queries) => moderationRepository(queries).accounts({ q: '', state: 'any', ...page }, 'caller'),
  'accounts that are blocked': (queries) =>
    moderationRepository(queries).accounts({ q: '', state: 'blocked', ...page }, 'caller'),
  'accounts with a name': (queries) =>
    moderationRepository(queries).accounts({ q: 'mira', state: 'any', ...page }, 'caller'),
  'the tokens of a user': (queries) => tokenRepository(queries).ofSubject(subject),
  'the crashes of a version': (queries) => crashRepository(queries).page('x', 20, 40),
  'how many crashes a version has': (queries) => crashRepository(queries).count('x'),
  'a crash': (queries) => crashRepository(queries).find({ versionId: 'x', fingerprint: 'y' }),
  'the examples of a crash': (queries) => crashRepository(queries).examples({ versionId: 'x', fingerprint: 'y' }),
  'the core dump of an example': (queries) =>
    crashRepository(queries).memory({ versionId: 'x', fingerprint: 'y' }, 'z'),
  'crashes that are old': (queries) => crashRepository(queries).forget(at),
  'an ELF file of an owner': (queries) => elfRepository(queries).ofVersion('x', 'y', subject),
};

/** Lists with no more entries than one user may have. They are read by an index and may be sorted afterwards. */
const short: Readonly<Record<string, Ask>> = {
  ...Object.fromEntries(
    jkitSorts
      .filter((sort) => sort !== 'createdAt')
      .map((sort) => [
        `starred jkits by ${sort}`,
        (queries: Queries) => starRepository(queries).page(subject, { type: undefined, sort, ...page }),
      ]),
  ),
  'the projects of an owner with their versions': (queries) => projectRepository(queries).ofOwner(subject),
  'the ELF files of an owner by their hash': (queries) => elfRepository(queries).byHash('0123abcd', subject),
  'the versions of a project': (queries) => versionRepository(queries).ofProject('x', subject),
};

describe.each(databaseKinds)('lists on $name', ({ open }) => {
  let opened: TestDatabase;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened[Symbol.asyncDispose]());

  it.each(Object.entries(long))('%s: by an index, in its order', async (_name, ask) => {
    const plans = await plansOf(opened.database.queries, ask);
    expect(plans.length).toBeGreaterThan(0);
    expect(plans.filter(({ readsWholeTable, sorts }) => readsWholeTable || sorts)).toEqual([]);
  });

  it.each(Object.entries(short))('%s: by an index', async (_name, ask) => {
    const plans = await plansOf(opened.database.queries, ask);
    expect(plans.length).toBeGreaterThan(0);
    expect(plans.filter(({ readsWholeTable }) => readsWholeTable)).toEqual([]);
  });

  it('the projects of an owner: in the order of an index', async () => {
    const [projects] = await plansOf(opened.database.queries, (queries) => projectRepository(queries).ofOwner(subject));
    expect(projects).toMatchObject({ readsWholeTable: false, sorts: false });
  });

  it('without an index would be noticed', async () => {
    const [sorted, read] = await plansOf(opened.database.queries, async (queries) => {
      await queries.selectFrom('feedback').select('id').orderBy('message').limit(20).execute();
      await queries.selectFrom('feedback').select('id').where('message', '=', 'x').execute();
    });
    expect(sorted).toMatchObject({ readsWholeTable: true, sorts: true });
    expect(read).toMatchObject({ readsWholeTable: true, sorts: false });
  });
});
