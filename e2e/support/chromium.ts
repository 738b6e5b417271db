/** How the tests start Chromium: the same for every test, without the background requests of a fresh profile. */
import { findInstalledBrowser } from '../../scripts/test/browser.ts';

const executablePath = findInstalledBrowser();

export const chromium = {
  ...(executablePath ? { executablePath } : {}),
  // Chromium refuses to run its sandbox as root.
  chromiumSandbox: process.getuid?.() !== 0,
  args: [
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};
