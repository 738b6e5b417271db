/** Runs a program of Debian's lrzsz with a noisy line in front of it. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '@wirebench/clock';
import type { ByteLink } from '../byte-link.ts';
import { type Noise, noisyLine } from './noisy-line.ts';

export function hasLrzsz(): boolean {
  return ['sz', 'rz'].every((program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0);
}

/** The system's clock, ten times as fast: time limits of the protocols pass in a tenth of their time. */
export const hastyClock: Clock = {
  now: () => systemClock.now() * 10,
  schedule: (delay, callback) => systemClock.schedule(delay / 10, callback),
  sleep: (delay, signal) => systemClock.sleep(delay / 10, signal),
};

export interface Lrzsz {
  readonly link: ByteLink;
  /** Folder in which it runs. */
  readonly folder: string;
  readonly child: ChildProcess;
  /** Resolves with its exit status. */
  ended(): Promise<number | null>;
  errors(): string;
  dispose(): void;
}

export interface LrzszOptions {
  readonly toProgram?: Noise;
  readonly fromProgram?: Noise;
  readonly folder?: string;
}

export function runLrzsz(program: string, args: readonly string[], options: LrzszOptions = {}): Lrzsz {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'wirebench-lrzsz-'));
  const child = spawn(program, args, { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] });
  const toProgram = noisyLine(options.toProgram ?? { seed: 1 });
  const fromProgram = noisyLine(options.fromProgram ?? { seed: 1 });
  const chunks: Uint8Array[] = [];
  let errors = '';
  let wake: (() => void) | null = null;
  child.stdout.on('data', (chunk: Uint8Array) => {
    chunks.push(fromProgram(chunk));
    wake?.();
  });
  child.stderr.on('data', (chunk: Uint8Array) => {
    errors += new TextDecoder('latin1').decode(chunk);
  });
  // A program that has ended takes no more bytes; the test looks at its status.
  child.stdin.on('error', () => undefined);
  const exit = once(child, 'close');
  return {
    folder,
    child,
    link: {
      read: async (signal) => {
        while (chunks.length === 0) {
          await new Promise<void>((resolve, reject) => {
            wake = resolve;
            signal.addEventListener('abort', () => reject(signal.reason), { once: true });
          });
        }
        return chunks.shift() ?? new Uint8Array();
      },
      write: (bytes) =>
        new Promise((resolve) => {
          child.stdin.write(toProgram(bytes), () => resolve());
        }),
    },
    ended: async () => {
      await exit;
      return child.exitCode;
    },
    errors: () => errors,
    dispose: () => {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
