import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { FlashCheck } from '../../../protocol/flash-facts.ts';
import { fakeBench } from '../../../workbench/testing/fake-bench.ts';
import { connect, demoBoards } from '../store/lab-actions.ts';
import { changeLab, idleLab, noTick } from '../store/lab-store.ts';
import { fakeLab, openBench, testBoard } from '../testing/fake-lab.ts';
import { ConnectView } from './connect-view.tsx';

fakeBench();

const before = { md5: '0'.repeat(32), bytes: 4 * 1_024 ** 2, took: 8_250 };
const check: FlashCheck = { mac: testBoard.mac, before, after: null, reading: null, failure: null, notRestarted: null };
const show = (flash: FlashCheck) => changeLab({ tick: { ...noTick, flash } });

beforeEach(() => {
  vi.stubGlobal('isSecureContext', true);
  changeLab(idleLab, true);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('the connect asks for a hash only on request', async () => {
  const { calls } = fakeLab({ connect: () => testBoard });
  render(<ConnectView />);
  await connect(demoBoards[0].source);
  expect(calls.at(-1)?.[2]).not.toHaveProperty('checkFlash');
  act(() => changeLab({ phase: 'idle' }));
  await userEvent.click(screen.getByRole('switch', { name: 'Check that flash is unchanged' }));
  expect(screen.getByText(/up to half a minute for 4 MB/)).toBeDefined();
  await act(() => connect(demoBoards[0].source));
  expect(calls.at(-1)?.[2]).toMatchObject({ checkFlash: true });
});

it('the page shows that it waits for a hash, and the wait can be cancelled', async () => {
  const { calls } = fakeLab();
  openBench({ flash: { ...check, before: null, reading: 'before' } }, { phase: 'connecting' });
  render(<ConnectView />);
  expect(screen.getByRole('status').textContent).toContain('before the bench opens');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  act(() => openBench({ flash: { ...check, reading: 'after' } }, { phase: 'leaving' }));
  expect(screen.getByRole('status').textContent).toContain('after the bench');
  await userEvent.click(screen.getByRole('button', { name: 'Skip' }));
  expect(calls).toEqual([['cancel'], ['cancel']]);
});

it('the page shows both hashes with their times, and whether they are equal', () => {
  render(<ConnectView />);
  act(() => show({ ...check, after: { ...before, took: 8_000 } }));
  expect(screen.getByText('Flash is unchanged: all 4 MB have the same hash.')).toBeDefined();
  expect(screen.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
    `MD5 ${before.md5}, 8.3 s`,
    `MD5 ${before.md5}, 8.0 s`,
  ]);
  act(() => show({ ...check, after: { ...before, md5: 'f'.repeat(32) } }));
  expect(screen.getByRole('alert').textContent).toContain('Flash is not the same as before.');
});

it('the page says that a hashed board was not restarted', () => {
  render(<ConnectView />);
  const notRestarted = 'The board could not be restarted: its lines cannot be set. Press EN.';
  act(() => show({ ...check, after: before, notRestarted }));
  expect(screen.getByText(notRestarted)).toBeDefined();
  expect(screen.getByText(/Flash is unchanged/)).toBeDefined();
});

it('the page claims nothing about flash that was hashed once', () => {
  render(<ConnectView />);
  act(() => show(check));
  expect(screen.queryByText(/Flash/)).toBeNull();
  act(() => show({ ...check, failure: 'The board was lost before its flash could be hashed again.' }));
  expect(screen.getByText('Flash was not compared.').parentElement?.textContent).toContain('was lost');
  expect(screen.queryByText(/unchanged:/)).toBeNull();
});
