import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { resetStores } from '../../../shared/testing/stores.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { addBrowserParts } from '../../../workbench/testing/browser-parts.ts';
import { fakeBench } from '../../../workbench/testing/fake-bench.ts';
import { startFlasher } from '../store/flasher-store.ts';
import { testFamily } from '../testing/families.ts';
import { Monitor } from './monitor.tsx';

/** The log stays empty: its rows never come. */
const call = fakeBench((name) => (name === 'rows' ? new Promise(() => undefined) : Promise.resolve()));

describe('answer to a prompt for a password in the monitor', () => {
  const ask = (number: number | null) => {
    const { tick } = benchStatus;
    const asks = number === null ? null : ({ secret: 'password', number } as const);
    const ports = { ...tick.status.ports, 1: { ...tick.status.ports[1], state: 'connected', asks } } as const;
    act(() => benchStatus.accept({ ...tick, status: { ...tick.status, ports } }));
  };
  const field = () => screen.getByRole('textbox', { name: 'Message to the board' });
  const sent = () =>
    call.mock.calls
      .filter(([name]) => name === 'send')
      .map(([, , bytes, hidden]) => [new TextDecoder().decode(bytes as Uint8Array), hidden]);

  beforeEach(() => {
    addBrowserParts();
    call.mockClear();
    resetStores();
    startFlasher(testFamily);
    ask(null);
    render(<Monitor />);
  });
  afterEach(() => {
    cleanup();
    ask(null);
    vi.unstubAllGlobals();
  });

  it('is hidden for one Enter', async () => {
    ask(1);
    expect(await screen.findByText('Hidden for one Enter:')).toBeDefined();
    await userEvent.type(field(), 'hunter2{Enter}');
    ask(null);
    expect(screen.queryByText('Hidden for one Enter:')).toBeNull();
    await userEvent.type(field(), 'ls{Enter}');
    expect(sent()).toEqual([
      ['hunter2\n', true],
      ['ls\n', undefined],
    ]);
  });

  it('stays hidden when the prompt ends, and is shown after Show', async () => {
    ask(1);
    await screen.findByText('Hidden for one Enter:');
    await userEvent.type(field(), 'hunter2');
    ask(null);
    expect(screen.getByText('Hidden for one Enter:')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Show' }));
    expect(screen.queryByText('Hidden for one Enter:')).toBeNull();
    await userEvent.type(field(), '{Enter}');
    expect(sent()).toEqual([['hunter2\n', undefined]]);
  });
});
