import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../build/web.ts';
import type { ReportedFile, ReportedTest } from './report.ts';
import { playwright, vitest } from './runners.ts';
import { decide, judgeFile, type TestRunner, type Verdict } from './second-run.ts';

/** Planted suites need the project's modules, so they cannot live in the system's temporary folder. */
const cache = join(root, '.cache');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'planted-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Milliseconds for ten starts of a runner on a busy machine. */
const PATIENCE = 400_000;

/**
 * Start of each planted file. `isFirst` is true once for each name, whatever process asks. `hasRun` only looks, because
 * Playwright loads a file in several processes.
 */
const common = `
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
const markOf = (name) => new URL('./' + name + '.mark', import.meta.url);
const hasRun = (name) => existsSync(markOf(name));
const isFirst = (name) => {
  const first = !hasRun(name);
  writeFileSync(markOf(name), '');
  return first;
};
const failOnce = (name) => { if (isFirst(name)) throw new Error('failed once: ' + name); };
`;

/** Suites that are red in part, by file. */
const mixed: Readonly<Record<string, string>> = {
  'always-red': `test('fails', () => { throw new Error('always'); }); test('passes', () => {});`,
  'red-once': `test('fails once', () => failOnce('red')); test('passes', () => {});`,
  'hook-once': `
    describe('suite', () => { beforeAll(() => failOnce('hook')); test('one', () => {}); test('two', () => {}); });
    test('beside it', () => {});`,
  'late-hook-once': `afterAll(() => failOnce('late')); test('passes', () => {});`,
  'hook-without-end-once': `
    beforeAll(() => (isFirst('endless') ? new Promise(() => {}) : undefined), 2_000);
    test('passes', () => {});`,
  'skipped-later': `
    const declare = hasRun('skipped') ? test.skip : test;
    declare('fails, then is skipped', () => failOnce('skipped'));
    test('passes', () => {});`,
  'missing-later': `
    if (!hasRun('missing')) test('fails, then is missing', () => failOnce('missing'));
    test('passes', () => {});`,
  'always-skipped': `test.skip('is skipped', () => {}); test('fails once', () => failOnce('beside skipped'));`,
  neighbour: `
    let spoiled = false;
    test('spoils', () => { spoiled = true; });
    test('passes alone', () => { if (spoiled) throw new Error('spoiled'); });`,
};

/** Three files that fail once and name their process and worker. */
const workers = Object.fromEntries(
  ['one', 'two', 'three'].map((name) => [
    `worker-${name}`,
    `test('fails once', async () => {
      const line = () => appendFileSync(new URL('./workers.log', import.meta.url), [process.ppid, process.pid, '${name}'].join(' ') + '\\n');
      const first = isFirst('worker-${name}');
      if (!first) line();
      await new Promise((resolve) => setTimeout(resolve, 100));
      if (!first) line();
      if (first) throw new Error('once');
    });`,
  ]),
);

const eleven = Object.fromEntries(
  Array.from({ length: 11 }, (_, index) => [`red-${index}`, `test('fails once', () => failOnce('red ${index}'));`]),
);

interface Kind {
  readonly name: string;
  readonly imports: string;
  /** Configuration with a number of workers. */
  config(workers: number): string;
  runner(name: string, config: string): TestRunner;
}

const kinds: readonly Kind[] = [
  {
    name: 'Vitest',
    imports: `import { afterAll, beforeAll, describe, test } from 'vitest';`,
    config: (count) => `export default {
      test: { projects: [{ test: { name: 'planted', include: ['*.spec.js'], maxWorkers: ${count}, root: import.meta.dirname } }] },
    };`,
    runner: (name, config) => vitest({ name, args: ['--config', config], env: withoutOuterRunner, output: 'ignore' }),
  },
  {
    name: 'Playwright',
    imports: `import { test as base } from '@playwright/test';
      const test = base;
      const { describe, afterAll } = base;
      const beforeAll = (hook, limit) =>
        base.beforeAll(async () => { if (limit !== undefined) base.setTimeout(limit); await hook(); });`,
    // Tests of a file may run in different workers, as those of the product do.
    config: (count) => `export default {
      testDir: '.', testMatch: '*.spec.js', outputDir: './results', fullyParallel: true, workers: ${count},
      projects: [{ name: 'planted' }],
    };`,
    runner: (name, config) =>
      playwright({ name, args: ['--config', config], env: withoutOuterRunner, output: 'ignore' }),
  },
];

/** Hides the Vitest that runs this file from the one that it starts. */
function withoutOuterRunner(): NodeJS.ProcessEnv {
  const names = Object.keys(process.env).filter((name) => name.startsWith('VITEST') || name === 'TEST');
  return { ...Object.fromEntries(names.map((name) => [name, undefined])), NODE_ENV: undefined };
}

/** Writes suites into a folder of their own. Returns its path. */
function plant(kind: Kind, suite: string, files: Readonly<Record<string, string>>, workerCount: number): string {
  const place = join(folder, `planted-${kind.name}-${suite}`);
  mkdirSync(place);
  writeFileSync(join(place, 'config.mjs'), kind.config(workerCount));
  for (const [file, source] of Object.entries(files)) {
    writeFileSync(join(place, `${file}.spec.js`), `${kind.imports}\n${common}\n${source}\n`);
  }
  return place;
}

/** Plants suites and decides about them. */
async function decideAbout(kind: Kind, suite: string, files: Readonly<Record<string, string>>, workerCount = 3) {
  const place = plant(kind, suite, files, workerCount);
  const runner = kind.runner(basename(place), join(place, 'config.mjs'));
  const again: string[] = [];
  const verdicts = await decide(new Map([['planted', { runner, report: await runner.run() }]]), (path) =>
    again.push(path),
  );
  const verdict = verdicts.get('planted');
  if (verdict === undefined) {
    throw new Error('The runner has no verdict.');
  }
  return { verdict, again, place };
}

/** Returns the rows of a file without its folder. */
const rowsOf = ({ passedLater }: Verdict, file: string) =>
  passedLater
    .filter(({ test }) => test.includes(`/${file}.spec.js › `))
    .map(({ test, error }) => `${test.split(' › ').slice(1).join(' › ')}: ${error}`);
const failuresOf = ({ failures }: Verdict, file: string) =>
  failures.filter((failure) => failure.includes(`/${file}.spec.js`)).map((failure) => failure.split(' › ').at(-1));

describe.each(kinds)('second run of $name', (kind) => {
  let verdict: Verdict;
  let again: readonly string[];
  beforeAll(async () => {
    // One worker: with several, Playwright may run the neighbours of a file apart, and the first run would be green.
    ({ verdict, again } = await decideAbout(kind, 'mixed', mixed, 1));
  }, PATIENCE);

  it('runs each file with a failure once more', () => {
    expect(again.map((path) => path.replace(/^.*\/|\.spec\.js$/g, '')).sort()).toEqual(Object.keys(mixed).sort());
  });

  it('keeps a test red that fails twice', () => {
    expect(failuresOf(verdict, 'always-red')).toEqual(['fails: Error: always'].map(withoutClass(kind)));
    expect(rowsOf(verdict, 'always-red')).toEqual([]);
  });

  it('lists a test that fails once with its first error', () => {
    expect(rowsOf(verdict, 'red-once')).toEqual(['fails once: Error: failed once: red'].map(withoutClass(kind)));
    expect(failuresOf(verdict, 'red-once')).toEqual([]);
  });

  it('counts a failed hook as a failed test of its file, and its tests in the second run', () => {
    expect(rowsOf(verdict, 'hook-once')).toEqual([expect.stringContaining('failed once: hook')]);
    expect(rowsOf(verdict, 'late-hook-once')).toEqual([expect.stringContaining('failed once: late')]);
    expect(rowsOf(verdict, 'hook-without-end-once')).toEqual([expect.stringMatching(/timed? ?out|timeout/i)]);
    for (const file of ['hook-once', 'late-hook-once', 'hook-without-end-once']) {
      expect(failuresOf(verdict, file)).toEqual([]);
    }
  });

  it('keeps a test red that is skipped or missing in the second run', () => {
    expect(failuresOf(verdict, 'skipped-later')).toEqual(['fails, then is skipped: skipped in the second run']);
    expect(failuresOf(verdict, 'missing-later')).toEqual(['fails, then is missing: missing in the second run']);
  });

  it('allows a test that is skipped on purpose in both runs', () => {
    expect(failuresOf(verdict, 'always-skipped')).toEqual([]);
    expect(rowsOf(verdict, 'always-skipped')).toHaveLength(1);
  });

  it('keeps a test red that passes alone but not after its neighbour', () => {
    expect(failuresOf(verdict, 'neighbour')).toEqual(['passes alone: Error: spoiled'].map(withoutClass(kind)));
  });

  it('counts each test once', () => {
    expect(verdict.counts).toEqual({ passed: 12, failed: 4, skipped: 1 });
  });

  it('runs one file at a time in a process and a worker of its own', async () => {
    const { verdict: ofWorkers, place } = await decideAbout(kind, 'workers', workers);
    expect(ofWorkers).toMatchObject({ counts: { passed: 3, failed: 0, skipped: 0 }, failures: [] });
    const lines = readFileSync(join(place, 'workers.log'), 'utf8').trim().split('\n');
    const names = lines.map((line) => line.split(' ')[2]);
    // Each file writes two lines, with no line of another file between them.
    expect(names.filter((name, index) => index % 2 === 0 && name === names[index + 1])).toHaveLength(3);
    expect(new Set(lines).size).toBe(3);
    expect(new Set(lines.map((line) => line.split(' ').slice(0, 2).join(' '))).size).toBe(3);
  });

  it('does not repeat a file that does not load', async () => {
    const files = { broken: `import './nowhere.js'; test('never runs', () => {});` };
    const { verdict: ofBroken, again: repeated } = await decideAbout(kind, 'broken', files);
    expect(repeated).toEqual([]);
    expect(ofBroken.counts.failed).toBeGreaterThan(0);
    expect(ofBroken.failures[0]).toContain('nowhere.js');
  });

  it('does not repeat an error outside of tests', async () => {
    const files = {
      stray: `test('passes', async () => {
        setTimeout(() => { throw new Error('stray'); });
        await new Promise((resolve) => setTimeout(resolve, 50));
      });`,
    };
    const { verdict: ofStray } = await decideAbout(kind, 'stray', files);
    expect(ofStray.counts.failed).toBeGreaterThan(0);
    expect(ofStray.passedLater).toEqual([]);
  });

  it('names the files that a run did not reach', async () => {
    const place = plant(
      kind,
      'cut',
      {
        ends: `test('ends the runner', () => { process.kill(process.ppid, 'SIGKILL'); return new Promise(() => {}); });`,
      },
      1,
    );
    const report = await kind.runner('planted-cut', join(place, 'config.mjs')).run();
    expect(report?.files).toEqual([]);
    expect(report?.errors).toEqual(['The run was cut off.', expect.stringMatching(/^Not run: \S+\/ends\.spec\.js$/)]);
  });

  it('is red at once when more than ten files fail', async () => {
    const { verdict: ofEleven, again: repeated } = await decideAbout(kind, 'eleven', eleven);
    expect(repeated).toEqual([expect.stringContaining('more than 10')]);
    expect(ofEleven.counts).toEqual({ passed: 0, failed: 11, skipped: 0 });
  });
});

/** Vitest reports messages without the class of an error. */
const withoutClass = (kind: Kind) => (text: string) => (kind.name === 'Vitest' ? text.replace('Error: ', '') : text);

describe('verdict of a file', () => {
  const test = (name: string, state: ReportedTest['state']): ReportedTest => ({
    name,
    state,
    isSkippedOnPurpose: state === 'skipped',
    error: state === 'failed' ? 'broken' : '',
    load: 1,
  });
  const file = (...tests: readonly ReportedTest[]): ReportedFile => ({
    project: 'node',
    path: 'a.test.ts',
    tests,
    failedHooks: [],
    seconds: 1,
  });
  const judge = (first: ReportedFile, second: ReportedFile) => judgeFile(first, { files: [second], errors: [] });

  it('tells tests of the same name apart', () => {
    const first = file(test('same', 'failed'), test('same', 'passed'));
    expect(judge(first, file(test('same', 'passed'), test('same', 'failed'))).failures).toEqual([
      'a.test.ts › same: broken',
    ]);
    expect(judge(first, file(test('same', 'passed'))).failures).toEqual([
      'a.test.ts › same: missing in the second run',
    ]);
  });

  it('is red if the second run has another file only, an error, or no report', () => {
    const first = file(test('one', 'failed'));
    const other = { ...file(test('one', 'passed')), path: 'b.test.ts' };
    expect(judge(first, other).counts.failed).toBe(1);
    expect(judgeFile(first, { files: [file(test('one', 'passed'))], errors: ['stray'] }).counts.failed).toBe(1);
    expect(judgeFile(first, null).counts.failed).toBe(1);
  });

  it('keeps a listed test red until it is mended', () => {
    const first = file(test('one', 'failed'), test('two', 'failed'));
    const hooked = { ...file(test('one', 'passed')), failedHooks: [test('hook of the file', 'failed')] };
    const passed = file(test('one', 'passed'), test('two', 'passed'));
    const listed = ['a.test.ts › two', 'a.test.ts › hook of the file'];
    expect(judgeFile(first, { files: [passed], errors: [] }, listed)).toEqual({
      counts: { passed: 1, failed: 1, skipped: 0 },
      passedLater: [{ test: 'a.test.ts › one', error: 'broken', load: 1 }],
      failures: ['a.test.ts › two: broken (no second run until it is mended)'],
    });
    expect(judgeFile(hooked, { files: [file(test('one', 'passed'))], errors: [] }, listed).failures).toHaveLength(1);
  });

  it('is red if no time is left for the second run', async () => {
    const report = { files: [file(test('one', 'failed'))], errors: [] };
    const runner: TestRunner = { run: () => Promise.reject(new Error('It ran.')) };
    const verdicts = await decide(
      new Map([['x', { runner, report }]]),
      () => undefined,
      async () => null,
    );
    expect(verdicts.get('x')?.failures[0]).toContain('no time left');
  });

  it('does not repeat benchmarks', async () => {
    const failedFile = { ...file(test('one', 'failed')), path: 'benchmarks/run.test.ts' };
    const runner: TestRunner = { run: () => Promise.reject(new Error('A benchmark ran again.')) };
    const again: string[] = [];
    const report = { files: [failedFile], errors: [] };
    const verdicts = await decide(new Map([['x', { runner, report }]]), (path) => again.push(path));
    expect(verdicts.get('x')?.counts).toEqual({ passed: 0, failed: 1, skipped: 0 });
    expect(again).toEqual([]);
  });
});
