/** A separate Chromium whose Web Serial sees the ports of a host. */
import { type BrowserContext, chromium as browsers } from '@playwright/test';
import { chromium } from '../support/chromium.ts';
import { origin } from '../support/product.ts';
import type { WebSerialHost } from './host.ts';

/**
 * Replaces the browser's chooser, which a headless browser does not show: resolves with the first permitted port. It
 * waits for a port that is not there yet, because a board just plugged in reaches the browser with a delay.
 */
const chooseFirstPort = () => {
  const { serial } = navigator;
  serial.requestPort = () =>
    new Promise((resolve, reject) => {
      const answer = async () => {
        const [port] = await serial.getPorts();
        if (port !== undefined) {
          serial.removeEventListener('connect', answer);
          resolve(port);
        }
      };
      // Does not use `once`, because Chromium does not fire this event for such a listener.
      serial.addEventListener('connect', answer);
      answer().catch(reject);
    });
};

/**
 * Opens the browser.
 *
 * @param site Origin whose pages may open the host's current ports.
 */
export async function openBrowser(host: WebSerialHost, site: string): Promise<BrowserContext> {
  const context = await browsers.launchPersistentContext(host.makeProfile(site), {
    ...chromium,
    baseURL: origin,
    acceptDownloads: true,
    // The same as in all other tests (playwright.config.ts).
    serviceWorkers: 'block',
    viewport: { width: 1440, height: 900 },
    env: { ...definedOf(process.env), ...host.env },
  });
  await context.addInitScript(chooseFirstPort);
  return context;
}

function definedOf(environment: NodeJS.ProcessEnv): Record<string, string> {
  const pairs = Object.entries(environment).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return Object.fromEntries(pairs);
}
