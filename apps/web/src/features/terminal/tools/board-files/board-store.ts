/** Files of the board on each port as the page knows them: the tree, the open file, and what failed. */

import { sha256Of } from '@wirebench/flasher/sha256';
import { type PortNumber, portNumbers } from '@wirebench/serial';
import type { BoardAnswer, BoardFile, BoardJob, BoardTree } from '../../../../protocol/bench/board-files-part.ts';
import { changedFilesText } from '../../../../shared/files/changed-files.ts';
import type { LocalFile } from '../../../../shared/files/local-files.ts';
import { saveFile } from '../../../../shared/files/save-file.ts';
import { counted } from '../../../../shared/format/numbers.ts';
import { pageStore } from '../../../../shared/page-store.ts';
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
  /**
   * Begin of the connection in which the files were last asked for, in milliseconds since the Unix epoch; null before.
   * They are asked for by themselves once for each connection, whatever the answer was.
   */
  readonly connectedAt: number | null;
  readonly open: OpenFile | null;
  /** Sentence about the last job that failed; null without one. */
  readonly failure: string | null;
  /** Sentence about the last job that was done. */
  readonly done: string;
  /** Job that waits for leave to interrupt the board's program. */
  readonly asking: (() => void) | null;
  readonly comparison: Comparison | null;
}

const empty: BoardView = {
  tree: null,
  connectedAt: null,
  open: null,
  failure: null,
  done: '',
  asking: null,
  comparison: null,
};

type Views = Readonly<Record<PortNumber, BoardView>>;
const views = pageStore<Views>({ 1: empty, 2: empty, 3: empty, 4: empty });
const running = new Map<PortNumber, AbortController>();

/** Largest file that is opened as text, in bytes. */
const MAX_TEXT = 256 * 1_024;

export function useBoard(port: PortNumber): BoardView {
  return views.use((all) => all[port]);
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

interface Leave {
  /** True: the user has agreed to interrupt the board's program. */
  readonly mayInterrupt: boolean;
  /** Called when the user agrees. */
  readonly onAgreed?: () => void;
}

const freeListeners = new Set<(port: PortNumber) => void>();

/** Calls `act` each time when a job of a port has ended. */
export function onBoardFree(act: (port: PortNumber) => void): void {
  freeListeners.add(act);
}

export const isBoardBusy = (port: PortNumber): boolean => running.has(port);

/** Does a job. A board whose program runs is not interrupted before the user has agreed. */
export async function work(
  port: PortNumber,
  job: BoardJob,
  then: (answer: BoardAnswer) => void | Promise<void>,
  leave: Leave = { mayInterrupt: false },
): Promise<void> {
  if (running.has(port)) {
    return;
  }
  const stop = new AbortController();
  running.set(port, stop);
  change(port, { failure: null, done: '', asking: null });
  let failed = true;
  try {
    const answer = await boardJob(port, job, leave.mayInterrupt, stop.signal);
    failed = answer.failure !== null;
    if (answer.tree !== null) {
      change(port, { tree: answer.tree });
    }
    if (answer.failure?.code === 'busy') {
      const agreed = () => {
        leave.onAgreed?.();
        void work(port, job, then, { mayInterrupt: true });
      };
      change(port, { asking: agreed });
    } else if (answer.failure !== null) {
      change(port, { failure: `${answer.failure.message}${writtenText(job, answer)}` });
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
  for (const act of freeListeners) {
    act(port);
  }
}

/** Names the files of an unfinished upload that are on the board already. */
function writtenText(job: BoardJob, { written }: BoardAnswer): string {
  if (job.kind !== 'write' || job.files.length < 2) {
    return '';
  }
  return written.length === 0
    ? ' No file was written.'
    : ` ${written.length} of ${job.files.length} files are written and verified: ${written.join(', ')}.`;
}

/** Returns true if no job of the port is under way. If one is, the view says what to do. */
function isFree(port: PortNumber): boolean {
  if (!running.has(port)) {
    return true;
  }
  change(port, { failure: 'The board is at work. Choose the files again when it has finished.' });
  return false;
}

const nothing = () => undefined;

export function listBoard(port: PortNumber): void {
  if (!running.has(port)) {
    change(port, { connectedAt: benchStatus.tick.status.ports[port].connectedAt });
  }
  void work(port, { kind: 'list' }, nothing);
}

export function openBoardFile(port: PortNumber, path: string, size: number): void {
  if (size > MAX_TEXT) {
    change(port, { failure: `${path} is too large to be edited here. Save it on this computer.` });
    return;
  }
  void work(port, { kind: 'read', paths: [path] }, ({ files: [file] }) => {
    const text = file === undefined ? null : readText(file.content);
    if (text === null) {
      change(port, { failure: `${path} is not a text. Save it on this computer.` });
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
  if (!isFree(port) || !(await areAsChosen(port, [{ path: zip.name, file: zip }]))) {
    return;
  }
  try {
    const [{ unzipSync }, { archivePath, imageFaultText }] = await Promise.all([
      import('fflate'),
      import('@wirebench/flasher/images'),
    ]);
    const entries = Object.entries(unzipSync(new Uint8Array(await zip.arrayBuffer()))).map(([name, content]) => ({
      path: archivePath(name),
      isFolder: name.endsWith('/'),
      content: Uint8Array.from(content),
    }));
    if (entries.some(({ path, isFolder }) => path === null && !isFolder)) {
      const { what, remedy } = imageFaultText['zip-unsafe-name'];
      change(port, { failure: `${zip.name}: ${what} ${remedy}` });
      return;
    }
    const below = (folders: boolean) => entries.filter(({ path, isFolder }) => path !== null && isFolder === folders);
    writeToBoard(
      port,
      below(false).map(({ path, content }): BoardFile => ({ path: `/${path}`, content })),
      below(true).map(({ path }) => `/${path}`),
    );
  } catch (error) {
    console.warn('The zip cannot be read.', error);
    change(port, { failure: `${zip.name} cannot be read as a zip file. Choose one that was saved here.` });
  }
}

/** Writes local files, over those of the same names. All are read before the first is written. */
export async function uploadToBoard(port: PortNumber, local: readonly LocalFile[]): Promise<void> {
  const files = isFree(port) ? await contentsOf(port, local) : null;
  if (files !== null) {
    writeToBoard(port, files);
  }
}

/** Reads local files. Returns null if one cannot be read: the view then names it. */
export async function contentsOf(port: PortNumber, local: readonly LocalFile[]): Promise<readonly BoardFile[] | null> {
  try {
    return await Promise.all(
      local.map(async ({ path, file }) => ({ path, content: new Uint8Array(await file.arrayBuffer()) })),
    );
  } catch (error) {
    console.warn('A file cannot be read.', error);
    if (await areAsChosen(port, local)) {
      change(port, { failure: 'A file could not be read. Choose the files again.', done: '' });
    }
    return null;
  }
}

/** Returns true if the local files are as they were chosen. If not, the view says which are not. */
async function areAsChosen(port: PortNumber, local: readonly LocalFile[]): Promise<boolean> {
  const failure = await changedFilesText(local.map(({ path, file }) => ({ name: path.replace(/^\//, ''), file })));
  if (failure !== null) {
    change(port, { failure, done: '' });
  }
  return failure === null;
}

/** Writes files over those of the same names, after the folders were made. */
export function writeToBoard(port: PortNumber, files: readonly BoardFile[], folders: readonly string[] = []): void {
  change(port, { comparison: null });
  void work(port, { kind: 'write', files, folders }, ({ written, removedFirst }) => {
    const first =
      removedFirst.length === 0
        ? ''
        : ` The board cannot rename over a file: ${counted(removedFirst.length, 'old file')} had to be deleted first.`;
    showWritten(port, files, `${counted(written.length, 'file')} written and verified.${first}`);
  });
}

/** Says what was written. An open file without changes of its own shows its new version. */
export function showWritten(port: PortNumber, files: readonly BoardFile[], done: string): void {
  const view = views.getState()[port];
  const fresh = files.find(({ path }) => path === view.open?.path);
  const text = fresh === undefined ? null : readText(fresh.content);
  const { open } = view;
  change(port, {
    done,
    open: open === null || text === null || isChanged(view) ? open : { ...open, text, saved: text },
  });
}

/** Shows a failure in place of the last answer. */
export function showFailure(port: PortNumber, failure: string): void {
  change(port, { failure, done: '' });
}

/**
 * Compares local files with the board by hash. Nothing is written.
 *
 * @param onHashes Takes the hash of each file on the board that is among the local ones. Without it, files of another size
 *   are not hashed.
 */
export async function compareWithBoard(
  port: PortNumber,
  local: readonly LocalFile[],
  onHashes?: (hashes: BoardAnswer['hashes']) => void,
): Promise<void> {
  if (!isFree(port) || !(await areAsChosen(port, local))) {
    return;
  }
  const there = new Map((views.getState()[port].tree?.entries ?? []).map((entry) => [entry.path, entry]));
  const shared = local.filter(({ path, file }) => {
    const entry = there.get(path);
    return onHashes === undefined ? entry?.size === file.size : entry?.isFolder === false;
  });
  const compare = async (hashes: BoardAnswer['hashes']) => {
    onHashes?.(hashes);
    const changed: LocalFile[] = [];
    const fresh: LocalFile[] = [];
    let equal = 0;
    for (const entry of local) {
      const { path } = entry;
      if (!there.has(path)) {
        fresh.push(entry);
      } else if (hashes[path] === undefined) {
        changed.push(entry);
      } else {
        const [file] = (await contentsOf(port, [entry])) ?? [];
        if (file === undefined) {
          return;
        }
        if (hashes[path] === (await sha256Of(file.content))) {
          equal++;
        } else {
          changed.push(entry);
        }
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
    await compare({});
  } else {
    await work(port, { kind: 'hash', paths: shared.map(({ path }) => path) }, ({ hashes }) => compare(hashes));
  }
}

export function closeComparison(port: PortNumber): void {
  change(port, { comparison: null });
}
