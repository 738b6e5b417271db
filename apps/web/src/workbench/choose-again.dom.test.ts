import { act } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { readHook } from '../shared/testing/stores.ts';
import { useToasts } from '../shared/ui/toast.ts';
import { benchStatus } from './bench-status.ts';
import { offerToChooseAgain } from './choose-again.ts';

afterEach(() => vi.restoreAllMocks());

const awaits = (isAwaited: boolean) =>
  act(() =>
    benchStatus.accept({
      ...benchStatus.tick,
      devices: { ...benchStatus.tick.devices, 1: { kind: 'serial', plugged: true, ...(isAwaited && { isAwaited }) } },
    }),
  );

const shown = () => readHook(useToasts).current;

it('offers a board for a choice while work waits for it, again after a closed list, and no more once it is back', async () => {
  const requestPort = vi.fn(() => Promise.reject(new DOMException('No port selected.', 'NotFoundError')));
  Object.defineProperty(navigator, 'serial', { configurable: true, value: { requestPort } });
  offerToChooseAgain();
  expect(shown()).toBeNull();
  awaits(true);
  expect(shown()).toMatchObject({ stays: true, action: { label: 'Choose the board again' } });
  shown()?.action?.onAction();
  expect(requestPort).toHaveBeenCalledOnce();
  const first = shown()?.id;
  await vi.waitFor(() => {
    awaits(true);
    expect(shown()?.id).not.toBe(first);
  });
  awaits(false);
  expect(shown()).toBeNull();
});
