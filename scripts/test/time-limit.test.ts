import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';

const module = pathToFileURL(join(import.meta.dirname, 'time-limit.ts')).href;

/** Runs a program with a limit in a process of its own. Returns what it printed. */
function run(program: string): unknown {
  const source = `import { spawn } from 'node:child_process';
    import { TimeLimit } from '${module}';
    const limit = new TimeLimit(Date.now() + 600_000, 500);
    ${program}`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', source], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout);
}

/** A process that ignores the request to end, and starts another that outlives it. */
const stubborn = `
  process.on('SIGTERM', () => {});
  const orphan = require('node:child_process').spawn(process.execPath,
    ['--eval', 'setTimeout(() => {}, 600_000)'], { detached: true, stdio: 'ignore' });
  console.log(orphan.pid);
  setTimeout(() => {}, 600_000);`;

describe('limit of a run', () => {
  it('does nothing to a step that ends in time', () => {
    expect(
      run(`
        const result = await limit.within(async () => 'done');
        console.log(JSON.stringify({ result, isOver: limit.isOver() }));`),
    ).toEqual({ result: 'done', isOver: false });
  });

  it('starts nothing when it is over', () => {
    expect(
      run(`
        let started = 0;
        const results = [
          await limit.within(() => started++, Date.now() - 1),
          await new TimeLimit(Date.now() - 1).within(() => started++),
        ];
        console.log(JSON.stringify({ results, started }));`),
    ).toEqual({ results: [null, null], started: 0 });
  });

  it.skipIf(process.platform === 'win32')('ends every process of a step, and lets the step say what it knows', () => {
    expect(
      run(`
        const child = spawn(process.execPath, ['--eval', ${JSON.stringify(stubborn)}], { stdio: ['ignore', 'pipe', 'inherit'] });
        const end = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)));
        const orphan = Number(await new Promise((resolve) => child.stdout.once('data', resolve)));
        const result = await limit.within(() => end, Date.now() + 10);
        const isThere = (id) => { try { process.kill(id, 0); return true; } catch { return false; } };
        console.log(JSON.stringify({ result, left: [child.pid, orphan].filter(isThere).length }));`),
    ).toEqual({ result: 'SIGKILL', left: 0 });
  });
});
