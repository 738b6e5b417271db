/** Fakes of what the flasher's page talks to: the worker side of a family, and the bench with its monitors. */
import { familyIds } from '@wirebench/boards';
import { afterAll, type Mock, vi } from 'vitest';
import { type BenchAnswer, fakeBench } from '../../../workbench/testing/fake-bench.ts';
import { type FlasherClient, replaceFlasher } from '../store/flasher-line.ts';

/**
 * Replaces the worker side of every family until the end of the test file.
 *
 * @returns Records the calls of the page. Each resolves with undefined until a test sets another answer.
 */
export function fakeFlasher(): Mock {
  const call = vi.fn(async () => undefined);
  for (const family of familyIds) {
    replaceFlasher(family, { call } as unknown as FlasherClient);
    afterAll(() => replaceFlasher(family, null));
  }
  return call;
}

/** Replaces the bench by one with an empty log: monitors open, and no board prints anything. */
export function silentBench(): Mock<BenchAnswer> {
  return fakeBench(async (name) => (name === 'rows' ? { rows: [] } : undefined));
}
