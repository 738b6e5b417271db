/** A test in a Chromium whose Web Serial sees one board on a virtual port. */
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import { ChattyBoard } from '@wirebench/devices';
import { origin } from '../support/product.ts';
import { closeContexts, emptyContext, takeContext } from '../support/shared-context.ts';
import { keepColumnsOpen } from '../tests/terminal-steps.ts';
import { openBrowser } from './browser.ts';
import { WebSerialHost } from './host.ts';
import { knownBoards } from './known-boards.ts';
import { PluggedBoard } from './plugged-board.ts';
import type { VirtualPort } from './virtual-port.ts';

interface Fixtures {
  /** Removes the ports of the previous test from the host. */
  noPorts: undefined;
  /** Rate of the board's UART. `paced`: true if bytes take the time of that rate. */
  line: { readonly baudRate: number; readonly paced: boolean };
  /** Address of the first page. */
  start: string;
  port: VirtualPort;
  board: PluggedBoard;
  terminal: Page;
}

interface WorkerFixtures {
  host: WebSerialHost;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  line: [{ baudRate: 115_200, paced: false }, { option: true }],
  start: ['/app/uart', { option: true }],
  host: [
    // Playwright requires a destructured first parameter, even an empty one.
    // biome-ignore lint/correctness/noEmptyPattern: see above
    async ({}, use) => {
      const library = process.env.WIREBENCH_WEB_SERIAL_LIBRARY;
      if (!library) {
        throw new Error('These tests need the library that `npm run test:e2e` builds.');
      }
      const host = await WebSerialHost.start(library);
      for (const board of knownBoards) {
        host.permit(board);
      }
      await use(host);
      await closeContexts();
      host.stop();
    },
    { scope: 'worker' },
  ],
  noPorts: [
    async ({ host }, use) => {
      await use(undefined);
      await host.removePorts();
    },
    { auto: true },
  ],
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
  terminal: async ({ host, board, start }, use, testInfo) => {
    expect(board.received).toHaveLength(0);
    // A browser without permission for these ports is closed, because its profile holds the permissions.
    const context = await takeContext(host.identities, () => openBrowser(host, origin), 1);
    const page = await context.newPage();
    await keepColumnsOpen(page);
    await page.goto(start);
    // Makes Chromium enumerate the ports. A port plugged in before the first request exists, but fires no event.
    await page.evaluate(() => navigator.serial.getPorts());
    await use(page);
    await emptyContext(context, testInfo.status === testInfo.expectedStatus);
    await host.removePorts();
    await forgetPorts(context);
  },
});

/**
 * Waits until the browser has seen that all ports were removed. It lists a removed port until then, and the next test
 * would be given it.
 */
async function forgetPorts(context: BrowserContext): Promise<void> {
  const [blank] = context.pages();
  if (blank === undefined) {
    return;
  }
  await blank.goto(`${origin}/favicon.svg`);
  await expect.poll(() => blank.evaluate(async () => (await navigator.serial.getPorts()).length)).toBe(0);
  await blank.goto('about:blank');
}

export { expect };
