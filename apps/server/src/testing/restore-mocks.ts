/**
 * Setup of every test file of the server. Files share the modules of their process, so the mocks of each are removed
 * at its end.
 */
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, vi } from 'vitest';

afterAll(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});
