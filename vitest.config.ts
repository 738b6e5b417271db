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

/**
 * One project per environment: everything runs in Node, the server with a PostgreSQL and an S3 store beside it; only the
 * web's components get a simulated document. Time-outs end what hangs and measure nothing.
 */
export default defineConfig({
  test: {
    // Vitest leaves a core free by itself, which on two cores is half of them.
    maxWorkers: availableParallelism(),
    onConsoleLog: (log) => !expectedLogs.some((expected) => log.includes(expected)),
    projects: [
      {
        test: {
          name: 'node',
          testTimeout: 30_000,
          environment: 'node',
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
          testTimeout: 30_000,
          environment: 'node',
          include: ['apps/server/src/**/*.test.ts'],
          globalSetup: ['apps/server/src/testing/postgres-setup.ts', 'apps/server/src/testing/s3-setup.ts'],
        },
      },
      {
        extends: './apps/web/vite.config.ts',
        test: {
          name: 'web',
          testTimeout: 30_000,
          root: './apps/web',
          environment: 'jsdom',
          setupFiles: [fileURLToPath(new URL('./apps/web/test-setup.ts', import.meta.url))],
          include: ['src/**/*.test.{ts,tsx}'],
        },
      },
    ],
  },
});
