import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/**
 * One project per environment: everything runs in Node, the server with a PostgreSQL and an S3 store beside it; only the
 * web's components get a simulated document. Time-outs end what hangs and measure nothing.
 */
export default defineConfig({
  test: {
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
