/** Runs a program of Debian's lrzsz with a noisy line in front of it. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '@wirebench/clock';
import type { ByteLink } from '../byte-link.ts';
import { type Noise, noisyLine } from './noisy-line.ts';
import { programLink } from './program-link.ts';

export function hasLrzsz(): boolean {
  return ['sz', 'rz'].every((program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0);
}

/** Not ten: a limit of the protocols would then end with one of lrzsz, and both sides would repeat past each other. */
const SPEED = 4;

/** The system's clock, `SPEED` times as fast: time limits of the protocols pass sooner. */
export const hastyClock: Clock = {
  now: () => systemClock.now() * SPEED,
  wallTime: () => systemClock.wallTime(),
  schedule: (delay, callback) => systemClock.schedule(delay / SPEED, callback),
  sleep: (delay, signal) => systemClock.sleep(delay / SPEED, signal),
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
  const link = programLink(child, {
    toProgram: noisyLine(options.toProgram ?? { seed: 1 }),
    fromProgram: noisyLine(options.fromProgram ?? { seed: 1 }),
  });
  let errors = '';
  child.stderr.on('data', (chunk: Uint8Array) => {
    errors += new TextDecoder('latin1').decode(chunk);
  });
  const exit = once(child, 'close');
  return {
    folder,
    child,
    link,
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
