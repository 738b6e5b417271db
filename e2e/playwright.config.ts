/**
 * End-to-end tests: a person's actions in a real Chromium, against the whole product on its own port and data folder.
 * `npm run test:e2e` prepares all requirements.
 */
import { defineConfig, devices } from '@playwright/test';
import { isLong } from '@wirebench/test-input';
import { launchOptionsOf, oldChromium } from './old-browser/chromium-92.ts';
import { chromium, pagesOnly } from './support/chromium.ts';
import { origin } from './support/product.ts';

// Without a locale of UTF-8, Chromium cannot read dropped files whose names are not ASCII.
process.env.LANG ??= 'C.UTF-8';

/** Identifies as the current Chrome; the old browser keeps its own identity. The window is the same everywhere. */
const { viewport: _, ...current } = devices['Desktop Chrome'];

export default defineConfig({
  testDir: './tests',
  outputDir: '../test-results',
  fullyParallel: true,
  forbidOnly: true,
  // One more than the cores of a small machine. Four workers took longer in total, because boards run in real time
  // here.
  workers: 3,
  retries: 0,
  // Waits long enough for a busy machine; the tests do not measure speed.
  timeout: isLong ? 300_000 : 180_000,
  expect: { timeout: 40_000 },
  ...(isLong ? {} : { grepInvert: /@long/ }),
  use: {
    viewport: { width: 1440, height: 900 },
    baseURL: origin,
    launchOptions: chromium,
    // Each test starts in an empty browser, whose service worker would fetch the whole product. Only
    // `offline.spec.ts` allows that.
    serviceWorkers: 'block',
    // Motion takes a tenth of the pages' time. Tests that need it use `withMotion`.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // Tracing takes a fortieth of the tests' time, even without page content. `--trace retain-on-failure` records
    // everything.
    trace: 'off',
  },
  projects: [
    {
      name: 'product',
      use: { ...current, launchOptions: pagesOnly },
      testIgnore: ['web-serial/**', 'old-browser/**', 'tests/firefox/**'],
    },
    // Only with the library that these tests need; otherwise the test command counts the project as skipped.
    ...(process.env.WIREBENCH_WEB_SERIAL_LIBRARY
      ? [{ name: 'web-serial', use: current, testMatch: 'web-serial/**' }]
      : []),
    // Only if the browser unpacked by the test command starts.
    ...(oldChromium
      ? [
          {
            name: 'old-browser',
            testMatch: 'old-browser/**',
            use: { launchOptions: launchOptionsOf(oldChromium) },
          },
        ]
      : []),
    // Only if a Firefox was found or installed.
    ...(process.env.WIREBENCH_FIREFOX
      ? [
          {
            name: 'firefox',
            testMatch: 'tests/firefox/**',
            use: {
              browserName: 'firefox' as const,
              channel: 'moz-firefox',
              // Makes Firefox offer loopback ports to pages, and lets a test choose one without the browser's dialog.
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
