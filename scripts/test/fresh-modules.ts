/** Set-up of test files that share a process, but neither the stores in the modules of the product nor what one of them has stubbed. */
import { afterAll, vi } from 'vitest';

vi.resetModules();

afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});
