import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { benchStatus } from '../../bench-status.ts';
import { FindFailure, FindField } from './find-field.tsx';
import { changeFind } from './find-store.ts';

vi.mock('../../bench.ts', () => ({ getBench: () => ({ call: async () => undefined }) }));

afterEach(cleanup);

it('shows no count of what was looked for before while an expression is wrong', () => {
  changeFind({ text: 'boo' });
  const find = { request: 1, count: 5, shown: null, complete: true, index: null, sequence: null };
  benchStatus.accept({ ...benchStatus.tick, find });
  render(
    <>
      <FindField field={{ current: null }} onStep={() => undefined} onLeave={() => undefined} />
      <FindFailure />
    </>,
  );
  expect(screen.getByText('5 found')).toBeDefined();
  act(() => changeFind({ text: '/bo(o/' }));
  expect(screen.queryByText('5 found')).toBeNull();
  expect(screen.getByRole('alert').textContent).not.toBe('');
  act(() => changeFind({ text: 'boo' }));
  expect(screen.getByText('5 found')).toBeDefined();
});
