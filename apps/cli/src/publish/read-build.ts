/**
 * Reads the files and offsets of a build's folder from the list that the build wrote (`flasher_args.json`,
 * `flash_args`, `idedata.json`). The flasher's package parses the list, as for a folder dropped on a page.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { buildLimits, formatOffset, releaseLimits } from '@wirebench/contract';
import { listKindOf, placeFiles } from '@wirebench/flasher/esp';
import { givenText } from '@wirebench/port/given-text';
import type { PlacedPath } from './arguments.ts';
import { PublishError } from './publish-error.ts';

/** Maximum depth of a build's files below its list, in folders. */
const DEEPEST = 3;

/**
 * Returns the files of a build with their offsets.
 *
 * @param folder Folder that contains the list.
 * @throws PublishError
 */
export async function readBuild(folder: string): Promise<PlacedPath[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw new PublishError(`${folder} cannot be read`, { cause: error });
  });
  const lists = names.filter((name) => ['flasher-args', 'flash-args', 'platformio'].includes(listKindOf(name) ?? ''));
  if (lists.length === 0) {
    throw new PublishError(
      `There is no flasher_args.json in ${folder}. Choose the folder that the build wrote, or name each file with --file.`,
    );
  }
  const bins = await binsIn(folder);
  const read = [...lists, ...bins].map(async (name) => ({ name, bytes: await readFile(join(folder, name)) }));
  const { files, conflicts, list } = placeFiles(await Promise.all(read));
  const [conflict] = conflicts;
  if (conflict !== undefined) {
    throw new PublishError(`${conflict.what} ${conflict.remedy}`);
  }
  const placed = files.flatMap(({ name, offset }) =>
    offset === null ? [] : [{ path: join(folder, name), offset: formatOffset(offset) }],
  );
  if (list === null || placed.length === 0) {
    throw new PublishError(`${lists.join(', ')} in ${folder} lists no file to flash`);
  }
  const { files: most } = buildLimits;
  if (placed.length > most) {
    throw new PublishError(
      `${list} lists ${placed.length} files, and a build holds up to ${most}. Publish a merged image instead.`,
    );
  }
  return placed;
}

/**
 * Returns the sketch in the folder of a build for an AVR: `firmware.hex` of PlatformIO, `<sketch>.ino.hex` of the Arduino
 * tools. The file with the bootloader in it is passed over.
 *
 * @throws PublishError without such a file, and for several.
 */
export async function sketchIn(folder: string): Promise<string> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw new PublishError(`${folder} cannot be read`, { cause: error });
  });
  const [sketch, ...others] = names.filter((name) => /\.hex$/i.test(name) && !/\.with_bootloader\./i.test(name));
  if (sketch === undefined) {
    throw new PublishError(
      `There is no .hex file in ${folder}. Choose the folder that the build wrote, or name the file.`,
    );
  }
  if (others.length > 0) {
    throw new PublishError(
      `There are several .hex files in ${folder}: ${[sketch, ...others].join(', ')}. Name one of them.`,
    );
  }
  return join(folder, sketch);
}

/**
 * Returns the ELF file that the build names: `app_elf` in ESP-IDF's `project_description.json`, otherwise the
 * application's name in `flasher_args.json`.
 *
 * @param remedy What to do where there is none.
 * @throws PublishError
 */
export async function elfOf(folder: string, remedy: string): Promise<string> {
  const description = await readJson(join(folder, 'project_description.json'));
  const named = textAt(description, ['app_elf']);
  const app = textAt(await readJson(join(folder, 'flasher_args.json')), ['app', 'file']);
  const name = named ?? app?.replace(/\.bin$/i, '.elf') ?? null;
  if (name === null) {
    throw new PublishError(`The build in ${folder} does not name its ELF file. ${remedy}`);
  }
  const path = join(folder, name);
  const isInside = !relative(folder, path).startsWith('..');
  if (!isInside || !(await stat(path).catch(() => null))?.isFile()) {
    throw new PublishError(`${name}, which the build names, is not in ${folder}. ${remedy}`);
  }
  return path;
}

/** Parses a JSON file; null if it is missing or invalid. */
async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(givenText(await readFile(path)));
  } catch {
    return null;
  }
}

function textAt(value: unknown, path: readonly string[]): string | null {
  const found = path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
  return typeof found === 'string' && found !== '' ? found : null;
}

/** Returns paths with `/`, relative to `folder`. Skips files larger than a release accepts. */
async function binsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && /\.bin$/i.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((name) => name.split('/').length <= DEEPEST + 1);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  return names.filter((_name, index) => (sizes[index] ?? 0) <= releaseLimits.fileSize);
}
