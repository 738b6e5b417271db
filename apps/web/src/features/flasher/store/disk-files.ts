/**
 * Chosen files that can be read again from the disk, because the browser has given handles of them. A build that has
 * changed such a file is noticed when the person comes back to the page.
 */
import { baseName } from '@wirebench/flasher/core';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { GivenFile } from '../../../protocol/flash-protocol.ts';

/** A file from a disk, with a way to read it again if the browser gives one. */
export interface DiskFile extends GivenFile {
  readonly reread?: () => Promise<File>;
}

interface KnownFile {
  /** Name, or path within a folder, under which it was given. */
  readonly name: string;
  readonly reread: () => Promise<File>;
  /** Time of the last change when it was read, in milliseconds since the Unix epoch. */
  readonly readAs: number;
}

/** A file whose contents on the disk are newer than those that were read. */
export interface ChangedFile {
  readonly name: string;
  /** Time of the change, in milliseconds since the Unix epoch. */
  readonly at: number;
}

let known: readonly KnownFile[] = [];
const changed = createStore<{ readonly files: readonly ChangedFile[] }>(() => ({ files: [] }));

/** Notes the handles of files that are added. A file without one replaces the note of its name. */
export function noteDiskFiles(files: readonly DiskFile[]): void {
  const names = files.map(({ name }) => baseName(name));
  const others = known.filter(({ name }) => !names.includes(baseName(name)));
  const fresh = files.flatMap(({ name, content, reread }) =>
    reread !== undefined && content instanceof File ? [{ name, reread, readAs: content.lastModified }] : [],
  );
  known = [...others, ...fresh];
  changed.setState(({ files: before }) => ({ files: before.filter(({ name }) => !names.includes(baseName(name))) }));
}

/** Returns true if nothing can be read again. */
export const hasNoDiskFiles = (): boolean => known.length === 0;

/**
 * Looks which files have changed on the disk. A file that is gone is passed over: a build writes it again.
 * @param chosen Names of the chosen files, without folders.
 * @returns True if a file has changed since the last look.
 */
export async function lookAtDisk(chosen: readonly string[]): Promise<boolean> {
  const found = await Promise.all(
    known
      .filter(({ name }) => chosen.includes(baseName(name)))
      .map(async ({ name, reread, readAs }) => {
        try {
          const { lastModified } = await reread();
          return lastModified === readAs ? [] : [{ name: baseName(name), at: lastModified }];
        } catch {
          return [];
        }
      }),
  );
  const files = found.flat();
  const before = changed.getState().files;
  changed.setState({ files });
  return files.some(({ name, at }) => !before.some((one) => one.name === name && one.at === at));
}

/** Reads the changed files again. A file that cannot be read keeps its old contents. */
export async function changedContents(): Promise<readonly DiskFile[]> {
  const names = changed.getState().files.map(({ name }) => name);
  const read = await Promise.all(
    known
      .filter(({ name }) => names.includes(baseName(name)))
      .map(async ({ name, reread }): Promise<DiskFile[]> => {
        try {
          return [{ name, content: await reread(), reread }];
        } catch {
          return [];
        }
      }),
  );
  return read.flat();
}

export function useChangedFiles(): readonly ChangedFile[] {
  return useStore(changed, ({ files }) => files);
}
