/**
 * `npm start`: the whole product in one process. Builds the web app if its sources changed, then starts the server.
 * Invalid settings are reported before the build. Settings may be in a file `.env` beside the README.
 */
import { checkSettings, loadEnvironment, StartError } from '@wirebench/server';
import { buildWeb, webIsBuilt } from './build/web.ts';

try {
  await checkSettings(loadEnvironment());
  if (!webIsBuilt()) {
    console.log('Building the web app. This is needed once, and again when its sources change.');
    await buildWeb();
  }
} catch (error) {
  const lines = error instanceof StartError ? error.lines : [error instanceof Error ? error.message : String(error)];
  console.error(lines.join('\n'));
  process.exit(1);
}
await import('../apps/server/src/main.ts');
