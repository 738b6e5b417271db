/**
 * Limit of a whole run. A run that is killed from outside says nothing; one that ends by itself names what has not run
 * and leaves no process behind.
 */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../build/web.ts';

const GRACE = 10_000;

/** Milliseconds from the end of an installation to the start of the run that it belongs to. */
const SAME_RUN = 10_000;

/** Inherited by all processes of a run, however deep, and by those whose parent has ended. */
const RUN_VARIABLE = 'WIREBENCH_TEST_RUN';

/** Written by `scripts/install.js`, in milliseconds since the epoch. */
interface Installation {
  readonly start: number;
  readonly end: number;
}

/** Returns the start of this run in milliseconds since the epoch, including the installation right before it. */
export function startOfRun(): number {
  const start = performance.timeOrigin;
  try {
    const path = join(root, 'node_modules', '.installation.json');
    const installation = JSON.parse(readFileSync(path, 'utf8')) as Installation;
    return Math.abs(start - installation.end) < SAME_RUN ? installation.start : start;
  } catch {
    return start;
  }
}

export class TimeLimit {
  readonly #end: number;
  readonly #grace: number;
  readonly #id = `${process.pid} ${randomUUID()}`;

  /**
   * Marks this process and all that it starts from now on.
   *
   * @param end Milliseconds since the epoch.
   * @param grace Milliseconds for processes to end by themselves, and for a step to return after its processes.
   */
  constructor(end: number, grace = GRACE) {
    this.#end = end;
    this.#grace = grace;
    process.env[RUN_VARIABLE] = this.#id;
  }

  isOver(): boolean {
    return this.#left() <= 0;
  }

  /**
   * Resolves with the result of `start`, or null if it has none. At the limit all processes are ended, and a result
   * that `start` has because of that still counts.
   *
   * @param end An earlier limit, in milliseconds since the epoch.
   */
  async within<Result>(start: () => Promise<Result> | Result, end = this.#end): Promise<Result | null> {
    const left = Math.min(end - Date.now(), this.#left());
    if (left <= 0) {
      return null;
    }
    const work = Promise.resolve(start());
    const timer = new AbortController();
    const isLate = sleep(left, true, { signal: timer.signal }).catch(() => false);
    const isCut = await Promise.race([work.then(() => false), isLate]).finally(() => timer.abort());
    if (!isCut) {
      return work;
    }
    await this.endProcesses();
    return Promise.race([work.catch(() => null), sleep(this.#grace, null, { ref: false })]);
  }

  /** Ends all processes of this run but this one, by their ids. */
  async endProcesses(): Promise<void> {
    const found = processesOf(this.#id);
    signal(found, 'SIGTERM');
    const end = Date.now() + this.#grace;
    while (Date.now() < end && running(found).length > 0) {
      await sleep(100);
    }
    signal([...running(found), ...processesOf(this.#id)], 'SIGKILL');
  }

  #left(): number {
    return this.#end - Date.now();
  }
}

interface Process {
  readonly id: number;
  readonly parent: number;
  /** Tells apart two processes that had the same id. */
  readonly start: string;
}

function signal(processes: readonly Process[], name: NodeJS.Signals): void {
  for (const { id } of processes) {
    try {
      process.kill(id, name);
    } catch {
      // It has just ended.
    }
  }
}

function running(earlier: readonly Process[]): Process[] {
  const now = new Map(allProcesses().map((one) => [one.id, one]));
  return earlier.filter(({ id, start }) => now.get(id)?.start === start);
}

/** Returns the processes that inherited the id of a run, and those below them and below this process. */
function processesOf(run: string): Process[] {
  const all = allProcesses();
  const found = new Set([process.pid, ...all.filter(({ id }) => isMarked(id, run)).map(({ id }) => id)]);
  // Parents may stand behind their children in the list.
  for (let size = 0; size < found.size; ) {
    size = found.size;
    for (const { id, parent } of all) {
      if (found.has(parent)) {
        found.add(id);
      }
    }
  }
  return all.filter(({ id }) => found.has(id) && id !== process.pid);
}

/** Finds processes on Linux, also those whose parent has ended. Elsewhere only the tree says what belongs to a run. */
function isMarked(id: number, run: string): boolean {
  try {
    return readFileSync(`/proc/${id}/environ`, 'latin1').split('\0').includes(`${RUN_VARIABLE}=${run}`);
  } catch {
    return false;
  }
}

/** Lists what runs, without what has ended and waits for its parent. Windows has neither of the two sources. */
function allProcesses(): Process[] {
  if (process.platform === 'win32') {
    return [];
  }
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,lstart='], { encoding: 'utf8' });
    return stdout.split('\n').flatMap((line) => {
      const [, id, parent, state = '', start = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
      return id === undefined || state.startsWith('Z') ? [] : [{ id: Number(id), parent: Number(parent), start }];
    });
  }
  return readdirSync('/proc').flatMap((name) => {
    try {
      // proc(5): the name of the program is in parentheses and may contain any character.
      const fields =
        readFileSync(`/proc/${Number(name)}/stat`, 'latin1')
          .split(') ')
          .at(-1)
          ?.split(' ') ?? [];
      const [state = 'Z', parent] = fields;
      return state === 'Z' ? [] : [{ id: Number(name), parent: Number(parent), start: fields[19] ?? '' }];
    } catch {
      return [];
    }
  });
}
