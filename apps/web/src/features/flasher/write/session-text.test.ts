import { expect, it } from 'vitest';
import { sessionText } from './session-text.ts';

const run = (id: string | null, written = 4_096) => ({ id, written });

it('three runs on one board, one of which wrote nothing, are one board', () => {
  expect(sessionText([run('a'), run('a', 0), run('a')])).toBe('Boards flashed in this session: 1');
  expect(sessionText([run('a'), run('b')])).toBe('Boards flashed in this session: 2');
  expect(sessionText([run('c', 0)])).toBe('Boards flashed in this session: 0');
});

it('boards without an id are not counted as boards', () => {
  expect(sessionText([run(null), run(null)])).toBe('Writes in this session: 2');
});
