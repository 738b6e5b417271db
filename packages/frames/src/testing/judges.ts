/** Outside programs that decide about frames. */
import { spawnSync } from 'node:child_process';

/** Returns true if a program runs. */
export function isInstalled(program: string, ...args: string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore', timeout: 20_000 }).status === 0;
}

/** Debian's Python has Debian's modules; a `python3` in front of it on the path may not. */
const pythons = ['/usr/bin/python3', 'python3'];

/** Returns a Python with a module; undefined: there is none. */
export function pythonWith(module: string): string | undefined {
  return pythons.find((python) => isInstalled(python, '-c', `import ${module}`));
}

/** Runs a program with text as its input, and returns its output. */
export function runJudge(program: string, args: readonly string[], input: string | Uint8Array): string {
  const { stdout, stderr, status } = spawnSync(program, args, {
    input,
    encoding: 'utf8',
    timeout: 300_000,
    maxBuffer: 1_073_741_824,
  });
  if (status !== 0) {
    throw new Error(`${program} ended with ${status}: ${stderr}`);
  }
  return stdout;
}
