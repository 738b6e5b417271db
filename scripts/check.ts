/**
 * `npm run check`: checks what changed against the main branch: the linter on those files, the structure check, the
 * types of the projects that hold them, and the tests that import them. `npm test` remains the whole truth. `--all`
 * runs every test that reaches a change, and not only the nearest.
 */
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './build/web.ts';
import { changedFiles, projectsOf, testsOf } from './check/what-changed.ts';
import { readSources } from './structure/source-files.ts';
import { compileModulesOnce } from './test/compile-cache.ts';

const { values } = parseArgs({ options: { all: { type: 'boolean', default: false } } });

/** Test files that run without `--all`: those with the fewest imports between them and a change. */
const NEAREST = 30;

const bin = (...path: readonly string[]) => join(root, 'node_modules', ...path);
/** Keeps what the compiler has checked, so that it checks only what a change reaches. */
const types = join(root, '.cache', 'types');

interface Check {
  readonly name: string;
  readonly args: readonly string[];
}

function checksOf(files: readonly string[]): readonly Check[] {
  const linted = files.filter((path) => /\.(?:[jt]sx?|mjs|json|css|html)$/.test(path) && path !== 'package-lock.json');
  const tests = testsOf(root, files, readSources(root));
  const chosen = values.all ? tests : tests.slice(0, NEAREST);
  if (chosen.length < tests.length) {
    console.log(`The nearest ${NEAREST} of ${tests.length} test files run. All of them: npm run check -- --all`);
  }
  return [
    ...(chosen.length === 0
      ? []
      : [{ name: `Tests (${chosen.length} files)`, args: [bin('vitest', 'vitest.mjs'), 'run', ...chosen] }]),
    ...projectsOf(files).map((project) => ({
      name: `Types of ${project}`,
      args: [
        ...[bin('typescript', 'bin', 'tsc'), '--checkers', '1', '-p', project, '--incremental'],
        ...['--tsBuildInfoFile', join(types, `${project.replaceAll('/', '_')}.tsbuildinfo`)],
      ],
    })),
    ...(linted.length === 0
      ? []
      : [{ name: 'Linter', args: [bin('@biomejs', 'biome', 'bin', 'biome'), 'check', ...linted] }]),
    { name: 'Structure', args: ['scripts/check-structure.ts'] },
  ];
}

/** Runs a check, and prints its output at once when it fails. Returns true if it passed. */
async function run({ name, args }: Check): Promise<boolean> {
  const start = performance.now();
  const output: Buffer[] = [];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.on('data', (data: Buffer) => output.push(data));
  child.stderr.on('data', (data: Buffer) => output.push(data));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const seconds = ((performance.now() - start) / 1_000).toFixed(1);
  console.log(`${code === 0 ? 'passed' : 'FAILED'} ${seconds.padStart(6)} s  ${name}`);
  if (code !== 0) {
    console.log(Buffer.concat(output).toString());
  }
  return code === 0;
}

compileModulesOnce();
mkdirSync(types, { recursive: true });
const start = performance.now();
const files = changedFiles(root);
console.log(files.length === 0 ? 'Nothing differs from main.' : `${files.length} files differ from main.`);
const waiting = checksOf(files).values();
const results: boolean[] = [];

/** Runs checks from the shared iterator until it is empty. The tests come first, because they take longest. */
async function work(): Promise<void> {
  for (const check of waiting) {
    results.push(await run(check));
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, work));
const failed = results.filter((passed) => !passed).length;
console.log(
  `${results.length - failed} passed, ${failed} failed in ${((performance.now() - start) / 1_000).toFixed(1)} s`,
);
process.exit(failed === 0 ? 0 : 1);
