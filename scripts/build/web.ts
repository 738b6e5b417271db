/** Builds the web app and detects an up-to-date build: a stamp beside the result records its inputs. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const root = dirname(dirname(import.meta.dirname));

/** Folder that the server serves. */
export const webDist = join(root, 'apps', 'web', 'dist');

const stamp = join(webDist, '.inputs');

/**
 * Inputs of the build: the sources of the web app, of the programs served beside it and of the packages, and the
 * installed versions.
 */
const inputs = ['apps/web', 'apps/cli', 'packages', 'package-lock.json'];

/**
 * Hashes path, size and modification time of every file in the inputs, without tests. Takes a few milliseconds and
 * never reports a changed input as up to date.
 *
 * @param inputs Paths of files and folders, relative to the repository.
 */
export function fingerprint(inputs: readonly string[]): string {
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

/** Returns true if `webDist` was built from the current inputs. */
export function webIsBuilt(): boolean {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint(inputs);
}

/**
 * Builds the web app into `webDist`.
 *
 * @throws Error if the build fails; its output is on the terminal.
 */
export async function buildWeb(): Promise<void> {
  const before = fingerprint(inputs);
  await runVite();
  writeFileSync(stamp, before);
}

/**
 * Runs the build of the web app.
 *
 * @param options Further options of `vite build`.
 * @throws Error if the build fails; its output is on the terminal.
 */
export async function runVite(options: readonly string[] = []): Promise<void> {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const child = spawn(process.execPath, [vite, 'build', '--logLevel', 'warn', ...options], {
    cwd: join(root, 'apps', 'web'),
    stdio: 'inherit',
    // A build that a test starts would otherwise contain the development build of React.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) {
    throw new Error('The web app could not be built: read what the build says above.');
  }
}
