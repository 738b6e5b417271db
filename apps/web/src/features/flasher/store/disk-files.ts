/**
 * Chosen files as they are on the disk now. Every write begins here, so that nothing is written or reported that a
 * build has replaced since. A browser that gives no handles reads a chosen file only as long as it is unchanged.
 */
import { baseName } from '@wirebench/flasher/core';
import type { FileOrigin, GivenFile } from '../../../protocol/flash-protocol.ts';
import { isSameFile, readFirstByte } from '../../../shared/files/changed-files.ts';

/** A file from a disk, with the ways to read it again. */
export interface DiskFile extends GivenFile {
  /** Reads the file by its handle. Missing: the browser gave none. */
  readonly reread?: () => Promise<File>;
  /** Lists the folder again in which the file was found. The same function for all files of one folder. */
  readonly relist?: () => Promise<readonly DiskFile[]>;
  /** The folder or the file itself, as the user gave it to the page. The same object for all files of one folder. */
  readonly root?: FileSystemHandle;
  /** Files that the contents were made from, such as those of a file system. */
  readonly madeFrom?: readonly DiskFile[];
}

/**
 * Reason why the newest contents of a file cannot be had. `changed`: the browser refuses a file that is not as it was
 * chosen. `refused`: the permission is gone. `busy`: another program is writing it.
 */
export type FileFaultCode = 'changed' | 'gone' | 'refused' | 'busy';

export interface FileFault {
  /** Name, or path within a folder, under which the file was given. */
  readonly name: string;
  readonly code: FileFaultCode;
}

/** A file that was read again because its contents had changed. */
export interface ChangedFile {
  readonly name: string;
  /** Time of the change, in milliseconds since the Unix epoch. */
  readonly at: number;
}

/** Files in the groups in which they were added: a list in one group does not rule out the files of another. */
export type GivenBatches = readonly (readonly DiskFile[])[];

/** Returns true if a file comes from a disk, where it may change. */
export const isOnDisk = ({ content, reread, madeFrom }: DiskFile): boolean =>
  reread !== undefined || content instanceof File || (madeFrom?.some(isOnDisk) ?? false);

const faultCodes: Readonly<Record<string, FileFaultCode>> = {
  NotFoundError: 'gone',
  NotAllowedError: 'refused',
  SecurityError: 'refused',
};

const faultOf = (name: string, error: unknown, otherwise: FileFaultCode): FileFault => ({
  name,
  code: (error instanceof Error ? faultCodes[error.name] : undefined) ?? otherwise,
});

/** Returns the file as it is now, or why it cannot be read. */
async function newestOf(file: DiskFile): Promise<DiskFile | FileFault> {
  for (const part of file.madeFrom ?? []) {
    const found = await newestOf(part);
    if ('code' in found || hasChanged(part, found)) {
      return { name: part.name, code: 'code' in found ? found.code : 'changed' };
    }
  }
  try {
    if (file.reread !== undefined) {
      return { ...file, content: await file.reread() };
    }
    if (file.content instanceof File) {
      await readFirstByte(file.content);
    }
    return file;
  } catch (error) {
    return faultOf(file.name, error, file.reread === undefined ? 'changed' : 'busy');
  }
}

function hasChanged({ content: one }: DiskFile, { content: other }: DiskFile): boolean {
  return one instanceof File && other instanceof File ? !isSameFile(one, other) : one !== other;
}

export interface NewestFiles {
  readonly batches: GivenBatches;
  /** Files in use that cannot be read. */
  readonly faults: readonly FileFault[];
}

/**
 * Reads all given files again.
 *
 * @param used Names of the given files that are written, or followed as a list. Only these can be at fault.
 * @param without Files that the user has removed. A folder that is listed again does not bring them back.
 */
export async function newestFiles(
  given: GivenBatches,
  used: ReadonlySet<string>,
  without: readonly FileOrigin[],
): Promise<NewestFiles> {
  const faults: FileFault[] = [];
  const isRemoved = (name: string) =>
    !used.has(name) && without.some((file) => file.from === name && file.name === baseName(name));
  const batches = await Promise.all(
    given.map(async (batch) => {
      const lists = new Set(batch.flatMap(({ name, relist }) => (used.has(name) && relist ? [relist] : [])));
      const listed: DiskFile[] = [];
      for (const relist of lists) {
        try {
          listed.push(...(await relist()));
        } catch (error) {
          const file = batch.find((one) => one.relist === relist);
          faults.push(faultOf(file?.name ?? '', error, 'busy'));
        }
      }
      const read = await Promise.all(
        batch.map(async (file) => {
          const again = listed.find(({ name }) => name === file.name);
          const isGone = again === undefined && file.relist !== undefined && lists.has(file.relist);
          const found = isGone ? ({ name: file.name, code: 'gone' } as const) : (again ?? (await newestOf(file)));
          if (!('code' in found)) {
            return [found];
          }
          faults.push(...(used.has(file.name) && !faults.some(({ name }) => name === found.name) ? [found] : []));
          return [];
        }),
      );
      const added = listed.filter(({ name }) => !isRemoved(name) && !batch.some((file) => file.name === name));
      return [...read.flat(), ...added];
    }),
  );
  return { batches, faults };
}

/** Returns the faults of files that differ from their contents as they were read, or that cannot be read. */
export async function changedFiles(files: readonly DiskFile[]): Promise<readonly FileFault[]> {
  const found = await Promise.all(
    files.map(async (file) => {
      const newest = await newestOf(file);
      return 'code' in newest
        ? [newest]
        : hasChanged(file, newest)
          ? [{ name: file.name, code: 'changed' as const }]
          : [];
    }),
  );
  return found.flat();
}

/** Local files by the contents that were read of them: bytes of a file, or a value out of a table. */
const origins = new WeakMap<object, readonly DiskFile[]>();

/** Notes the local files that contents were read from. A plan made with the contents checks the files before a write. */
export function noteOrigin(contents: object, files: readonly DiskFile[]): void {
  origins.set(contents, files);
}

/** Returns the local files that these contents were read from, each once. */
export function originsOf(contents: readonly (object | null)[]): readonly DiskFile[] {
  return [...new Set(contents.flatMap((one) => (one === null ? [] : (origins.get(one) ?? []))))];
}

/** Returns the file without the ways to read it again, which cannot go to the worker. */
export const givenFile = ({ reread: _, relist: __, madeFrom: ___, root: ____, ...file }: DiskFile): GivenFile => file;
