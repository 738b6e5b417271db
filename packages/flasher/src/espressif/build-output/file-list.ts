/**
 * Lists of files and offsets that build systems write beside the files: `flasher_args.json` and `flash_args` of ESP-IDF,
 * `idedata.json` of PlatformIO, the manifest of ESP Web Tools. Each reader takes the text and gives the same shape.
 */

import { ImageError } from '../../images/image-error.ts';
import { arrayIn, isObject, type JsonObject, objectIn, parseJson, textOf } from '../../images/json-fields.ts';
import { type ChipName, chipFacts, chipNames } from '../chips/chip-facts.ts';
import { type FlashMode, type FlashSettings, flashModes, keepFlashSettings } from '../images/flash-settings.ts';

export type FileListKind = 'flasher-args' | 'flash-args' | 'platformio' | 'web-tools';

export interface ListedFile {
  /** As the list has it: a path relative to the list, or one of the machine that built it. */
  readonly path: string;
  /** Address in flash, in bytes. */
  readonly offset: number;
  /** To be encrypted while it is written: only on chips that are set up for it. */
  readonly encrypted: boolean;
}

export interface FileList {
  readonly kind: FileListKind;
  /** Null when the list does not say. */
  readonly chip: ChipName | null;
  readonly files: readonly ListedFile[];
  /** What the build was set up for; `keep` where the list does not say, or says that the tool shall find out. */
  readonly settings: FlashSettings;
}

/** Lists have at most a few kilobytes; what is larger is something else. */
const maximumListSize = 1_048_576;

/** Null when the name is none of a list. @param name path with `/` or `\`. */
export function listKindOf(name: string): FileListKind | 'manifest-perhaps' | null {
  const base = name.split(/[/\\]/).at(-1)?.toLowerCase() ?? '';
  switch (base) {
    case 'flasher_args.json':
      return 'flasher-args';
    case 'flash_args':
    case 'flash_project_args':
      return 'flash-args';
    case 'idedata.json':
      return 'platformio';
    default:
      return /manifest.*\.json$|\.manifest\.json$/.test(base) ? 'manifest-perhaps' : null;
  }
}

/**
 * Reads a list of the kind that its name says. ESP Web Tools lists one set for each chip.
 * @throws ImageError `not-json`, `not-this-list`.
 */
export function readFileLists(name: string, bytes: Uint8Array): FileList[] {
  const kind = listKindOf(name);
  if (kind === null || bytes.length > maximumListSize) {
    throw new ImageError('not-this-list');
  }
  const text = new TextDecoder().decode(bytes);
  if (kind === 'flash-args') {
    return [readFlashArgs(text)];
  }
  const json = parseJson(text);
  const lists =
    kind === 'flasher-args'
      ? [readFlasherArgs(json)]
      : kind === 'platformio'
        ? [readIdeData(json)]
        : readManifest(json);
  if (lists.length === 0 || lists.some(({ files }) => files.length === 0)) {
    throw new ImageError('not-this-list');
  }
  return lists;
}

/** ESP-IDF, `flasher_args.json` (API guide, "Build System", "Flash Arguments"). */
function readFlasherArgs(json: JsonObject): FileList {
  const encrypted = new Set(
    Object.values(json).flatMap((part) =>
      isObject(part) && part['encrypted'] === 'true' && typeof part['file'] === 'string' ? [part['file']] : [],
    ),
  );
  const files = Object.entries(objectIn(json, 'flash_files')).map(([offset, path]) => {
    const text = textOf(path);
    return { path: text, offset: offsetOf(offset), encrypted: encrypted.has(text) };
  });
  const given = json['flash_settings'];
  const settings = isObject(given) ? given : {};
  const extra = json['extra_esptool_args'];
  return {
    kind: 'flasher-args',
    chip: isObject(extra) ? chipNamed(extra['chip']) : null,
    files,
    settings: settingsFrom(settings['flash_mode'], settings['flash_freq'], settings['flash_size']),
  };
}

/** ESP-IDF, `flash_args`: options of esptool on lines that begin with `--`, then an offset and a path a line. */
function readFlashArgs(text: string): FileList {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const options = new Map<string, string>();
  const files: ListedFile[] = [];
  for (let index = 0; index + 1 < words.length; index += 2) {
    const [first = '', second = ''] = words.slice(index, index + 2);
    if (first.startsWith('--')) {
      options.set(first.slice(2).replaceAll('-', '_'), second);
    } else {
      files.push({ path: second, offset: offsetOf(first), encrypted: false });
    }
  }
  if (files.length === 0) {
    throw new ImageError('not-this-list');
  }
  const settings = settingsFrom(options.get('flash_mode'), options.get('flash_freq'), options.get('flash_size'));
  return { kind: 'flash-args', chip: null, files, settings };
}

/** PlatformIO, `idedata.json`: everything but the program under `extra.flash_images`, the program by its own offset. */
function readIdeData(json: JsonObject): FileList {
  const extra = objectIn(json, 'extra');
  const files = arrayIn(extra, 'flash_images').map((image) => {
    const { offset, path } = isObject(image) ? image : {};
    return { path: textOf(path), offset: offsetOf(textOf(offset)), encrypted: false };
  });
  const program = json['prog_path'];
  const offset = extra['application_offset'];
  if (typeof program === 'string' && typeof offset === 'string') {
    files.push({ path: program.replace(/\.elf$/, '.bin'), offset: offsetOf(offset), encrypted: false });
  }
  return { kind: 'platformio', chip: null, files, settings: keepFlashSettings };
}

/** ESP Web Tools, "Creating your manifest". Its offsets are numbers. */
function readManifest(json: JsonObject): FileList[] {
  return arrayIn(json, 'builds').map((build) => {
    if (!isObject(build)) {
      throw new ImageError('not-this-list');
    }
    const files = arrayIn(build, 'parts').map((part) => {
      const { path, offset } = isObject(part) ? part : {};
      return { path: textOf(path), offset: offsetOf(String(offset)), encrypted: false };
    });
    return { kind: 'web-tools', chip: chipNamed(build['chipFamily']), files, settings: keepFlashSettings };
  });
}

/** `0x…` or decimal, below 2³². */
function offsetOf(text: string): number {
  const offset = /^(0x[\da-f]{1,8}|\d{1,10})$/i.test(text) ? Number(text) : Number.NaN;
  if (!(offset < 2 ** 32)) {
    throw new ImageError('not-this-list');
  }
  return offset;
}

/** `ESP32-S3`, `esp32s3`. */
function chipNamed(value: unknown): ChipName | null {
  const wanted = typeof value === 'string' ? value.toLowerCase().replaceAll('-', '') : '';
  return chipNames.find((name) => name === wanted || chipFacts[name].label.toLowerCase() === wanted) ?? null;
}

/** `dio`, `80m`, `4MB`; what is written in another way is kept. */
function settingsFrom(mode: unknown, frequency: unknown, size: unknown): FlashSettings {
  const megahertz = /^(\d{1,3})m$/i.exec(String(frequency));
  const bytes = /^(\d{1,4})(MB|KB)$/i.exec(String(size));
  const unit = bytes?.[2]?.toUpperCase() === 'KB' ? 1_024 : 1_048_576;
  return {
    mode: flashModes.find((known): known is FlashMode => known === mode) ?? 'keep',
    frequency: megahertz === null ? 'keep' : Number(megahertz[1]),
    size: bytes === null ? 'keep' : Number(bytes[1]) * unit,
  };
}
