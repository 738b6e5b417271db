/**
 * A folder on this computer that files from elsewhere are written into. Names come from boards and servers: none of them
 * leads out of the folder, and no link in it is followed.
 */
import { randomUUID } from 'node:crypto';
import { lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CommandError, exitCodes } from './exit-code.ts';
import { printable } from './printable.ts';

/** Names that Windows keeps for devices, with any ending (Microsoft, "Naming Files, Paths, and Namespaces"). */
const deviceName = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?:\.|$)/i;
/** Characters that no name on Windows has, and the separators of all systems. */
const windowsOnly = /[<>:"|?*\\]|[. ]$/;
/** Longest name on common file systems, in bytes. */
const MAX_NAME_BYTES = 255;

/**
 * Returns why a name cannot be that of a file or folder; null for a usable name.
 *
 * @param system Windows forbids more than others.
 */
export function nameFault(name: string, system: NodeJS.Platform = process.platform): string | null {
  const isOfFolder = name === '' || name === '.' || name === '..';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (isOfFolder || /[/\x00-\x1f\x7f]/.test(name) || !name.isWellFormed()) {
    return 'is no name of a file';
  }
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) {
    return `has more than ${MAX_NAME_BYTES} bytes`;
  }
  return system === 'win32' && (windowsOnly.test(name) || deviceName.test(name))
    ? 'is no name of a file on Windows'
    : null;
}

export class TargetFolder {
  readonly path: string;
  readonly #system: NodeJS.Platform;

  constructor(path: string, system: NodeJS.Platform = process.platform) {
    this.path = path;
    this.#system = system;
  }

  /** Returns the path of a file or folder in it. @throws CommandError for a name that leads out, or that the system does not have. */
  pathOf(names: readonly string[]): string {
    for (const name of names) {
      const fault = nameFault(name, this.#system);
      if (fault !== null) {
        throw new CommandError(exitCodes.refused, `nothing was written: "${printable(name)}" ${fault}.`);
      }
    }
    return join(this.path, ...names);
  }

  /**
   * Makes a folder and those above it.
   *
   * @throws CommandError for a link or a file in the way.
   */
  async makeFolder(names: readonly string[]): Promise<void> {
    await this.#doing(() => mkdir(this.path, { recursive: true }));
    for (let depth = 1; depth <= names.length; depth++) {
      const path = this.pathOf(names.slice(0, depth));
      const found = await lstat(path).catch(() => null);
      if (found === null) {
        await this.#doing(() => mkdir(path));
      } else if (!found.isDirectory()) {
        throw blocked(path, found.isSymbolicLink());
      }
    }
  }

  /**
   * Returns true if there is a file of that name.
   *
   * @throws CommandError for a link or a folder of that name, and for a link above it.
   */
  async hasFile(names: readonly string[]): Promise<boolean> {
    for (let depth = 1; depth <= names.length; depth++) {
      const path = this.pathOf(names.slice(0, depth));
      const found = await lstat(path).catch(() => null);
      if (found === null) {
        return false;
      }
      if (depth < names.length ? !found.isDirectory() : !found.isFile()) {
        throw blocked(path, found.isSymbolicLink());
      }
    }
    return true;
  }

  /** Writes a file that is never half there under its name, with the folders above it. A file of that name is replaced. */
  async write(names: readonly string[], bytes: Uint8Array | string): Promise<void> {
    await this.makeFolder(names.slice(0, -1));
    await this.hasFile(names);
    const path = this.pathOf(names);
    const part = join(dirname(path), `.${randomUUID()}.part`);
    try {
      await this.#doing(async () => {
        await writeFile(part, bytes, { flag: 'wx', flush: true });
        await rename(part, path);
      });
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
  }

  async #doing(act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
    } catch (error) {
      throw new CommandError(exitCodes.failed, `${this.path} cannot be written: ${(error as Error).message}`);
    }
  }
}

function blocked(path: string, isLink: boolean): CommandError {
  const what = isLink ? 'is a link, which is not followed' : 'is in the way';
  return new CommandError(exitCodes.refused, `${printable(path)} ${what}. Remove it, or take another folder.`);
}
