/**
 * Set-up of test files that share a process: each gets fresh modules with their stores, and its mocks and stubs are
 * removed afterwards.
 */
import { afterAll, vi } from 'vitest';

vi.resetModules();

afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});
