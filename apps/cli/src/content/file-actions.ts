/** Actions of `wirebench files`, for files in flash and behind a Python prompt. */

import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { sizeText } from '@wirebench/flasher/core';
import type { FileEdit } from '@wirebench/flasher/file-systems';
import { sha256Of } from '@wirebench/flasher/sha256';
import { counted } from '@wirebench/port/numbers';
import type { BoardFiles } from '@wirebench/serial/micropython';
import type { BoardOutput } from '../board/board-output.ts';
import type { OptionValues } from '../commands/command.ts';
import { CommandError, exitCodes } from '../exit-code.ts';
import { printable } from '../printable.ts';
import { isForced } from '../saved-file.ts';
import { TargetFolder } from '../target-folder.ts';
import type { FlashFiles, ListedFile } from './flash-files.ts';
import { boardPath, type LocalFiles, localFiles } from './local-files.ts';

/** Parts for an action on the files of a board that runs MicroPython or CircuitPython. */
export interface PythonRun {
  readonly options: OptionValues;
  readonly output: BoardOutput;
  readonly files: BoardFiles;
  readonly signal: AbortSignal;
}

/** Each resolves with false if the answer is no. */
export interface BoardFileAction {
  /** True: standard output has the result alone. */
  readonly isReading: boolean;
  readonly inFlash: (files: FlashFiles) => Promise<boolean>;
  readonly inPython: (run: PythonRun) => Promise<boolean>;
}

/** Words behind an action, for the sentence about wrong use. */
const forms = {
  ls: '[PATH]',
  get: 'PATH [LOCAL]',
  put: 'LOCAL [PATH]',
  rm: 'PATH...',
  mkdir: 'PATH',
  mv: 'FROM TO',
  format: 'littlefs|spiffs|fat',
} as const;

/**
 * Reads the action and its words. Local files that it names are read before the board is connected.
 *
 * @throws CommandError for wrong use and for local files that cannot be read.
 */
export async function actionOf(
  [name = 'ls', ...words]: readonly string[],
  options: OptionValues,
): Promise<BoardFileAction> {
  const [first, second] = words;
  const { length } = words;
  if (name === 'ls' && length <= 1) {
    return listing(boardPath(first ?? '/'));
  }
  if (name === 'get' && first !== undefined && length <= 2) {
    return getting(boardPath(first), second ?? null, isForced(options));
  }
  if (name === 'put' && first !== undefined && length <= 2) {
    return putting(await localFiles(first, second ?? '/'));
  }
  if (name === 'rm' && length > 0) {
    return removing(words.map(boardPath).map(notRoot));
  }
  if (name === 'mkdir' && first !== undefined && length === 1) {
    return makingFolder(boardPath(first));
  }
  if (name === 'mv' && first !== undefined && second !== undefined && length === 2) {
    return moving(boardPath(first), boardPath(second));
  }
  if (name === 'format' && (first === 'littlefs' || first === 'spiffs' || first === 'fat') && length === 1) {
    return formatting(first);
  }
  const form = Object.hasOwn(forms, name) ? forms[name as keyof typeof forms] : null;
  throw new CommandError(
    exitCodes.usage,
    form === null
      ? `files takes ${Object.keys(forms).join(', ')}, and not ${printable(name)}.`
      : `use it as: wirebench files PORT ${name} ${form}`,
  );
}

/** @throws CommandError for the root, which cannot be deleted. */
function notRoot(path: string): string {
  if (path === '/') {
    throw new CommandError(exitCodes.usage, 'name the files and folders to delete: the root itself stays.');
  }
  return path;
}

const isBelow = (path: string, folder: string): boolean => folder === '/' || path.startsWith(`${folder}/`);
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Returns what a path names: itself, and what is below it. @throws CommandError for a path that is not there. */
function chosen(all: readonly ListedFile[], path: string): ListedFile[] {
  const found = all.filter((entry) => entry.path === path || isBelow(entry.path, path));
  if (found.length === 0 && path !== '/') {
    throw new CommandError(exitCodes.failed, `${printable(path)} is not on the board.`);
  }
  return found;
}

/** Returns what a path names, as `chosen` does, and lists no more of the board than is needed. */
export async function treeOf(files: BoardFiles, path: string): Promise<ListedFile[]> {
  const entry = path === '/' ? null : await files.stat(path);
  if (entry?.isFolder === false) {
    return [entry];
  }
  if (entry === null && path !== '/') {
    return chosen([], path);
  }
  return [...(entry === null ? [] : [entry]), ...(await files.tree(path))];
}

function listing(path: string): BoardFileAction {
  const show = (output: BoardOutput, all: readonly ListedFile[], note: string): true => {
    const found = chosen(all, path);
    const width = Math.max(0, ...found.map(({ size }) => String(size).length));
    const lines = found.map((entry) =>
      entry.isFolder
        ? `${' '.repeat(width)}  ${printable(entry.path)}/`
        : `${String(entry.size).padStart(width)}  ${printable(entry.path)}`,
    );
    output.result(
      'files',
      { path, files: found.map(({ isFolder, ...entry }) => ({ ...entry, folder: isFolder })) },
      lines.join('\n'),
    );
    output.step('space', { note }, printable(note));
    return true;
  };
  return {
    isReading: true,
    inFlash: async (files) => show(files.run.output, files.list(), files.text),
    inPython: async ({ files, output }) => {
      const tree = await treeOf(files, path);
      const space = await files.space('/');
      const note = space === null ? '' : `${sizeText(space.free)} of ${sizeText(space.total)} free`;
      return show(output, tree, [await files.identity(), note].filter((part) => part !== '').join(', '));
    },
  };
}

/** Copies a file or folder of the board to this computer. All names are checked before anything is written. */
function getting(path: string, local: string | null, replaces: boolean): BoardFileAction {
  const copy = async (
    output: BoardOutput,
    all: readonly ListedFile[],
    read: (path: string) => Promise<Uint8Array>,
  ): Promise<boolean> => {
    const found = chosen(all, path);
    const isFile = found.length === 1 && found[0]?.path === path && !found[0].isFolder;
    if (isFile && local === '-') {
      const bytes = await read(path);
      output.step('got', { path, size: bytes.length });
      output.bytes(bytes);
      return true;
    }
    if (local === '-') {
      throw new CommandError(
        exitCodes.usage,
        `${printable(path)} is a folder, and - takes a file: name a folder of this computer for it.`,
      );
    }
    const target = local ?? (path === '/' ? '.' : nameOf(path));
    const folder = new TargetFolder(isFile ? dirname(target) : target);
    const placed = found
      .filter((entry) => isFile || entry.path !== path)
      .map((entry) => ({
        entry,
        names: isFile ? [basename(target)] : entry.path.slice(path === '/' ? 1 : path.length + 1).split('/'),
      }));
    for (const { names } of placed) {
      folder.pathOf(names);
    }
    const files = placed.filter(({ entry }) => !entry.isFolder);
    const contents = [];
    const changed: string[] = [];
    for (const { entry, names } of files) {
      const bytes = await read(entry.path);
      const isThere = await folder.hasFile(names);
      const isSame = isThere && Buffer.from(bytes).equals(await readFile(folder.pathOf(names)));
      if (isThere && !isSame) {
        changed.push(folder.pathOf(names));
      }
      contents.push({ entry, names, bytes, isSame });
    }
    if (changed.length > 0 && !replaces) {
      throw new CommandError(
        exitCodes.refused,
        `nothing was written. There already with other contents: ${printable(changed.join(', '))}. With --force they are replaced.`,
      );
    }
    for (const { entry, names } of placed) {
      if (entry.isFolder) {
        await folder.makeFolder(names);
      }
    }
    for (const { entry, names, bytes, isSame } of contents) {
      if (!isSame) {
        await folder.write(names, bytes);
      }
      const to = folder.pathOf(names);
      output.step(
        'got',
        { path: entry.path, file: to, size: bytes.length },
        `  ${printable(entry.path)} → ${printable(to)}, ${sizeText(bytes.length)}`,
      );
    }
    output.step('done', { files: contents.length }, `${counted(contents.length, 'file')} copied from the board.`);
    return true;
  };
  return {
    isReading: local === '-',
    inFlash: (files) => copy(files.run.output, files.list(), async (one) => files.read(one)),
    inPython: async ({ files, output }) =>
      copy(output, await treeOf(files, path), async (one) => (await files.read(one, reading(output, one))).bytes),
  };
}

const reading = (output: BoardOutput, path: string) => (done: number) =>
  output.passing('progress', { path, done }, `Reading ${printable(path)}: ${sizeText(done)}`);

/** Copies files of this computer to the board. */
export function putting({ files: local, folders, leftOut }: LocalFiles): BoardFileAction {
  const showLeftOut = (output: BoardOutput) => {
    if (leftOut.length > 0) {
      output.step(
        'left-out',
        { files: leftOut },
        `Left out, links and files of the operating system: ${printable(leftOut.join(', '))}`,
      );
    }
  };
  return {
    isReading: false,
    inFlash: async (files) => {
      showLeftOut(files.run.output);
      const there = new Set(files.list().map(({ path }) => path));
      const empty = folders.filter((folder) => !there.has(folder) && !local.some(({ path }) => isBelow(path, folder)));
      return files.change([
        ...local
          .filter(({ path, bytes }) => !files.holds(path, bytes))
          .map(({ path, bytes }): FileEdit => ({ kind: 'write', path, bytes })),
        ...empty.map((path): FileEdit => ({ kind: 'make-folder', path })),
      ]);
    },
    inPython: async ({ files, output }) => {
      showLeftOut(output);
      let written = 0;
      for (const folder of folders) {
        await files.makeFolders(folder);
      }
      for (const { path, bytes } of local) {
        const entry = await files.stat(path);
        const isSame =
          entry?.isFolder === false &&
          entry.size === bytes.length &&
          (await files.hash(path)) === (await sha256Of(bytes));
        if (!isSame) {
          await files.makeFolders(path.slice(0, path.lastIndexOf('/')) || '/');
          await files.write(path, bytes, (done) =>
            output.bar('writing', `Writing ${printable(path)}`, { done, total: bytes.length }),
          );
          written++;
        }
        const state = isSame ? 'there already' : 'written and verified';
        output.step(
          'put',
          { path, size: bytes.length, written: !isSame },
          `  ${printable(path)}, ${sizeText(bytes.length)}: ${state}`,
        );
      }
      output.step(
        'done',
        { files: local.length, written },
        `${counted(local.length, 'file')} on the board: ${written} written, ${local.length - written} there already.`,
      );
      return true;
    },
  };
}

function removing(paths: readonly string[]): BoardFileAction {
  return {
    isReading: false,
    inFlash: async (files) => {
      const all = files.list();
      for (const path of paths) {
        chosen(all, path);
      }
      return files.change(paths.map((path): FileEdit => ({ kind: 'remove', path })));
    },
    inPython: async ({ files, output, options, signal }) => {
      const found = [];
      for (const path of paths) {
        found.push({ path, below: (await treeOf(files, path)).filter(({ isFolder }) => !isFolder) });
      }
      const names = found.map(({ path, below }) =>
        below.some((one) => one.path !== path) ? `${path}/, ${counted(below.length, 'file')}` : path,
      );
      output.step('removal', { paths }, names.map((one) => `  ${printable(one)} is deleted`).join('\n'));
      await consent(output, options, signal);
      for (const { path } of found) {
        await files.remove(path);
      }
      output.step('removed', { paths }, 'Deleted.');
      return true;
    },
  };
}

/** @throws CommandError without consent, which `--yes` gives. */
async function consent(output: BoardOutput, options: OptionValues, signal: AbortSignal): Promise<void> {
  if (options['yes'] === true) {
    return;
  }
  if (!output.canAsk) {
    throw new CommandError(
      exitCodes.refused,
      'nothing was deleted: there is no terminal to ask on. With --yes it is deleted.',
    );
  }
  if (!/^y(?:es)?$/i.test(await output.ask('Delete? [y/N] ', signal))) {
    throw new CommandError(exitCodes.refused, 'nothing was deleted.');
  }
}

function makingFolder(path: string): BoardFileAction {
  return {
    isReading: false,
    inFlash: (files) => files.change([{ kind: 'make-folder', path }]),
    inPython: async ({ files, output }) => {
      await files.makeFolders(path);
      output.step('made', { path }, `${printable(path)}/ is on the board.`);
      return true;
    },
  };
}

function moving(from: string, to: string): BoardFileAction {
  return {
    isReading: false,
    inFlash: async (files) => {
      chosen(files.list(), from);
      return files.change([{ kind: 'rename', path: from, to }]);
    },
    inPython: async ({ files, output }) => {
      await files.rename(from, to);
      output.step('moved', { from, to }, `${printable(from)} → ${printable(to)}`);
      return true;
    },
  };
}

function formatting(as: 'littlefs' | 'spiffs' | 'fat'): BoardFileAction {
  return {
    isReading: false,
    inFlash: (files) => files.change([{ kind: 'format', as }]),
    inPython: async () => {
      throw new CommandError(exitCodes.usage, 'format works on a partition: --in flash.');
    },
  };
}
