import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const run = (...args: string[]) =>
  spawnSync(process.execPath, [join(import.meta.dirname, 'run.ts'), ...args], { encoding: 'utf8' });

it.each([[[]], [['printer']], [['..']]])('lists the areas for %j', (args) => {
  const { status, stderr } = run(...args);
  expect(status).toBe(1);
  expect(stderr).toContain('Areas: avr, flashing, lab, pages, remote, serial, server, symbols, terminal.');
});

it('ends with the exit code of the benchmark', () => {
  // The benchmark ends before it measures: the option is unknown, or the machine is too busy.
  const { status, stderr } = run('lab', '--no-such-option');
  expect(status).not.toBe(0);
  expect(stderr).not.toContain('Areas:');
});
