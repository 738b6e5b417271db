/** A bench whose answers a test decides, in place of the page's own. */
import { afterAll, type Mock, vi } from 'vitest';
import { replaceBench } from '../bench.ts';

/** Takes the name of a call and its arguments, and returns the bench's answer. */
export type BenchAnswer = (name: string, ...args: unknown[]) => Promise<unknown>;

/**
 * Replaces the page's bench until the end of the test file.
 *
 * @param answer Answer to every call, also after `mockReset`. By default, each call resolves with undefined.
 * @returns Records the calls of the page.
 */
export function fakeBench(answer: BenchAnswer = async () => undefined): Mock<BenchAnswer> {
  const call = vi.fn(answer);
  replaceBench({ call } as unknown as Parameters<typeof replaceBench>[0]);
  afterAll(() => replaceBench(null));
  return call;
}
