/** The built web app behind its server with an empty data folder, and a browser. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { startServer } from '@wirebench/server';
import { buildWeb, webIsBuilt } from '../../scripts/build/web.ts';
import { provideBrowser } from '../../scripts/test/browser.ts';
import { endWithout } from '../shortest.ts';

const flags = [
  '--headless',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface Product {
  readonly browser: Browser;
  /** Address of the terminal. */
  readonly terminal: string;
  stop(): Promise<void>;
}

export async function startProduct(): Promise<Product> {
  if (!webIsBuilt()) {
    await buildWeb();
  }
  const executablePath = await provideBrowser();
  if (executablePath === undefined) {
    endWithout('No Chromium was found: set CHROME to the path of Chromium or Chrome.');
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'wirebench-benchmark-'));
  const server = await startServer({ PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
  // Chromium refuses to run its sandbox as root.
  const chromiumSandbox = process.getuid?.() !== 0;
  const browser = await chromium.launch({ executablePath, chromiumSandbox, args: flags });
  return {
    browser,
    terminal: `${server.address}/app/uart`,
    stop: async () => {
      await browser.close();
      await server.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
