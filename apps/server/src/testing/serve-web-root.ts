/** Starts a server with the build of the web app in the folder that the command line names, and stops it on SIGTERM. For tests with two builds. */
import { loadEnvironment } from '../environment.ts';
import { startServer } from '../start-server.ts';

const [webRoot = ''] = process.argv.slice(2);
const server = await startServer(loadEnvironment(), { webRoot });
process.once('SIGTERM', async () => {
  await server.close();
  process.exit(0);
});
console.log(`Wirebench is ready: ${server.address}`);
