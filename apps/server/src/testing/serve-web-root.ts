/**
 * Starts a server with the web app build in the folder on the command line, and stops it on SIGTERM. For tests with
 * two builds.
 */
import { loadEnvironment } from '../environment.ts';
import { startServer } from '../start-server.ts';

const [webRoot = ''] = process.argv.slice(2);
const server = await startServer(loadEnvironment(), { webRoot });
process.once('SIGTERM', async () => {
  await server.close();
  process.exit(0);
});
console.log(`Wirebench is ready: ${server.address}`);
