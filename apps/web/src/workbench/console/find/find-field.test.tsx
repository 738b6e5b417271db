import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { benchStatus } from '../../bench-status.ts';
import { fakeBench } from '../../testing/fake-bench.ts';
import { FindFailure, FindField } from './find-field.tsx';
import { changeFind } from './find-store.ts';

fakeBench();

afterEach(cleanup);

it('parts the words of a phrase, and joins them again', () => {
  act(() => changeFind({ text: 'line' }));
  render(<FindField field={{ current: null }} onStep={() => undefined} onLeave={() => undefined} />);
  expect(screen.queryByRole('button', { name: 'Words apart, in any order' })).toBeNull();
  act(() => changeFind({ text: 'line 42' }));
  const button = screen.getByRole('button', { name: 'Words apart, in any order' });
  expect(button.getAttribute('aria-pressed')).toBe('false');
  act(() => button.click());
  expect(screen.getByRole('textbox')).toHaveProperty('value', 'line and:42');
  expect(button.getAttribute('aria-pressed')).toBe('true');
  act(() => button.click());
  expect(screen.getByRole('textbox')).toHaveProperty('value', 'line 42');
});

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
