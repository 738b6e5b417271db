import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Said by what the tests stand on, of what it lacks itself; in a browser none of it is said. */
const expectedLogs = [
  // jsdom follows no links.
  'Not implemented: navigation',
  // jsdom does not know this element of HTML.
  'The tag <search> is unrecognized',
  // Testing Library turns this off while it waits for what is to appear.
  'not configured to support act(',
  // The provider that stands for somebody else's keeps its sessions in memory.
  'development-only in-memory adapter',
];

/** Vitest leaves a core free by itself, which on two cores is half of them. A project takes over nothing from the whole: each needs it. */
const maxWorkers = availableParallelism();

/** What a test waits for comes when the machine gets to it: a second, Vitest's own limit, is too short on a busy one. Milliseconds. */
const poll = { timeout: 20_000 };

const equalBytes = fileURLToPath(new URL('./scripts/test/equal-bytes.ts', import.meta.url));

/**
 * One project per environment: everything runs in Node, the server with a PostgreSQL and an S3 store beside it; only the
 * web's components get a simulated document. Time-outs end what hangs and measure nothing.
 */
export default defineConfig({
  test: {
    onConsoleLog: (log) => !expectedLogs.some((expected) => log.includes(expected)),
    projects: [
      {
        test: {
          name: 'node',
          maxWorkers,
          testTimeout: 30_000,
          hookTimeout: 30_000,
          expect: { poll },
          environment: 'node',
          setupFiles: [equalBytes],
          include: [
            'packages/*/src/**/*.test.ts',
            'scripts/**/*.test.ts',
            'benchmarks/**/*.test.ts',
            'apps/web/*.test.ts',
            'apps/remote-port/src/**/*.test.ts',
          ],
        },
      },
      {
        test: {
          name: 'server',
          maxWorkers,
          testTimeout: 30_000,
          hookTimeout: 30_000,
          expect: { poll },
          environment: 'node',
          setupFiles: [equalBytes],
          include: ['apps/server/src/**/*.test.ts'],
          globalSetup: ['sqlite', 'postgres', 's3'].map((name) => `apps/server/src/testing/${name}-setup.ts`),
        },
      },
      {
        extends: './apps/web/vite.config.ts',
        test: {
          name: 'web',
          maxWorkers,
          testTimeout: 30_000,
          hookTimeout: 30_000,
          expect: { poll },
          root: './apps/web',
          environment: 'jsdom',
          setupFiles: [equalBytes, fileURLToPath(new URL('./apps/web/test-setup.ts', import.meta.url))],
          include: ['src/**/*.test.{ts,tsx}'],
        },
      },
    ],
  },
});
