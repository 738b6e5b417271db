/**
 * Prepares the end-to-end tests on Chromium's own Web Serial. Builds the library that shows the browser serial ports
 * driven by the tests (e2e/web-serial), or returns the reason for which that is impossible.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../build/web.ts';
import { installPackages, type Tool } from './packages.ts';

const source = join(root, 'e2e', 'web-serial', 'web-serial-shim.c');
const library = join(root, '.cache', 'web-serial', 'libwebserial.so');

const compilers = () => [process.env.CC, 'cc', 'gcc', 'clang'].filter((name) => name !== undefined);

function compile(): boolean {
  mkdirSync(join(library, '..'), { recursive: true });
  const flags = ['-O2', '-shared', '-fPIC', '-fvisibility=hidden', '-o', library, source, '-ldl', '-lpthread'];
  return compilers().some((compiler) => spawnSync(compiler, flags, { stdio: 'ignore' }).status === 0);
}

const isBuilt = () => existsSync(library) && statSync(library).mtimeMs > statSync(source).mtimeMs;

/** Compiler for the library. */
export const compiler: Tool = {
  group: 'e2e',
  packages: ['gcc', 'libc6-dev'],
  isHere: () =>
    process.platform !== 'linux' ||
    compilers().some((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0),
};

/** Returns environment variables for Playwright (`e2e/web-serial`), or the reason for a missing library. */
export async function prepareWebSerial(): Promise<
  { readonly WIREBENCH_WEB_SERIAL_LIBRARY: string } | { readonly missing: string }
> {
  if (process.platform !== 'linux') {
    return { missing: `real Web Serial on a pseudo-terminal needs Linux; this is ${process.platform}` };
  }
  if (isBuilt() || compile() || ((await installPackages(...compiler.packages)) && compile())) {
    return { WIREBENCH_WEB_SERIAL_LIBRARY: library };
  }
  return { missing: 'real Web Serial on a pseudo-terminal needs a C compiler: install gcc and libc6-dev' };
}
