/**
 * Runs before `npm start`, `npm test` and the other top-level commands. Installs the versions of the lock file if
 * they are missing or outdated. Plain JavaScript without dependencies, because it runs under any installed Node. The
 * script after it runs under the pinned Node that this step installs.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Modification time of the file in milliseconds since the epoch; 0 if it does not exist. */
const changedAt = (file) => (existsSync(file) ? statSync(file).mtimeMs : 0);

/** npm writes this file last, so an aborted installation counts as missing. */
const installed = join(root, 'node_modules', '.package-lock.json');

if (changedAt(installed) < changedAt(join(root, 'package-lock.json'))) {
  const start = Date.now();
  console.log('Installing dependencies (npm ci). This is needed once, and again when the lock file changes.');
  const npm = process.env.npm_execpath;
  const [command, args] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  const { status } = spawnSync(command, [...args, 'ci', '--no-fund', '--no-audit', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32' && command === 'npm',
  });
  if (status !== 0) {
    console.error('Dependencies could not be installed: read what npm ci says above, fix it, and run this again.');
    process.exit(1);
  }
  // `npm test` counts this time.
  writeFileSync(join(root, 'node_modules', '.installation.json'), JSON.stringify({ start, end: Date.now() }));
}

if (!existsSync(join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node'))) {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 26) {
    console.error(
      `There is no packaged Node 26.10.0 for ${process.platform}-${process.arch}: install Node 26 and run this again.`,
    );
    process.exit(1);
  }
}
