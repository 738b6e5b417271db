/** The server as a separate process, which a test may end in any way. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../config.ts';
import { childEnvironment } from './child-environment.ts';

/** The disposal kills the process. */
export interface ServerProcess extends AsyncDisposable {
  readonly child: ChildProcess;
  /** Address of the server, with the port that it chose. */
  readonly address: string;
  /** Returns the standard output and standard error so far. */
  output(): string;
  /** Kills the process like a power cut: nothing more is written. Resolves when it is gone. */
  kill(): Promise<void>;
  /** Asks the server to stop and resolves when it has. */
  stop(): Promise<void>;
}

export interface ServerProcessOptions {
  readonly cwd: string;
  readonly environment: Environment;
  /** A program that starts the server. It gets the server's command line after these arguments. */
  readonly wrapper?: readonly string[];
  /** Folder of a web app build. Default: the product's own. */
  readonly webRoot?: string;
}

/** Programs of the server as sources, with the names that they have in a build (`scripts/test/server-build.ts`). */
const programs = {
  main: fileURLToPath(new URL('../main.ts', import.meta.url)),
  'serve-web-root': fileURLToPath(new URL('./serve-web-root.ts', import.meta.url)),
};

/** Returns the path of a program, in the build of this test run if there is one. */
function programFile(name: keyof typeof programs): string {
  const { WIREBENCH_SERVER_BUILD: build } = process.env;
  return build === undefined ? programs[name] : join(build, `${name}.js`);
}

/**
 * Resolves when the server is ready.
 *
 * @throws Error with its output if it ends before.
 */
export async function startServerProcess({
  cwd,
  environment,
  wrapper = [],
  webRoot,
}: ServerProcessOptions): Promise<ServerProcess> {
  const [program = '', ...args] = [
    ...wrapper,
    process.execPath,
    ...(webRoot === undefined ? [programFile('main')] : [programFile('serve-web-root'), webRoot]),
  ];
  // No load is shed unless a test asks for it: other tests keep this machine busy.
  const child = spawn(program, args, {
    cwd,
    env: { ...childEnvironment(), PORT: '0', LOG_LEVEL: 'error', OVERLOAD_DELAY: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const gone = once(child, 'close');
  // An aborted test run must not leave the process behind.
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  void gone.then(() => process.off('exit', end));

  let output = '';
  const address = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const ready = /ready: (\S+)\n/.exec(output)?.[1];
        if (ready !== undefined) {
          resolve(ready);
        }
      });
    }
    child.once('error', reject);
    void gone.then(() => reject(new Error(`The server did not start: ${output}`)));
  });
  const endWith = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await gone;
  };
  return {
    child,
    address,
    output: () => output,
    kill: () => endWith('SIGKILL'),
    stop: () => endWith('SIGTERM'),
    [Symbol.asyncDispose]: () => endWith('SIGKILL'),
  };
}
