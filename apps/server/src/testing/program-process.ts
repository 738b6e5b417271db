/** A Node program as a separate process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface ProgramProcess extends AsyncDisposable {
  /** Returns the standard output and standard error so far. */
  text(): string;
  /** Returns the standard output alone. */
  output(): string;
  /** Returns the first match in its output, as soon as it appears. Rejects if the program ends without one. */
  until(wanted: RegExp): Promise<RegExpExecArray>;
  /** Sends a signal. Default: SIGINT, that of Ctrl+C. */
  interrupt(signal?: NodeJS.Signals): void;
  /** Exit code; null if a signal ended the program. */
  readonly exited: Promise<number | null>;
}

export interface ProgramStart {
  readonly file: string;
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Text for the standard input. */
  readonly input?: string;
  /** Working directory. Missing: that of the tests. */
  readonly folder?: string;
  /** Flags of Node. */
  readonly flags?: readonly string[];
}

export function startProgram({
  args = [],
  environment,
  input,
  file,
  folder,
  flags = [],
}: ProgramStart): ProgramProcess {
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, [...flags, file, ...args], { env, cwd: folder });
  child.stdin.end(input ?? '');
  let text = '';
  let output = '';
  let isOver = false;
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const look of [...waiting]) {
      look();
    }
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      output += stream === child.stdout ? chunk : '';
      wake();
    });
  }
  const exited = once(child, 'close').then(([code]) => {
    isOver = true;
    wake();
    return code as number | null;
  });
  return {
    text: () => text,
    output: () => output,
    until: (wanted) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = wanted.exec(text);
          if (match !== null || isOver) {
            waiting.delete(look);
          }
          if (match !== null) {
            resolve(match);
          } else if (isOver) {
            reject(new Error(`It ended without ${wanted}:\n${text}`));
          }
        };
        waiting.add(look);
        look();
      }),
    interrupt: (signal = 'SIGINT') => child.kill(signal),
    exited,
    [Symbol.asyncDispose]: async () => {
      if (!isOver) {
        child.kill('SIGKILL');
        await exited;
      }
    },
  };
}
