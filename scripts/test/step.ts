/** One step of the test run: a command, with counts of passed, failed and skipped checks. */
import { spawn } from 'node:child_process';
import { root } from '../build/web.ts';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface Step {
  readonly name: string;
  /** Group of this step for `--only`. */
  readonly group: 'lint' | 'unit' | 'e2e';
  /** @param name Name of this step. */
  run(name: string): Promise<Counts> | Counts;
}

export const passedOnce: Counts = { passed: 1, failed: 0, skipped: 0 };
export const failedOnce: Counts = { passed: 0, failed: 1, skipped: 0 };

export function sum(counts: readonly Counts[]): Counts {
  return counts.reduce(
    (total, { passed, failed, skipped }) => ({
      passed: total.passed + passed,
      failed: total.failed + failed,
      skipped: total.skipped + skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}

/** Formats the last line of a run. */
export function countsText({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** A redirected log must be plain text, but some programs write colours if the variable CI is set. */
const plainText: NodeJS.ProcessEnv = process.stdout.isTTY ? {} : { NO_COLOR: '1', FORCE_COLOR: undefined };

/**
 * Runs a Node program of the project with its output on the terminal, or without it. Resolves with the exit code, or
 * 1 for a signal.
 */
export function runNode(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  output: 'inherit' | 'ignore' = 'inherit',
): Promise<number> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: output,
    env: { ...process.env, ...plainText, ...env },
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

/** Makes a step that passes if the program exits with 0. */
export function commandStep(name: string, group: Step['group'], args: readonly string[]): Step {
  return { name, group, run: async () => ((await runNode(args)) === 0 ? passedOnce : failedOnce) };
}
