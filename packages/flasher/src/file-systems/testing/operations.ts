/** Random operations on a file system, and a model that says what must come of them. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { noise } from '../../testing/program.ts';
import type { FileSystem } from '../file-system.ts';
import { FileSystemError, type FileSystemFault } from '../file-system-error.ts';

export type Operation =
  | { readonly kind: 'write'; readonly path: string; readonly length: number; readonly seed: number }
  | { readonly kind: 'append'; readonly path: string; readonly length: number; readonly seed: number }
  | { readonly kind: 'rename'; readonly path: string; readonly to: string }
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'makeDirectory'; readonly path: string };

/** Contents that differ between seeds, and at every position of a block. */
export function contentOf(length: number, seed: number): Uint8Array {
  return noise(length, seed);
}

/**
 * Returns an arbitrary operation. Few names are used, so that operations meet each other.
 *
 * @param lengths Lengths of files in bytes.
 * @param names Names of files and folders.
 */
export function anyOperation(lengths: fc.Arbitrary<number>, names: readonly string[]): fc.Arbitrary<Operation> {
  const path = fc
    .array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 })
    .map((parts) => `/${parts.join('/')}`);
  const content = { path, length: lengths, seed: fc.nat(9_999) };
  return fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('write' as const), ...content }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('append' as const), ...content }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('rename' as const), path, to: path }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), path }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('makeDirectory' as const), path }) },
  );
}

/** Files by path. Folders are kept as well where a file system has them. */
class Model {
  readonly files = new Map<string, Uint8Array>();
  readonly folders = new Set<string>();
  readonly #hasFolders: boolean;
  /** Bytes that a whole path may have. */
  readonly #longestPath: number;

  constructor({ hasFolders, longestName }: Pick<FileSystem, 'hasFolders' | 'longestName'>) {
    this.#hasFolders = hasFolders;
    this.#longestPath = hasFolders ? Number.POSITIVE_INFINITY : longestName;
  }

  /** Returns the fault that the operation must have, or null. With null, the model has the new state. */
  apply(operation: Operation): FileSystemFault | null {
    const { path } = operation;
    switch (operation.kind) {
      case 'write':
      case 'append': {
        const fault = this.#parentFault(path);
        if (fault !== null) {
          return fault;
        }
        if (!this.files.has(path) && this.#isTooLong(path)) {
          return 'path-too-long';
        }
        if (this.#isFolder(path)) {
          return 'not-a-file';
        }
        this.#addParents(path);
        this.files.set(path, this.contentAfter(operation));
        return null;
      }
      case 'makeDirectory': {
        const fault = this.#parentFault(path);
        if (!this.#hasFolders) {
          return 'no-empty-folders';
        }
        if (fault !== null || this.#isFolder(path) || this.files.has(path)) {
          return fault ?? 'exists';
        }
        this.#addParents(path);
        this.folders.add(path);
        return null;
      }
      case 'remove': {
        const fault = this.#parentFault(path);
        if (fault !== null) {
          return fault;
        }
        if (!this.files.has(path) && !this.#isFolder(path)) {
          return 'not-found';
        }
        this.#take(path);
        return null;
      }
      case 'rename':
        return this.#rename(path, operation.to);
    }
  }

  /** Contents that a write or an append leaves. */
  contentAfter(operation: Operation & { readonly kind: 'write' | 'append' }): Uint8Array {
    const before = operation.kind === 'append' ? this.files.get(operation.path) : undefined;
    const added = contentOf(operation.length, operation.seed);
    if (before === undefined) {
      return added;
    }
    const bytes = new Uint8Array(before.length + added.length);
    bytes.set(before);
    bytes.set(added, before.length);
    return bytes;
  }

  copy(): Model {
    const model = new Model({ hasFolders: this.#hasFolders, longestName: this.#longestPath });
    for (const [path, bytes] of this.files) {
      model.files.set(path, bytes);
    }
    for (const path of this.folders) {
      model.folders.add(path);
    }
    return model;
  }

  #rename(path: string, to: string): FileSystemFault | null {
    const fault = this.#parentFault(path);
    if (fault !== null) {
      return fault;
    }
    if (!this.files.has(path) && !this.#isFolder(path)) {
      return 'not-found';
    }
    if (path === to) {
      return null;
    }
    if (to.startsWith(`${path}/`)) {
      return 'into-itself';
    }
    const targetFault = this.#parentFault(to);
    if (targetFault !== null || this.files.has(to) || this.#isFolder(to)) {
      return targetFault ?? 'exists';
    }
    const below = [...this.files.keys()].filter((other) => other === path || other.startsWith(`${path}/`));
    if (below.some((other) => this.#isTooLong(to + other.slice(path.length)))) {
      return 'path-too-long';
    }
    this.#addParents(to);
    const taken = this.#take(path);
    for (const [rest, bytes] of taken.files) {
      this.files.set(to + rest, bytes);
    }
    for (const rest of taken.folders) {
      this.folders.add(to + rest);
    }
    return null;
  }

  #isFolder(path: string): boolean {
    return this.folders.has(path) || [...this.files.keys()].some((file) => file.startsWith(`${path}/`));
  }

  #isTooLong(path: string): boolean {
    return Buffer.byteLength(path) > this.#longestPath;
  }

  #parentFault(path: string): FileSystemFault | null {
    return parentsOf(path).some((parent) => this.files.has(parent)) ? 'not-a-folder' : null;
  }

  #addParents(path: string): void {
    if (this.#hasFolders) {
      for (const parent of parentsOf(path)) {
        this.folders.add(parent);
      }
    }
  }

  /** Removes the path and everything below it, and returns it by the rest of its path. */
  #take(path: string) {
    const isBelow = (other: string) => other === path || other.startsWith(`${path}/`);
    const files = new Map([...this.files].filter(([other]) => isBelow(other)));
    const folders = [...this.folders].filter(isBelow);
    for (const other of files.keys()) {
      this.files.delete(other);
    }
    for (const other of folders) {
      this.folders.delete(other);
    }
    return {
      files: new Map([...files].map(([other, bytes]) => [other.slice(path.length), bytes])),
      folders: folders.map((other) => other.slice(path.length)),
    };
  }
}

function parentsOf(path: string): string[] {
  const names = path.split('/').slice(1, -1);
  return names.map((_, index) => `/${names.slice(0, index + 1).join('/')}`);
}

/** Carries the operation out. Returns its fault, or null. Errors without a code fail the test. */
function perform(fileSystem: FileSystem, operation: Operation, model: Model): FileSystemFault | null {
  try {
    switch (operation.kind) {
      case 'write':
      case 'append':
        fileSystem.write(operation.path, model.contentAfter(operation));
        break;
      case 'rename':
        fileSystem.rename(operation.path, operation.to);
        break;
      case 'remove':
        fileSystem.remove(operation.path);
        break;
      case 'makeDirectory':
        fileSystem.makeDirectory(operation.path);
        break;
    }
    return null;
  } catch (error) {
    if (error instanceof FileSystemError) {
      return error.code;
    }
    throw error;
  }
}

/** Checks that the file system holds exactly what the model does. */
function expectSame(fileSystem: FileSystem, model: Model): void {
  const entries = fileSystem.list();
  const files = entries.filter(({ kind }) => kind === 'file');
  expect(entries.filter(({ fault }) => fault !== null)).toEqual([]);
  expect(files.map(({ path }) => path).sort()).toEqual([...model.files.keys()].sort());
  if (fileSystem.hasFolders) {
    const folders = entries.filter(({ kind }) => kind === 'folder').map(({ path }) => path);
    expect(folders.sort()).toEqual([...model.folders].sort());
  }
  for (const { path, size } of files) {
    const bytes = fileSystem.read(path);
    expect(size).toBe(bytes.length);
    expect(Buffer.compare(bytes, model.files.get(path) ?? new Uint8Array())).toBe(0);
  }
}

/**
 * Carries out operations on file system and model, and mounts the image again after every `every` of them.
 *
 * @returns Number of changes that failed because the file system was full.
 */
export function runOperations(
  mount: (image: Uint8Array) => FileSystem,
  image: Uint8Array,
  operations: readonly Operation[],
  every: number,
): number {
  let fileSystem = mount(image);
  let model = new Model(fileSystem);
  let fullCount = 0;
  for (const [index, operation] of operations.entries()) {
    const next = model.copy();
    const expected = next.apply(operation);
    const before = fileSystem.image.slice();
    const fault = perform(fileSystem, operation, model);
    if (fault === 'full') {
      fullCount++;
    } else {
      expect(fault, JSON.stringify(operation)).toBe(expected);
    }
    if (fault === null) {
      model = next;
    } else {
      expect(Buffer.compare(fileSystem.image, before)).toBe(0);
    }
    if ((index + 1) % every === 0) {
      expectSame(fileSystem, model);
      fileSystem = mount(fileSystem.image);
      expect(fileSystem.isReadOnly).toBe(false);
      expectSame(fileSystem, model);
    }
  }
  return fullCount;
}
