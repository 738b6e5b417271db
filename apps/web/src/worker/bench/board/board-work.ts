/** One job on a board, from the raw REPL's beginning to its end. Loaded with the first job. */

import { sha256Of } from '@wirebench/flasher/sha256';
import { BoardError, BoardFiles, type RawRepl } from '@wirebench/serial/micropython';
import type {
  BoardAnswer,
  BoardFile,
  BoardJob,
  BoardProgress,
  BoardTree,
} from '../../../protocol/bench/board-files-part.ts';
import { count, counted } from '../../../shared/format/numbers.ts';

export { BoardError, pasteCode, pastedLength, RawRepl } from '@wirebench/serial/micropython';
export { SessionLink } from '@wirebench/serial/transfer';

interface BoardWork {
  readonly repl: RawRepl;
  readonly job: BoardJob;
  /** Ends the job between two steps. */
  readonly stop: AbortSignal;
  readonly onProgress: (progress: Omit<BoardProgress, 'kind'>) => void;
  /** Takes the output of code that runs. */
  readonly onOutput: (bytes: Uint8Array) => void;
  /** Receives true while code runs that may read what a person sends, and then false. */
  readonly onInput: (isWanted: boolean) => void;
}

type Parts = { -readonly [Key in keyof BoardAnswer]: BoardAnswer[Key] };

/** Longest run without output, in milliseconds: a day. */
const RUN_TIME = 86_400_000;

export const noAnswer: BoardAnswer = {
  tree: null,
  files: [],
  hashes: {},
  written: [],
  changed: [],
  removedFirst: [],
  failure: null,
};

/**
 * Does the job in the raw REPL. What was done before a failure is part of the answer.
 *
 * @throws BoardError if the board is out of reach; then nothing can be listed.
 */
export async function doBoardJob(work: BoardWork): Promise<BoardAnswer> {
  if (work.job.kind === 'run') {
    return run(work, work.job);
  }
  const board = new BoardFiles(work.repl, sha256Of, work.stop);
  await board.begin();
  const answer: Parts = { ...noAnswer };
  try {
    await step(board, work, answer);
  } catch (error) {
    if (!(error instanceof BoardError)) {
      throw error;
    }
    answer.failure = { code: error.code, message: error.message };
    if (outOfReach.has(error.code)) {
      return answer;
    }
  }
  const after = new BoardFiles(work.repl, sha256Of, new AbortController().signal);
  if (work.job.kind !== 'read' && work.job.kind !== 'hash') {
    answer.tree = await listed(after, board.canHash, work);
  }
  await after.end();
  return answer;
}

/** Failures after which the board is not in its raw REPL any more. */
export const outOfReach: ReadonlySet<string> = new Set([
  'closed',
  'reset',
  'no-answer',
  'out-of-step',
  'too-much-output',
]);

async function run(
  { repl, stop, onOutput, onInput }: BoardWork,
  job: BoardJob & { kind: 'run' },
): Promise<BoardAnswer> {
  const { error } = await repl.execute(job.code, {
    silence: RUN_TIME,
    onOutput,
    stop,
    onInput,
  });
  if (error !== '') {
    onOutput(new TextEncoder().encode(error));
  }
  const last = error.trimEnd().split(/\r?\n/).at(-1) ?? '';
  // By *Stop*, or by a Ctrl+C that was typed.
  const isStopped = /^KeyboardInterrupt\b/.test(last);
  return error === '' || isStopped
    ? noAnswer
    : { ...noAnswer, failure: { code: 'exception', message: `${job.name} ended with ${last}` } };
}

async function step(board: BoardFiles, { job, onProgress }: BoardWork, answer: Parts): Promise<void> {
  switch (job.kind) {
    case 'read': {
      const files: BoardFile[] = [];
      answer.files = files;
      for (const path of job.paths) {
        const total = (await board.stat(path))?.size ?? null;
        const { bytes, hash } = await board.read(path, (done) => onProgress({ path, done, total }));
        files.push({ path, content: bytes });
        answer.hashes = { ...answer.hashes, [path]: hash };
      }
      return;
    }
    case 'hash':
      for (const [index, path] of job.paths.entries()) {
        onProgress({ path, done: index, total: job.paths.length });
        answer.hashes = { ...answer.hashes, [path]: await board.hash(path) };
      }
      return;
    case 'write':
      await write(board, job, answer, onProgress);
      return;
    case 'rename':
      await board.rename(job.from, job.to);
      return;
    case 'remove':
      for (const [index, path] of job.paths.entries()) {
        onProgress({ path, done: index, total: job.paths.length });
        await board.remove(path);
      }
      return;
    case 'make-folder':
      await board.makeFolder(job.path);
      return;
    case 'list':
    case 'run':
    case 'soft-reset':
      return;
  }
}

async function write(
  board: BoardFiles,
  { files, folders, expected }: BoardJob & { kind: 'write' },
  answer: Parts,
  onProgress: BoardWork['onProgress'],
): Promise<void> {
  const made = new Set<string>();
  const makeFolders = async (path: string) => {
    if (!made.has(path)) {
      await board.makeFolders(path);
      made.add(path);
    }
  };
  for (const folder of folders) {
    await makeFolders(folder);
  }
  for (const { path, content } of files) {
    onProgress({ path, done: 0, total: content.length });
    if (expected !== undefined) {
      const there = (await board.stat(path)) === null ? null : await board.hash(path);
      if (there === (await sha256Of(content))) {
        answer.hashes = { ...answer.hashes, [path]: there };
        continue;
      }
      if (there !== (expected[path] ?? null)) {
        answer.changed = [...answer.changed, path];
        continue;
      }
    }
    await makeFolders(path.slice(0, Math.max(1, path.lastIndexOf('/'))));
    const { hash, removedFirst } = await board.write(path, content, (done) =>
      onProgress({ path, done, total: content.length }),
    );
    answer.hashes = { ...answer.hashes, [path]: hash };
    answer.written = [...answer.written, path];
    if (removedFirst) {
      answer.removedFirst = [...answer.removedFirst, path];
    }
  }
}

async function listed(board: BoardFiles, canHash: boolean, { onProgress }: BoardWork): Promise<BoardTree> {
  const system = await board.identity();
  const entries = await board.tree('/', (done) => onProgress({ path: '', done, total: null }));
  return { system, entries, space: await board.space('/'), canHash };
}

/** Returns the line of the log about a job that has ended. */
export function boardNotice(job: BoardJob, answer: BoardAnswer, port: number): string {
  const on = `on Port ${port}`;
  const files = answer.tree?.entries.filter(({ isFolder }) => !isFolder).length ?? 0;
  const bytes = (all: readonly BoardFile[]) => count(all.reduce((sum, { content }) => sum + content.length, 0));
  const those = (paths: readonly string[]) => (paths.length === 1 ? (paths[0] ?? '') : counted(paths.length, 'file'));
  switch (job.kind) {
    case 'list':
      return `Listed the files of the board ${on}: ${counted(files, 'file')}.`;
    case 'read':
      return `Read ${those(job.paths)} from the board ${on}: ${bytes(answer.files)} bytes.`;
    case 'hash':
      return `Compared ${counted(job.paths.length, 'file')} with the board ${on}.`;
    case 'write': {
      const written = job.files.filter(({ path }) => answer.written.includes(path));
      if (written.length === 0 && job.expected !== undefined) {
        return answer.changed.length === 0
          ? `Nothing to write to the board ${on}: ${those(job.files.map(({ path }) => path))} is there already.`
          : `Nothing was written to the board ${on}: ${those(answer.changed)} was changed there.`;
      }
      return `Wrote ${those(answer.written)} to the board ${on}: ${bytes(written)} bytes, verified.`;
    }
    case 'rename':
      return `Renamed ${job.from} to ${job.to} on the board ${on}.`;
    case 'remove':
      return `Deleted ${those(job.paths)} from the board ${on}.`;
    case 'make-folder':
      return `Made the folder ${job.path} on the board ${on}.`;
    case 'run':
      return `${job.name} has ended ${on}.`;
    case 'soft-reset':
      return `Soft reset of the board ${on}.`;
  }
}
