/**
 * `npm run dev`: hot reload for developers of the product. Vite serves the web app on http://localhost:4173. It
 * forwards calls to a server on port 4174, which restarts when its sources change.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './build/web.ts';

const webPort = 4173;
const serverPort = 4174;

const start = (cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess =>
  spawn(process.execPath, args, { cwd, stdio: 'inherit', env: { ...process.env, ...env } });

const children = [
  start(root, ['--watch-preserve-output', '--watch', 'apps/server/src/main.ts'], {
    PORT: String(serverPort),
    PUBLIC_URL: `http://localhost:${webPort}`,
  }),
  start(join(root, 'apps', 'web'), [
    join(root, 'node_modules', 'vite', 'bin', 'vite.js'),
    '--port',
    String(webPort),
    '--strictPort',
  ]),
];

/** Ends both children and this process as soon as one child ends. */
const stop = (code: number) => {
  for (const child of children) {
    child.kill('SIGTERM');
  }
  process.exit(code);
};
for (const child of children) {
  child.once('close', (code) => stop(code ?? 0));
}
process.on('SIGINT', () => stop(0));
process.on('SIGTERM', () => stop(0));
