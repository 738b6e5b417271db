import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { changeLab } from '../store/lab-store.ts';
import { fakeLab, openBench, testBoard } from '../testing/fake-lab.ts';
import { RegistersPanel } from './registers-panel.tsx';

const out = 0x3ff4_4004;

afterEach(cleanup);
beforeEach(() => {
  changeLab({ board: null });
  openBench({}, { board: { ...testBoard } });
});

it('reads what can be read, and marks what is different from the last time', async () => {
  let word = 1;
  const { calls } = fakeLab({ readWords: () => [word] });
  render(<RegistersPanel />);
  await userEvent.click(screen.getByRole('button', { name: 'Read all' }));
  await waitFor(() =>
    expect(screen.getByRole('treeitem', { name: /GPIO_OUT 00000001|GPIO_OUT00000001/ })).toBeDefined(),
  );
  expect(calls).toEqual([['readWords', [out]]]);
  word = 3;
  await userEvent.click(screen.getByRole('button', { name: 'Read all' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Bit 1, changed' })).toBeDefined());
  expect(screen.getByRole('button', { name: 'Bit 0' })).toBeDefined();
});

it('keeps flipped bits until Write, and changes no others', async () => {
  const { calls } = fakeLab({ readWords: () => [0x8000_0001], writeWord: () => 0x8000_0003 });
  render(<RegistersPanel />);
  await userEvent.click(screen.getByRole('button', { name: 'Read' }));
  await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Bit 31' }).disabled).toBe(false));
  await userEvent.click(screen.getByRole('button', { name: 'Bit 1' }));
  expect(calls).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: 'Write' }));
  await waitFor(() => expect(calls[1]).toEqual(['writeWord', out, 0x8000_0003, 2]));
});

it('forgets what was read of another board', async () => {
  fakeLab({ readWords: () => [1] });
  const { rerender } = render(<RegistersPanel />);
  await userEvent.click(screen.getByRole('button', { name: 'Read all' }));
  openBench({}, { board: { ...testBoard, mac: 'another' } });
  rerender(<RegistersPanel />);
  expect(screen.getByText('not read')).toBeDefined();
});

it('walks the tree by keys: left folds, right unfolds', () => {
  render(<RegistersPanel />);
  const group = screen.getByRole('treeitem', { name: 'GPIO' });
  group.focus();
  fireEvent.keyDown(group, { key: 'ArrowLeft' });
  expect(screen.queryByRole('treeitem', { name: /GPIO_OUT/ })).toBeNull();
  fireEvent.keyDown(group, { key: 'ArrowRight' });
  fireEvent.keyDown(group, { key: 'ArrowDown' });
  expect(document.activeElement?.textContent).toContain('GPIO_OUT');
});
