/** Set-up of every test file of the server. Files share the modules of their process: what one of them has put in the place of something ends with it. */
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, vi } from 'vitest';

afterAll(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});
