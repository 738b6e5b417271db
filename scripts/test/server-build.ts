/**
 * Bundles the server for tests that start it as a process. A bundled server starts in two thirds of the processor
 * time. Tests of the program itself (`main.test.ts`, `cli.test.ts`) start the sources.
 */
import { existsSync, globSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { bundleForThisNode } from '../../apps/web/bundle-script.ts';
import { fingerprint, root } from '../build/web.ts';

const builds = join(root, '.cache', 'server-builds');
const source = join(root, 'apps', 'server', 'src');
const DAY = 24 * 3_600_000;

/** Set-up of Vitest. It sets `WIREBENCH_SERVER_BUILD` for `apps/server/src/testing/server-process.ts`. */
export async function setup(): Promise<void> {
  const build = join(
    builds,
    fingerprint(['apps/server', 'packages', 'apps/web/bundle-script.ts', 'package-lock.json']),
  );
  if (!existsSync(build)) {
    mkdirSync(builds, { recursive: true });
    removeOldBuilds();
    // Other runs may build the same sources at the same time.
    const folder = `${build}-${process.pid}`;
    await bundleForThisNode(inputs(), folder);
    if (existsSync(build)) {
      rmSync(folder, { recursive: true });
    } else {
      renameSync(folder, build);
    }
  }
  process.env.WIREBENCH_SERVER_BUILD = build;
}

function inputs(): Readonly<Record<string, string>> {
  const threads = globSync('**/*.worker.ts', { cwd: source });
  return {
    main: join(source, 'main.ts'),
    'serve-web-root': join(source, 'testing', 'serve-web-root.ts'),
    ...Object.fromEntries(threads.map((path) => [basename(path, '.ts'), join(source, path)])),
  };
}

/** Removes builds of sources from more than a day ago. Younger ones may be in use by another run. */
function removeOldBuilds(): void {
  for (const name of readdirSync(builds)) {
    const path = join(builds, name);
    if (Date.now() - statSync(path).mtimeMs > DAY) {
      rmSync(path, { recursive: true, force: true });
    }
  }
}
