/**
 * `npm run benchmark -- <area> [options]`: runs the benchmark of an area with its options, and ends with its exit code.
 * Without an area, lists them.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const runOf = (area: string) => join(import.meta.dirname, area, 'run.ts');

const areas = readdirSync(import.meta.dirname).filter((name) => existsSync(runOf(name)));
const [area = '', ...options] = process.argv.slice(2);

if (areas.includes(area)) {
  const { status } = spawnSync(process.execPath, [runOf(area), ...options], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} else {
  console.error(
    `npm run benchmark -- <area> [options]. Areas: ${areas.join(', ')}. Options are in docs/benchmarks.md.`,
  );
  process.exitCode = 1;
}
