/** A test with a Chromium of its own, whose Web Serial sees one board that is plugged into a virtual port. */
import { type BrowserContext, test as base, chromium as browsers, expect, type Page } from '@playwright/test';
import { ChattyBoard } from '@wirebench/devices';
import { chromium } from '../support/chromium.ts';
import { origin } from '../support/product.ts';
import { WebSerialHost } from './host.ts';
import { PluggedBoard } from './plugged-board.ts';
import type { VirtualPort } from './virtual-port.ts';

interface Fixtures {
  /** Rate of the board's UART, and whether the port takes the time that its rate takes. */
  line: { readonly baudRate: number; readonly paced: boolean };
  host: WebSerialHost;
  port: VirtualPort;
  board: PluggedBoard;
  terminal: Page;
}

/** Answers the browser's chooser, which a headless browser does not show: the first port that the site may open. */
const chooseFirstPort = () => {
  navigator.serial.requestPort = async () => {
    const [port] = await navigator.serial.getPorts();
    if (port === undefined) {
      throw new DOMException('No port selected by the user.', 'NotFoundError');
    }
    return port;
  };
};

export const test = base.extend<Fixtures>({
  line: [{ baudRate: 115_200, paced: false }, { option: true }],
  // Playwright demands the destructuring, also of nothing.
  // biome-ignore lint/correctness/noEmptyPattern: see above
  host: async ({}, use) => {
    const library = process.env.WIREBENCH_WEB_SERIAL_LIBRARY;
    if (!library) {
      throw new Error('These tests need the library that `npm run test:e2e` builds.');
    }
    const host = await WebSerialHost.start(library);
    await use(host);
    host.stop();
  },
  port: async ({ host, line }, use) => {
    const port = await host.addPort({
      name: 'ttyUSB0',
      vendorId: 0x10c4,
      productId: 0xea60,
      serialNumber: '0001',
      product: 'CP2102 USB to UART Bridge',
      paced: line.paced,
    });
    await use(port);
  },
  board: async ({ port, line }, use) => {
    await use(new PluggedBoard(port, new ChattyBoard({ baudRate: line.baudRate, powerUp: 'first-open' })));
  },
  terminal: async ({ host, board }, use) => {
    expect(board.heard).toHaveLength(0);
    const context: BrowserContext = await browsers.launchPersistentContext(host.makeProfile(origin), {
      ...chromium,
      baseURL: origin,
      acceptDownloads: true,
      viewport: { width: 1440, height: 900 },
      env: { ...definedOf(process.env), ...host.env },
    });
    await context.addInitScript(chooseFirstPort);
    const page = context.pages()[0] ?? (await context.newPage());
    await page.goto('/app/uart');
    await use(page);
    await context.close();
  },
});

function definedOf(environment: NodeJS.ProcessEnv): Record<string, string> {
  const pairs = Object.entries(environment).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return Object.fromEntries(pairs);
}

export { expect };
