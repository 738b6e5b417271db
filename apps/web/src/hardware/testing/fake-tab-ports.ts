/** The other tabs of Wirebench: a test decides which boards they hold and what they answer. */
import { afterAll, type MockInstance, vi } from 'vitest';
import { type Holder, TabPorts } from '../tab-ports.ts';

interface FakeTabPorts {
  /** Records the requests of the page. A test sets its answers. */
  readonly askToRelease: MockInstance<TabPorts['askToRelease']>;
  /** Changes the boards that other tabs hold. Null: no tab has answered yet. */
  hold(holders: readonly Holder[] | null): void;
}

/** Replaces the protocol between tabs until the end of the test file. No other tab holds a board at first. */
export function fakeTabPorts(): FakeTabPorts {
  const listeners = new Set<(holders: readonly Holder[]) => void>();
  let held: readonly Holder[] | null = [];
  const watchHolders = vi.spyOn(TabPorts.prototype, 'watchHolders').mockImplementation((_info, listener) => {
    listeners.add(listener);
    if (held !== null) {
      listener(held);
    }
    return () => listeners.delete(listener);
  });
  const askToRelease = vi.spyOn(TabPorts.prototype, 'askToRelease');
  afterAll(() => {
    watchHolders.mockRestore();
    askToRelease.mockRestore();
  });
  return {
    askToRelease,
    hold(holders) {
      held = holders;
      for (const listener of listeners) {
        listener(holders ?? []);
      }
    },
  };
}
