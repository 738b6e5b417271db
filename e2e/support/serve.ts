/**
 * The product under test: the built web app and a server. Its data folder is empty and is deleted when the server
 * stops.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '@wirebench/server';
import { serverPort } from './product.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'wirebench-e2e-'));
// Removes the limits, because the tests act as several people with one name at one address.
const unlimited = {
  RATE_LIMIT_WRITES: '0',
  RATE_LIMIT_READS: '0',
  LIMIT_UPLOADS_PER_USER: '8',
  LIMIT_LIVE_ROOMS: '32',
};
const server = await startServer({ PORT: serverPort, DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...unlimited });

process.once('SIGTERM', async () => {
  await server.close();
  rmSync(dataDir, { recursive: true, force: true });
  process.exit(0);
});
