/**
 * End-to-end tests: what a person does, in the machine's own Chromium, against the whole product on a port and a data
 * folder of its own. `npm run test:e2e` prepares everything that they need.
 */
import { defineConfig, devices } from '@playwright/test';
import { launchOptionsOf, oldChromium } from './old-browser/chromium-92.ts';
import { chromium, pagesOnly } from './support/chromium.ts';
import { origin } from './support/product.ts';

const long = process.env.WIREBENCH_TEST_LONG === '1';

/** Says that it is the current Chrome; the old browser says what it is itself. The window is the same everywhere. */
const { viewport: _, ...current } = devices['Desktop Chrome'];

export default defineConfig({
  testDir: './tests',
  outputDir: '../test-results',
  fullyParallel: true,
  forbidOnly: true,
  // One more than the cores of a small machine, and no more: four took longer in all. Tests wait for boards, whose time is real here.
  workers: 3,
  retries: 0,
  // A state is waited for as long as a busy machine may need for it; nothing here measures speed.
  timeout: long ? 300_000 : 180_000,
  expect: { timeout: 40_000 },
  ...(long ? {} : { grepInvert: /@long/ }),
  use: {
    viewport: { width: 1440, height: 900 },
    baseURL: origin,
    launchOptions: chromium,
    // Each test starts in an empty browser, which would fetch the whole product to keep it: `offline.spec.ts` alone lets it.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    // A trace of each test takes a fortieth of the time of the tests, even without what the page held. `--trace retain-on-failure` keeps all of it.
    trace: 'off',
  },
  projects: [
    {
      name: 'product',
      use: { ...current, launchOptions: pagesOnly },
      testIgnore: ['web-serial/**', 'old-browser/**', 'tests/firefox/**'],
    },
    // Only where the library that these tests need could be built; the test command counts the project as skipped else.
    ...(process.env.WIREBENCH_WEB_SERIAL_LIBRARY
      ? [{ name: 'web-serial', use: current, testMatch: 'web-serial/**' }]
      : []),
    // Likewise where the browser, which the test command unpacks, starts.
    ...(oldChromium
      ? [
          {
            name: 'old-browser',
            testMatch: 'old-browser/**',
            use: { launchOptions: launchOptionsOf(oldChromium) },
          },
        ]
      : []),
    // Only where a Firefox was found or installed.
    ...(process.env.WIREBENCH_FIREFOX
      ? [
          {
            name: 'firefox',
            testMatch: 'tests/firefox/**',
            use: {
              browserName: 'firefox' as const,
              channel: 'moz-firefox',
              // Firefox shows pages its own loopback ports then, and the test chooses one without the browser's dialog.
              launchOptions: {
                executablePath: process.env.WIREBENCH_FIREFOX,
                firefoxUserPrefs: { 'dom.webserial.testing.enabled': true },
              },
            },
          },
        ]
      : []),
  ],
  webServer: {
    command: `"${process.execPath}" e2e/support/serve.ts`,
    cwd: '..',
    url: `${origin}/api/health`,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
    stdout: 'ignore',
  },
});
