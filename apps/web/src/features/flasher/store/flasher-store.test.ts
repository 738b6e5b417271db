import { beforeEach, expect, it } from 'vitest';
import { testFamily } from '../testing/families.ts';
import { addLines, flasherStore, say, startFlasher } from './flasher-store.ts';

beforeEach(() => startFlasher(testFamily));

it('the log of a long session forgets its oldest lines, many at once', () => {
  const line = (index: number) => ({ at: index, port: 1, level: 'info', text: `line ${index}` }) as const;
  addLines(Array.from({ length: 2_000 }, (_, index) => line(index)));
  expect(flasherStore().getState().lines).toHaveLength(2_000);
  say(1, 'info', 'one more');
  const { lines } = flasherStore().getState();
  expect(lines).toHaveLength(1_500);
  expect(lines[0]?.text).toBe('line 501');
  expect(lines.at(-1)?.text).toBe('one more');
});
