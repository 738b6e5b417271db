/** A Chromium of its own whose Web Serial sees the ports of a host. */
import { type BrowserContext, chromium as browsers } from '@playwright/test';
import { chromium } from '../support/chromium.ts';
import { origin } from '../support/product.ts';
import type { WebSerialHost } from './host.ts';

/**
 * Answers the browser's chooser, which a headless browser does not show: the first port that the site may open. As in a chooser, one that
 * is not there yet is waited for: a board that a test has just plugged in takes a moment to get to the browser.
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
      // Without `once`: Chromium does not fire this event to such a listener.
      serial.addEventListener('connect', answer);
      answer().catch(reject);
    });
};

/** @param site origin whose pages may open the ports that `host` has so far */
export async function openBrowser(host: WebSerialHost, site: string): Promise<BrowserContext> {
  const context = await browsers.launchPersistentContext(host.makeProfile(site), {
    ...chromium,
    baseURL: origin,
    acceptDownloads: true,
    // As in all other tests (playwright.config.ts).
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
