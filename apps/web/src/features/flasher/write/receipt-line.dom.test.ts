import { expect, it } from 'vitest';
import { sessionCount, sessionText } from './receipt-line.tsx';

const run = (id: string | null, written = 4_096) => ({ id, written });

it('counts a board once, and a board only if something was written', () => {
  expect(sessionText([run('a'), run('a', 0), run('a')])).toBe('Boards flashed in this session: 1');
  expect(sessionText([run('a'), run('b')])).toBe('Boards flashed in this session: 2');
  expect(sessionText([run('c', 0)])).toBe('Boards flashed in this session: 0');
  expect([sessionCount([run('a'), run('a')]), sessionCount([run('a'), run('b')])]).toEqual([1, 2]);
});

it('counts writes if a board has no id', () => {
  expect(sessionCount([run(null)])).toBe(1);
  expect(sessionText([run(null), run(null)])).toBe('Writes in this session: 2');
});
