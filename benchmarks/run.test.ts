import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isLong } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { runShortest, shortestRuns } from '../scripts/test/shortest-run.ts';

const run = (...args: string[]) =>
  spawnSync(process.execPath, [join(import.meta.dirname, 'run.ts'), ...args], { encoding: 'utf8' });

const areas = readdirSync(import.meta.dirname).filter((name) => existsSync(join(import.meta.dirname, name, 'run.ts')));

it.each([[[]], [['printer']], [['..']]])('lists the areas for %j', (args) => {
  const { status, stderr } = run(...args);
  expect(status).toBe(1);
  expect(stderr).toContain(
    'Areas: avr, flashing, frames, lab, pages, remote, serial, server, shell, symbols, terminal.',
  );
});

it('ends with the exit code of the benchmark', () => {
  // The benchmark ends before it measures: the option is unknown, or the machine is too busy.
  const { status, stderr } = run('lab', '--no-such-option');
  expect(status).not.toBe(0);
  expect(stderr).not.toContain('Areas:');
});

it.each(areas)('lists the scenarios of %s', (area) => {
  const { status, stdout, stderr } = run(area, '--list');
  expect(status, stderr).toBe(0);
  expect(
    stdout
      .trim()
      .split('\n')
      .every((name) => /^\S.*\S$/.test(name)),
  ).toBe(true);
});

describe('the shortest run', () => {
  it('exists for every area, without a browser here or with one in the end-to-end tests', () => {
    const started = Object.values(shortestRuns).flatMap((commands) => commands.map((command) => command.split(' ')[0]));
    expect([...new Set(started)].sort()).toEqual(areas.sort());
  });

  it('exists for every scenario of the terminal', () => {
    const scenarios = run('terminal', '--list').stdout.trim().split('\n');
    expect(shortestRuns.browser).toEqual(expect.arrayContaining(scenarios.map((name) => `terminal --only ${name}`)));
  });

  it.runIf(isLong).for(shortestRuns.node)('%s ends with a table', { timeout: 420_000 }, async (command, { skip }) => {
    const { code, missing, output, heads, rows } = await runShortest(command);
    skip(missing !== null, missing ?? '');
    expect(code, output).toBe(0);
    expect(heads, output).toHaveLength(1);
    expect(rows.length, output).toBeGreaterThan(0);
    expect(rows.flat().join(' ')).not.toMatch(/NaN|undefined/);
  });
});
