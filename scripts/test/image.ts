/**
 * Builds the image of `deploy/Containerfile` and runs it, if Podman or Docker answers. Checks its health check, the
 * commands for operators, its files and its shutdown.
 */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../build/web.ts';
import { type Counts, failedOnce, passedOnce, sum } from './step.ts';

const containerfile = join('deploy', 'Containerfile');

/** Programs that build and run images, in order of preference. */
const engines = ['podman', 'docker'];

/** Name of the temporary image. */
const tag = `wirebench-test:${process.pid}`;

/** Time limits in milliseconds. */
const TIMES = { question: 60_000, pull: 600_000, build: 1_800_000 };

/** Maximum health checks before a server counts as not ready. */
const ATTEMPTS = 120;

/** Restrictions and writable places of a server, the same as in `deploy/compose.yaml`. */
const asInCompose = ['--read-only', '--tmpfs=/tmp', '--cap-drop=ALL', '--security-opt=no-new-privileges'];

/** Prints a line for each forbidden file, and fails without the licence and the notice. */
const contents = `test -s LICENSE && test -s NOTICE && find apps packages '(' -name '*.test.ts' -o -name testing ')'`;

interface Answer {
  readonly status: number;
  readonly output: string;
}

type Engine = (args: readonly string[], timeout?: number) => Promise<Answer>;

export interface ImageOptions {
  /** Programs to try instead of `podman` and `docker`. */
  readonly programs?: readonly string[];
  /** Milliseconds between health checks. */
  readonly pause?: number;
  /** Maximum health checks before the server counts as not ready. */
  readonly attempts?: number;
}

/**
 * Counts one for each check. Skips with a printed reason if there is no engine, or if the base images cannot be
 * fetched.
 */
export async function checkImage({
  programs = engines,
  pause = 1_000,
  attempts = ATTEMPTS,
}: ImageOptions = {}): Promise<Counts> {
  const program = programs.find(answers);
  if (program === undefined) {
    return skipped('neither Podman nor Docker runs here');
  }
  const engine = engineOf(program);
  for (const base of baseImages()) {
    const isHere = (await engine(['image', 'inspect', base])).status === 0;
    if (!isHere && (await engine(['pull', base], TIMES.pull)).status !== 0) {
      return skipped(`${program} cannot fetch ${base}`);
    }
  }
  const format = program.endsWith('podman') ? ['--format', 'docker'] : [];
  const build = await engine(
    ['build', ...format, '--file', containerfile, '--build-arg', 'VERSION=test', '--tag', tag, '.'],
    TIMES.build,
  );
  if (build.status !== 0) {
    return reported('The image is built', false, build);
  }
  try {
    const inside = await engine(['run', '--rm', tag, 'sh', '-c', contents]);
    return sum([
      passedOnce,
      reported('It has the licence and no tests', inside.status === 0 && inside.output.trim() === '', inside),
      await checkServer(engine, { pause, attempts }),
    ]);
  } finally {
    await engine(['rmi', '--force', tag]);
  }
}

type Patience = Required<Pick<ImageOptions, 'pause' | 'attempts'>>;

async function checkServer(engine: Engine, patience: Patience): Promise<Counts> {
  // Allows the demo accounts: the port is not published.
  const started = await engine(['run', '--detach', ...asInCompose, '--env=EMBEDDED_IDENTITY=allow', tag]);
  const id = started.output.trim().split('\n').at(-1) ?? '';
  if (started.status !== 0) {
    return reported('A server starts', false, started);
  }
  try {
    const run = (...command: readonly string[]) => engine(['exec', id, ...command]);
    const health = await untilHealthy(() => run('node', '/app/apps/server/src/health-check.ts'), patience);
    if (health.status !== 0) {
      return reported('The health check passes', false, health, await engine(['logs', id]));
    }
    const accounts = await run('wirebench', 'accounts', 'list');
    const backup = await run('wirebench', 'backup', '/tmp/check.tar');
    const verified = await run('wirebench', 'verify');
    await engine(['stop', id]);
    const code = await engine(['inspect', '--format', '{{.State.ExitCode}}', id]);
    return sum([
      passedOnce,
      reported(
        'wirebench accounts list names its own command',
        accounts.status === 0 && accounts.output.includes('wirebench accounts add'),
        accounts,
      ),
      reported('wirebench backup makes a backup', backup.status === 0 && backup.output.includes('Backed up'), backup),
      reported('wirebench verify finds no fault', verified.status === 0, verified),
      reported('The server ends in order', code.output.trim() === '0', code),
    ]);
  } finally {
    await engine(['rm', '--force', '--volumes', id]);
  }
}

async function untilHealthy(check: () => Promise<Answer>, { pause, attempts }: Patience): Promise<Answer> {
  let answer = await check();
  for (let attempt = 1; attempt < attempts && answer.status !== 0; attempt++) {
    await sleep(pause);
    answer = await check();
  }
  return answer;
}

/** Returns true if the engine's service runs. `--version` would be answered by Docker's client alone. */
function answers(program: string): boolean {
  return spawnSync(program, ['info'], { stdio: 'ignore', timeout: TIMES.question }).status === 0;
}

function baseImages(): ReadonlySet<string> {
  const text = readFileSync(join(root, containerfile), 'utf8');
  // Names without a slash are other stages of the same file.
  return new Set([...text.matchAll(/^FROM (\S+\/\S+)/gm)].map(([, name = '']) => name));
}

/** Runs the program in the repository's root and collects both output streams. */
function engineOf(program: string): Engine {
  return (args, timeout = TIMES.question) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], timeout });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve({ status: code ?? 1, output }));
    });
  };
}

function reported(what: string, isRight: boolean, ...answers: readonly Answer[]): Counts {
  if (isRight) {
    return passedOnce;
  }
  console.error(`Failed: ${what}.`);
  for (const { status, output } of answers) {
    console.error(`Exit code ${status}. ${output}`);
  }
  return failedOnce;
}

function skipped(reason: string): Counts {
  console.error(`Skipped: the image is not built, because ${reason}.`);
  return { passed: 0, failed: 0, skipped: 1 };
}
