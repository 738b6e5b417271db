/**
 * Reads dropped files, and unpacks archives. A package for a Nordic bootloader stays one file, because the flasher
 * writes it as it is.
 */

import { releaseLimits } from '@wirebench/contract';
import { baseName } from '@wirebench/flasher/core';
import type { DroppedEntry } from './dropped-entries.ts';
import { bytesOf } from './read-file-facts.ts';

export interface OpenedEntry {
  /** Path within the dropped folder or archive, with `/`. */
  readonly path: string;
  readonly file: File;
  /** At most the size of an accepted file. */
  readonly bytes: Uint8Array;
}

export interface OpenedEntries {
  /** Shallow folders first. */
  readonly files: readonly OpenedEntry[];
  /** Archives that could not be read, one sentence each. */
  readonly notes: readonly string[];
}

/** Maximum number of files to read. A project with many environments has many files. */
const MAX_READ = 64;

const depthOf = ({ path }: { readonly path: string }): number => path.split('/').length;

export async function openEntries(entries: readonly DroppedEntry[]): Promise<OpenedEntries> {
  const sorted = entries.toSorted((one, other) => depthOf(one) - depthOf(other)).slice(0, MAX_READ);
  const files: OpenedEntry[] = [];
  const notes: string[] = [];
  for (const { path, file: open } of sorted) {
    const file = await open();
    if (/\.zip$/i.test(path)) {
      const archive = await openArchive(path, file);
      files.push(...archive.files);
      notes.push(...archive.notes);
    } else {
      files.push({ path, file, bytes: await bytesOf(file) });
    }
  }
  return { files, notes };
}

async function openArchive(path: string, file: File): Promise<OpenedEntries> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const { readNestedZip, ImageError, imageFaultText } = await import('@wirebench/flasher/images');
  if (file.size <= releaseLimits.fileSize && (await isNrfPackage(file.name, bytes))) {
    return { files: [{ path, file, bytes }], notes: [] };
  }
  try {
    const files = readNestedZip(bytes).map(({ name, bytes: content }) => ({
      path: `${path}/${name}`,
      file: new File([Uint8Array.from(content)], baseName(name)),
      bytes: content,
    }));
    return { files: files.toSorted((one, other) => depthOf(one) - depthOf(other)).slice(0, MAX_READ), notes: [] };
  } catch (error) {
    if (!(error instanceof ImageError)) {
      throw error;
    }
    return { files: [], notes: [`"${baseName(path)}": ${error.message} ${imageFaultText[error.code].remedy}`] };
  }
}

async function isNrfPackage(name: string, bytes: Uint8Array): Promise<boolean> {
  const { readNrfFirmware, PackageError } = await import('@wirebench/flasher/nrf');
  try {
    await readNrfFirmware(name, bytes);
    return true;
  } catch (error) {
    if (error instanceof PackageError) {
      return false;
    }
    throw error;
  }
}
