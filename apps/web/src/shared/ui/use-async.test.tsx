import { act, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { useAsync } from './use-async.ts';

interface Load {
  readonly resolve: (text: string) => void;
  readonly reject: (error: Error) => void;
}

const onFailure = vi.fn();

function Loading({ name, loads }: { readonly name: string; readonly loads: Map<string, Load> }) {
  const text = useAsync(
    [name],
    () => new Promise<string>((resolve, reject) => loads.set(name, { resolve, reject })),
    onFailure,
  );
  return <p>{text ?? 'loading'}</p>;
}

it('shows the newest result, in whatever order results arrive, and keeps it while the next one loads', async () => {
  const loads = new Map<string, Load>();
  const { rerender } = render(<Loading name="first" loads={loads} />);
  screen.getByText('loading');
  rerender(<Loading name="second" loads={loads} />);
  await act(async () => loads.get('second')?.resolve('second text'));
  await act(async () => loads.get('first')?.resolve('first text'));
  screen.getByText('second text');
  rerender(<Loading name="third" loads={loads} />);
  screen.getByText('second text');
  await act(async () => loads.get('third')?.reject(new Error('offline')));
  screen.getByText('second text');
  expect(onFailure).toHaveBeenCalledExactlyOnceWith(new Error('offline'));
});

it('starts once for the same key', () => {
  const loads = new Map<string, Load>();
  const set = vi.spyOn(loads, 'set');
  const { rerender } = render(<Loading name="first" loads={loads} />);
  rerender(<Loading name="first" loads={loads} />);
  expect(set).toHaveBeenCalledTimes(1);
});
