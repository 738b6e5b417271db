/** Files of the board on each port as the page knows them: the tree, the open file, and what failed. */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { BoardAnswer, BoardFile, BoardJob, BoardTree } from '../../../../protocol/board-protocol.ts';
import type { LocalFile } from '../../../../shared/files/local-files.ts';
import { saveFile } from '../../../../shared/files/save-file.ts';
import { sha256Of } from '../../../../shared/files/sha256.ts';
import { counted } from '../../../../shared/format/numbers.ts';
import { benchStatus } from '../../../../workbench/bench-status.ts';
import { boardJob } from '../../../../workbench/bench-waits.ts';
import { onToolLeave, openToolNow } from '../open-tool.ts';

interface OpenFile {
  readonly path: string;
  readonly text: string;
  /** Text as it is on the board. */
  readonly saved: string;
}

interface Comparison {
  readonly fresh: readonly LocalFile[];
  readonly changed: readonly LocalFile[];
  /** Number of files that are equal. */
  readonly equal: number;
  /** Paths below the folders of the local files. */
  readonly onlyOnBoard: readonly string[];
}

export interface BoardView {
  /** Null: not listed yet. */
  readonly tree: BoardTree | null;
  readonly open: OpenFile | null;
  /** Sentence about the last job that failed; null without one. */
  readonly failure: string | null;
  /** Sentence about the last job that was done. */
  readonly done: string;
  /** Job that waits for leave to interrupt the board's program. */
  readonly asking: (() => void) | null;
  readonly comparison: Comparison | null;
}

const empty: BoardView = { tree: null, open: null, failure: null, done: '', asking: null, comparison: null };

type Views = Readonly<Record<PortNumber, BoardView>>;
const views = createStore<Views>(() => ({ 1: empty, 2: empty, 3: empty, 4: empty }));
const running = new Map<PortNumber, AbortController>();

/** Largest file that is opened as text, in bytes. */
const MAX_TEXT = 256 * 1_024;

export function useBoard(port: PortNumber): BoardView {
  return useStore(views, (all) => all[port]);
}

export function isChanged({ open }: BoardView): boolean {
  return open !== null && open.text !== open.saved;
}

function change(port: PortNumber, part: Partial<BoardView>): void {
  const before = isAnyChanged();
  views.setState((all) => ({ ...all, [port]: { ...all[port], ...part } }));
  if (before !== isAnyChanged()) {
    // A page with such a listener cannot be kept for the Back button, so it exists only while it is needed.
    const act = before ? 'removeEventListener' : 'addEventListener';
    window[act]('beforeunload', warn);
  }
}

const isAnyChanged = () => portNumbers.some((port) => isChanged(views.getState()[port]));
const warn = (event: Event) => event.preventDefault();

/** Ends the job of a port. */
export function stopBoardJob(port: PortNumber): void {
  running.get(port)?.abort();
}

export function forgetQuestion(port: PortNumber): void {
  change(port, { asking: null });
}

/** Does a job. A board whose program runs is not interrupted before the user has agreed. */
async function work(
  port: PortNumber,
  job: BoardJob,
  then: (answer: BoardAnswer) => void | Promise<void>,
  mayInterrupt = false,
): Promise<void> {
  if (running.has(port)) {
    return;
  }
  const stop = new AbortController();
  running.set(port, stop);
  change(port, { failure: null, done: '', asking: null });
  let failed = true;
  try {
    const answer = await boardJob(port, job, mayInterrupt, stop.signal);
    failed = answer.failure !== null;
    if (answer.tree !== null) {
      change(port, { tree: answer.tree });
    }
    if (answer.failure?.code === 'busy') {
      change(port, { asking: () => void work(port, job, then, true) });
    } else if (answer.failure !== null) {
      change(port, { failure: answer.failure.message });
    }
    if (answer.failure === null) {
      await then(answer);
    }
  } catch (error) {
    change(port, { failure: error instanceof Error ? error.message : String(error) });
  } finally {
    running.delete(port);
  }
  if (!failed && job.kind !== 'soft-reset') {
    restartIfLeft(port);
  }
}

const nothing = () => undefined;

export function listBoard(port: PortNumber): void {
  void work(port, { kind: 'list' }, nothing);
}

export function openBoardFile(port: PortNumber, path: string, size: number): void {
  if (size > MAX_TEXT) {
    change(port, { failure: `${path} is too large to be edited here. Download it.` });
    return;
  }
  void work(port, { kind: 'read', paths: [path] }, ({ files: [file] }) => {
    const text = file === undefined ? null : readText(file.content);
    if (text === null) {
      change(port, { failure: `${path} is not a text. Download it.` });
    } else {
      change(port, { open: { path, text, saved: text } });
    }
  });
}

function readText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // The bytes are no UTF-8, the only reason for an error.
    return null;
  }
}

export function typeInBoardFile(port: PortNumber, text: string): void {
  const { open } = views.getState()[port];
  if (open !== null) {
    change(port, { open: { ...open, text } });
  }
}

export function closeBoardFile(port: PortNumber): void {
  change(port, { open: null });
}

export function saveBoardFile(port: PortNumber): void {
  const { open } = views.getState()[port];
  if (open === null) {
    return;
  }
  const { path, text } = open;
  const files = [{ path, content: new TextEncoder().encode(text) }];
  void work(port, { kind: 'write', files, folders: [] }, () => {
    const now = views.getState()[port].open;
    change(port, {
      done: `${path} is saved and verified.`,
      open: now === null || now.path !== path ? now : { ...now, saved: text },
    });
  });
}

export function runBoardFile(port: PortNumber): void {
  const { open } = views.getState()[port];
  if (open !== null) {
    const name = open.path.split('/').at(-1) ?? open.path;
    void work(port, { kind: 'run', name, code: new TextEncoder().encode(open.text) }, () =>
      change(port, { done: `${name} has ended.` }),
    );
  }
}

export function softReset(port: PortNumber): void {
  void work(port, { kind: 'soft-reset' }, () => change(port, { done: 'The board runs its program again.' }));
}

/** Restarts a program that was interrupted for the files, once the tool is left and no job is under way. */
function restartIfLeft(port: PortNumber): void {
  if (openToolNow() !== 'board-files' && benchStatus.tick.boards[port].isStopped && !running.has(port)) {
    softReset(port);
  }
}

onToolLeave('board-files', () => portNumbers.forEach(restartIfLeft));

export function renameOnBoard(port: PortNumber, from: string, to: string): void {
  void work(port, { kind: 'rename', from, to }, () => {
    const { open } = views.getState()[port];
    change(port, { done: `${to} is renamed.`, open: open?.path === from ? { ...open, path: to } : open });
  });
}

export function removeFromBoard(port: PortNumber, path: string): void {
  void work(port, { kind: 'remove', paths: [path] }, () => {
    const { open } = views.getState()[port];
    const isGone = open !== null && (open.path === path || open.path.startsWith(`${path}/`));
    change(port, { done: `${path} is deleted.`, open: isGone ? null : open });
  });
}

export function makeFolderOnBoard(port: PortNumber, path: string): void {
  void work(port, { kind: 'make-folder', path }, () => change(port, { done: `${path} is made.` }));
}

/** Makes an empty file and opens it. */
export function makeFileOnBoard(port: PortNumber, path: string): void {
  if (views.getState()[port].tree?.entries.some((entry) => entry.path === path) === true) {
    change(port, { failure: `${path} is on the board already. Choose another name.` });
    return;
  }
  const files = [{ path, content: new Uint8Array() }];
  void work(port, { kind: 'write', files, folders: [] }, () => change(port, { open: { path, text: '', saved: '' } }));
}

export function downloadFromBoard(port: PortNumber, path: string): void {
  void work(port, { kind: 'read', paths: [path] }, ({ files: [file] }) => {
    if (file !== undefined) {
      saveFile(new Blob([file.content]), path.split('/').at(-1) ?? 'file');
      change(port, { done: `${path} is downloaded, equal by its hash on the board.` });
    }
  });
}

/** Saves all files below a folder as a zip. */
export function downloadZip(port: PortNumber, folder: string): void {
  const prefix = folder === '/' ? '/' : `${folder}/`;
  const below = (views.getState()[port].tree?.entries ?? []).filter(({ path }) => path.startsWith(prefix));
  const paths = below.filter(({ isFolder }) => !isFolder).map(({ path }) => path);
  void work(port, { kind: 'read', paths }, async ({ files }) => {
    const { zipFiles } = await import('../../../../workbench/recording/zip-files.ts');
    const lastModified = Date.now();
    const entry = (name: string, content: Blob) => ({ name: name.slice(prefix.length), content, lastModified });
    const folders = below.filter(({ isFolder }) => isFolder).map(({ path }) => entry(`${path}/`, new Blob()));
    const content = files.map((file) => entry(file.path, new Blob([file.content])));
    saveFile(await zipFiles([...folders, ...content], nothing), 'board.zip');
    change(port, { done: `${counted(files.length, 'file')} saved as board.zip, each equal by its hash on the board.` });
  });
}

/** Writes the files of a zip, over those of the same names. */
export async function putBackZip(port: PortNumber, zip: File): Promise<void> {
  try {
    const { unzipSync } = await import('fflate');
    const entries = Object.entries(unzipSync(new Uint8Array(await zip.arrayBuffer())));
    const isFolder = ([name]: readonly [string, unknown]) => name.endsWith('/');
    const folders = entries.filter(isFolder).map(([name]) => `/${name.slice(0, -1)}`);
    const files = entries
      .filter((entry) => !isFolder(entry))
      .map(([name, content]): BoardFile => ({ path: `/${name}`, content: Uint8Array.from(content) }));
    write(port, files, folders);
  } catch (error) {
    console.warn('The zip cannot be read.', error);
    change(port, { failure: `${zip.name} cannot be read as a zip file. Choose one that was saved here.` });
  }
}

/** Writes local files, over those of the same names. */
export async function uploadToBoard(port: PortNumber, local: readonly LocalFile[]): Promise<void> {
  try {
    const files = await Promise.all(
      local.map(async ({ path, file }) => ({ path, content: new Uint8Array(await file.arrayBuffer()) })),
    );
    write(port, files, []);
  } catch (error) {
    console.warn('A file cannot be read.', error);
    change(port, { failure: 'A file can no longer be read. Was it changed or moved? Choose it again.' });
  }
}

function write(port: PortNumber, files: readonly BoardFile[], folders: readonly string[]): void {
  change(port, { comparison: null });
  void work(port, { kind: 'write', files, folders }, ({ written, removedFirst }) => {
    const first =
      removedFirst.length === 0
        ? ''
        : ` The board cannot rename over a file: ${counted(removedFirst.length, 'old file')} had to be deleted first.`;
    const { open } = views.getState()[port];
    const fresh = files.find(({ path }) => path === open?.path);
    const text = fresh === undefined ? null : readText(fresh.content);
    change(port, {
      done: `${counted(written.length, 'file')} written and verified.${first}`,
      open: open === null || text === null || isChanged(views.getState()[port]) ? open : { ...open, text, saved: text },
    });
  });
}

/** Compares local files with the board by hash. Nothing is written. */
export function compareWithBoard(port: PortNumber, local: readonly LocalFile[]): void {
  const there = new Map((views.getState()[port].tree?.entries ?? []).map((entry) => [entry.path, entry]));
  const shared = local.filter(({ path, file }) => there.get(path)?.size === file.size);
  const compare = async (hashes: BoardAnswer['hashes']) => {
    const changed: LocalFile[] = [];
    const fresh: LocalFile[] = [];
    let equal = 0;
    for (const entry of local) {
      const { path, file } = entry;
      if (!there.has(path)) {
        fresh.push(entry);
      } else if (
        hashes[path] !== undefined &&
        hashes[path] === (await sha256Of(new Uint8Array(await file.arrayBuffer())))
      ) {
        equal++;
      } else {
        changed.push(entry);
      }
    }
    const own = new Set(local.map(({ path }) => path));
    const onlyOnBoard = [...there.values()].filter(({ path, isFolder }) => !isFolder && !own.has(path));
    change(port, {
      comparison: { fresh, changed, equal, onlyOnBoard: onlyOnBoard.map(({ path }) => path) },
    });
  };
  if (shared.length === 0) {
    // The sizes suffice, so the board is not asked.
    change(port, { failure: null, done: '' });
    void compare({});
  } else {
    void work(port, { kind: 'hash', paths: shared.map(({ path }) => path) }, ({ hashes }) => compare(hashes));
  }
}

export function closeComparison(port: PortNumber): void {
  change(port, { comparison: null });
}
