/** Builds the web app, and knows when that is not needed: a stamp beside the result names the inputs it was made from. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const root = dirname(dirname(import.meta.dirname));

/** Folder that the server hands out. */
export const webDist = join(root, 'apps', 'web', 'dist');

const stamp = join(webDist, '.inputs');

/** What the result depends on: sources of the web, of the programs that are served beside it and of the packages, and the installed versions. */
const inputs = [
  'apps/web',
  'apps/remote-port',
  'scripts/publish-release.ts',
  'scripts/publishing',
  'packages',
  'package-lock.json',
];

/** A digest over path, size and time of change of every input: a few milliseconds, and no false "up to date". */
function fingerprint(): string {
  const hash = createHash('sha256');
  const add = (path: string) => {
    const { size, mtimeMs } = statSync(join(root, path));
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  };
  for (const input of inputs) {
    if (statSync(join(root, input)).isFile()) {
      add(input);
      continue;
    }
    const files = readdirSync(join(root, input), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
      .filter((path) => !/[\\/](dist|node_modules)[\\/]/.test(path) && !/\.test\.tsx?$/.test(path));
    files.sort().forEach(add);
  }
  return hash.digest('hex');
}

/** True when `webDist` was built from the inputs as they are now. */
export function webIsBuilt(): boolean {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint();
}

/** Builds the web app into `webDist`. Throws when the build fails; what it said is on the terminal. */
export async function buildWeb(): Promise<void> {
  const before = fingerprint();
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const child = spawn(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: join(root, 'apps', 'web'),
    stdio: 'inherit',
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) {
    throw new Error('The web app could not be built: read what the build says above.');
  }
  writeFileSync(stamp, before);
}
