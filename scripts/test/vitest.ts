/** Runs Vitest, and counts what it reports. */
import { join } from 'node:path';
import { root } from '../build/web.ts';
import { countVitest } from './reports.ts';
import { type Counts, runNode } from './step.ts';

/** Where runners write their reports. */
export const reports = join(root, '.cache', 'test-reports');

/** @param name of the report. @param args what is to run; everything without any. */
export async function runVitest(name: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Counts> {
  const file = join(reports, `${name}.json`);
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const reporting = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  return countVitest(file, await runNode([vitest, 'run', ...reporting, ...args], env));
}
