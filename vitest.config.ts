import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { compileModulesOnce } from './scripts/test/compile-cache.ts';
import { WaitingFirst } from './scripts/test/waiting-first.ts';

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
 * One more than there are cores: tests in virtual time wait for the machine between two steps of it. Vitest leaves a core free by itself, which on two
 * cores is half of them. A project takes over nothing from the whole: each needs it.
 */
const maxWorkers = availableParallelism() + 1;

/** Tests of the server wait for databases, sockets and other processes much of their time. */
const serverWorkers = availableParallelism() + 3;

/** Of every project, in milliseconds. What a test waits for comes when the machine gets to it: a second, Vitest's own limit, is too short on a busy one. */
const limits = { testTimeout: 90_000, hookTimeout: 90_000, expect: { poll: { timeout: 20_000 } } };

const equalBytes = fileURLToPath(new URL('./scripts/test/equal-bytes.ts', import.meta.url));
const freshModules = fileURLToPath(new URL('./scripts/test/fresh-modules.ts', import.meta.url));

compileModulesOnce();

/**
 * One project per environment: everything runs in Node, the server with a PostgreSQL and an S3 store beside it; only the
 * web's components, and what else is named `*.dom.test.ts`, get a simulated document. Time-outs end what hangs and measure nothing.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: WaitingFirst },
    onConsoleLog: (log) => !expectedLogs.some((expected) => log.includes(expected)),
    projects: [
      {
        test: {
          name: 'node',
          maxWorkers,
          // Files share the modules of their process: packages keep nothing in them, and starting a process for each file is a sixth of the time.
          isolate: false,
          ...limits,
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
          maxWorkers: serverWorkers,
          // Vitest lets no two projects with different numbers of workers run side by side.
          sequence: { groupOrder: 1 },
          // As above: what the server keeps, each app of it has for itself.
          isolate: false,
          ...limits,
          environment: 'node',
          setupFiles: [equalBytes, 'apps/server/src/testing/restore-mocks.ts'],
          include: ['apps/server/src/**/*.test.ts'],
          globalSetup: ['sqlite', 'postgres', 's3'].map((name) => `apps/server/src/testing/${name}-setup.ts`),
        },
      },
      {
        extends: './apps/web/vite.config.ts',
        test: {
          name: 'web',
          maxWorkers,
          // As above, but for the modules: stores are in them.
          isolate: false,
          ...limits,
          root: './apps/web',
          environment: 'node',
          setupFiles: [equalBytes, freshModules],
          include: ['src/**/*.test.ts'],
          exclude: ['src/**/*.dom.test.ts'],
        },
      },
      {
        extends: './apps/web/vite.config.ts',
        test: {
          name: 'components',
          maxWorkers,
          ...limits,
          root: './apps/web',
          environment: 'jsdom',
          // A document for each file, with modules of its own, in a thread that stays.
          pool: 'vmThreads',
          setupFiles: [equalBytes, fileURLToPath(new URL('./apps/web/test-setup.ts', import.meta.url))],
          include: ['src/**/*.test.tsx', 'src/**/*.dom.test.ts'],
        },
      },
    ],
  },
});
