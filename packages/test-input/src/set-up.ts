/**
 * Set-up of every test file: the random inputs of each test, those of fast-check included, follow from the seed and
 * the test's own name. Between tests, where hooks and tables of cases draw, they follow from the name of the file.
 */
import { join, relative, sep } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, type TestContext } from 'vitest';
import { begin } from './random.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const file = relative(root, expect.getState().testPath ?? '')
  .split(sep)
  .join('/');

const beginInputs = (name: string) => fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: begin(name) });

function nameOf(task: TestContext['task']): string {
  const titles = [task.name];
  for (let suite = task.suite; suite !== undefined; suite = suite.suite) {
    titles.unshift(suite.name);
  }
  return [file, ...titles].join(' › ');
}

beginInputs(file);
beforeEach(({ task }) => {
  // Concurrent tests share these settings, so all of them draw as the file does.
  beginInputs(task.concurrent === true ? file : nameOf(task));
});
afterEach(() => beginInputs(file));
