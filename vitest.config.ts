import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { compileModulesOnce, freshGuides } from './scripts/test/compile-cache.ts';
import { WaitingFirst } from './scripts/test/waiting-first.ts';

/** Log messages of test tools about their own limits. None of them appears in a browser. */
const expectedLogs = [
  // jsdom does not follow links.
  'Not implemented: navigation',
  // jsdom does not know this HTML element.
  'The tag <search> is unrecognized',
  // Testing Library turns this off while it waits for an element.
  'not configured to support act(',
  // The simulated external provider keeps its sessions in memory.
  'development-only in-memory adapter',
];

/**
 * One more than the cores, because tests in virtual time often wait for the machine. Vitest's default leaves one core
 * free, which is half of two cores. Projects do not inherit options, so each needs this one.
 */
const maxWorkers = availableParallelism() + 1;

/** More workers, because tests of the server mostly wait for databases, sockets and other processes. */
const serverWorkers = availableParallelism() + 3;

/**
 * Time limits of every project in milliseconds. Vitest's default poll timeout of a second is too short on a busy
 * machine.
 */
const limits = { testTimeout: 90_000, hookTimeout: 90_000, expect: { poll: { timeout: 20_000 } } };

const equalBytes = fileURLToPath(new URL('./scripts/test/equal-bytes.ts', import.meta.url));
const randomInputs = fileURLToPath(new URL('./packages/test-input/src/set-up.ts', import.meta.url));
const registerStores = fileURLToPath(new URL('./apps/web/src/shared/testing/register-stores.ts', import.meta.url));
const freshModules = fileURLToPath(new URL('./scripts/test/fresh-modules.ts', import.meta.url));

compileModulesOnce();

/**
 * One project for each environment. Everything runs in Node; the server's tests also get a PostgreSQL and an S3
 * store. Only the web's components and files named `*.dom.test.ts` get a simulated document. Timeouts end hanging
 * tests and do not measure speed.
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
          // Files of a process share its modules, in which packages keep no state. A process for each file would
          // account for a sixth of the time.
          isolate: false,
          ...limits,
          environment: 'node',
          setupFiles: [equalBytes, randomInputs],
          // Its modules import each other without file endings, which Node refuses.
          server: { deps: { inline: ['improv-wifi-serial-sdk'] } },
          include: [
            'packages/*/src/**/*.test.ts',
            'scripts/**/*.test.ts',
            'benchmarks/**/*.test.ts',
            'apps/web/*.test.ts',
            'apps/cli/src/**/*.test.ts',
          ],
        },
      },
      {
        test: {
          name: 'server',
          maxWorkers: serverWorkers,
          // Vitest does not run projects with different numbers of workers side by side.
          sequence: { groupOrder: 1 },
          // Shared modules as above: each app of the server has its own state.
          isolate: false,
          ...limits,
          environment: 'node',
          setupFiles: [equalBytes, randomInputs, 'apps/server/src/testing/restore-mocks.ts'],
          include: ['apps/server/src/**/*.test.ts'],
          globalSetup: [
            'scripts/test/server-build.ts',
            ...['sqlite', 'postgres', 's3'].map((name) => `apps/server/src/testing/${name}-setup.ts`),
          ],
        },
      },
      {
        extends: './apps/web/vite.config.ts',
        plugins: [freshGuides],
        test: {
          name: 'web',
          maxWorkers,
          // Shared processes as above, but with fresh modules, because the modules hold stores.
          isolate: false,
          ...limits,
          root: './apps/web',
          environment: 'node',
          setupFiles: [equalBytes, randomInputs, freshModules],
          include: ['src/**/*.test.ts'],
          exclude: ['src/**/*.dom.test.ts'],
        },
      },
      {
        extends: './apps/web/vite.config.ts',
        plugins: [freshGuides],
        test: {
          name: 'components',
          maxWorkers,
          ...limits,
          root: './apps/web',
          environment: 'jsdom',
          // Each file gets a document and its own modules, in a thread that is reused.
          pool: 'vmThreads',
          setupFiles: [
            equalBytes,
            randomInputs,
            registerStores,
            fileURLToPath(new URL('./apps/web/test-setup.ts', import.meta.url)),
          ],
          include: ['src/**/*.test.tsx', 'src/**/*.dom.test.ts'],
        },
      },
    ],
  },
});
