import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import type { Queries } from '../../storage/database/database.ts';
import { DatabaseUnavailableError } from '../../storage/database/database-failure.ts';
import { databaseKinds } from '../../testing/databases.ts';
import {
  type FlashCount,
  type FlashCountRepository,
  flashCountRepository,
  MAX_KINDS,
} from './flash-counts.repository.ts';
import { FlashCounts } from './flash-counts.ts';

const success = { result: 'success', chip: '', errorCode: '' } as const;
const owner = 'subject-of-maker';

/** A counter of a separate process. */
function counter(repository: FlashCountRepository, clock = new VirtualClock()) {
  const failures: unknown[] = [];
  return {
    counts: new FlashCounts({ repository, clock, onFailure: (error) => failures.push(error) }),
    clock,
    failures,
  };
}

async function addVersions(queries: Queries, ids: readonly string[]): Promise<void> {
  const at = '2026-11-20T12:00:00.000Z';
  const project = { id: 'p', subject: owner, publisher: 'maker', name: 'p', name_key: 'p', description: '' };
  await queries
    .insertInto('firmware_projects')
    .values({
      ...project,
      device_family: 'esp',
      device_model: 'esp32',
      is_public: 1,
      is_demo: 0,
      share_id: 'share of p',
      revision: 1,
      created_at: at,
      updated_at: at,
    })
    .execute();
  await queries
    .insertInto('firmware_versions')
    .values(
      ids.map((id) => ({
        id,
        project_id: 'p',
        version: id,
        version_key: id,
        description: '',
        is_public: 1,
        share_id: `share of ${id}`,
        console_baud_rate: null,
        console_line_ending: null,
        console_jkit_id: null,
        created_at: at,
      })),
    )
    .execute();
}

describe.each(databaseKinds)('counts of flashes on $name', ({ open }) => {
  it('are written within a second of the first of them, together, and change no revision', async () => {
    await using opened = await open();
    const { queries } = opened.database;
    await addVersions(queries, ['v']);
    const repository = flashCountRepository(queries);
    const { counts, clock } = counter(repository);
    for (let number = 0; number < 30; number++) {
      await counts.add('v', success);
    }
    await clock.advance(749);
    expect(await repository.ofVersion('v', owner)).toEqual([]);
    expect(await counts.successes(['v'])).toEqual([30]);
    await clock.advance(1);
    await expect.poll(() => repository.ofVersion('v', owner)).toEqual([{ ...success, count: 30 }]);
    expect(await counts.successes(['v'])).toEqual([30]);
    expect(await queries.selectFrom('firmware_projects').select('revision').execute()).toEqual([{ revision: 1 }]);
    expect(clock.pending).toBe(0);
  });

  it('add up over several processes, and each shows those of the others within a second', async () => {
    await using opened = await open();
    const { queries } = opened.database;
    await addVersions(queries, ['v', 'w']);
    const repository = flashCountRepository(queries);
    const clock = new VirtualClock();
    const processes = Array.from({ length: 4 }, () => counter(repository, clock));
    for (const { counts } of processes) {
      expect(await counts.successes(['v', 'w'])).toEqual([0, 0]);
      for (let number = 0; number < 25; number++) {
        await counts.add(number % 5 === 0 ? 'w' : 'v', success);
      }
    }
    await Promise.all(processes.map(({ counts }) => counts.settle()));
    await clock.advance(250);
    for (const { counts, failures } of processes) {
      expect(await counts.successes(['v', 'w'])).toEqual([80, 20]);
      expect(failures).toEqual([]);
    }
  });

  it('are written when the server stops', async () => {
    await using opened = await open();
    const { queries } = opened.database;
    await addVersions(queries, ['v']);
    const repository = flashCountRepository(queries);
    const { counts, clock } = counter(repository);
    await counts.add('v', success);
    await counts[Symbol.asyncDispose]();
    expect(await repository.ofVersion('v', owner)).toEqual([{ ...success, count: 1 }]);
    expect(clock.pending).toBe(0);
  });

  it('are dropped for a version that was deleted, and kept for the others', async () => {
    await using opened = await open();
    const { queries } = opened.database;
    await addVersions(queries, ['v', 'w']);
    const repository = flashCountRepository(queries);
    const { counts, failures } = counter(repository);
    await counts.add('v', success);
    await counts.add('w', success);
    await queries.deleteFrom('firmware_versions').where('id', '=', 'v').execute();
    await counts.settle();
    expect(failures).toEqual([]);
    expect(await repository.successes(['v', 'w'])).toEqual(new Map([['w', 1]]));
  });

  it('have a limited number of kinds, whatever words several processes report, and lose none', async () => {
    await using opened = await open();
    const { queries } = opened.database;
    await addVersions(queries, ['v']);
    const repository = flashCountRepository(queries);
    const processes = Array.from({ length: 3 }, () => counter(repository));
    const each = MAX_KINDS + 50;
    for (const [process, { counts }] of processes.entries()) {
      for (let number = 0; number < each; number++) {
        await counts.add('v', { result: 'failure', chip: `chip ${process} ${number}`, errorCode: 'no-answer' });
      }
    }
    await Promise.all(processes.map(({ counts }) => counts.settle()));
    const stored = (await repository.ofVersion('v', owner)) ?? [];
    expect(stored.length).toBeLessThanOrEqual(MAX_KINDS + 1);
    expect(stored.reduce((sum, { count }) => sum + count, 0)).toBe(3 * each);
  });
});

describe('counts of flashes that cannot be written', () => {
  /** Stands in for a database that is unavailable at times. */
  function fakeRepository() {
    const written: FlashCount[] = [];
    const away = new Error('disk full');
    const repository = {
      isAway: false,
      written,
      away,
      add: async (counts: readonly FlashCount[]) => {
        if (repository.isAway) {
          throw away;
        }
        written.push(...counts);
      },
      successes: async (): Promise<ReadonlyMap<string, number>> => new Map(),
      ofVersion: async () => null,
      ofBuilds: async () => [],
    };
    return repository;
  }

  it('are kept, further ones are refused, and they are written when the database works again', async () => {
    const repository = fakeRepository();
    const { counts, clock, failures } = counter(repository);
    await counts.add('v', success);
    repository.isAway = true;
    await clock.advance(1_000);
    expect(failures).toEqual([repository.away]);
    await expect(counts.add('v', success)).rejects.toBeInstanceOf(DatabaseUnavailableError);
    expect(await counts.successes(['v'])).toEqual([1]);
    repository.isAway = false;
    await clock.advance(1_000);
    expect(repository.written).toEqual([{ versionId: 'v', buildId: null, ...success, count: 1 }]);
    await expect(counts.add('v', success)).resolves.toBeUndefined();
    await counts[Symbol.asyncDispose]();
    expect(repository.written).toHaveLength(2);
  });

  it('occupy memory for at most ten thousand kinds, whatever words are reported', async () => {
    const repository = fakeRepository();
    const { counts } = counter(repository);
    for (let number = 0; number < 10_050; number++) {
      await counts.add(`version ${number % 100}`, { ...success, chip: `chip ${number}` });
    }
    expect(repository.written).toHaveLength(10_000);
  });
});
