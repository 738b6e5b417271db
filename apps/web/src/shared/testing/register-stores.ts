/** Set-up of component tests: registers each store, because stores are private to their files. */
import { vi } from 'vitest';
import type { StateCreator } from 'zustand/vanilla';

vi.mock('zustand/vanilla', async (importOriginal) => {
  const zustand = await importOriginal<typeof import('zustand/vanilla')>();
  const { registerStore } = await import('./stores.ts');
  return {
    ...zustand,
    createStore: <State>(initial: StateCreator<State>) => {
      const store = zustand.createStore(initial);
      registerStore(store);
      return store;
    },
  };
});
