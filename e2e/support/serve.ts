/** The product under test: the built web app and a server with an empty data folder that goes when the server stops. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '@wirebench/server';
import { serverPort } from './product.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'wirebench-e2e-'));
const server = await startServer({ PORT: serverPort, DATA_DIR: dataDir, LOG_LEVEL: 'warn', RATE_LIMIT_WRITES: '0' });

process.once('SIGTERM', async () => {
  await server.close();
  rmSync(dataDir, { recursive: true, force: true });
  process.exit(0);
});
