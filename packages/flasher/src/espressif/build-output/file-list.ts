/**
 * Lists of files and offsets that build systems write: `flasher_args.json` and `flash_args` of ESP-IDF,
 * `idedata.json` of PlatformIO, the manifest of ESP Web Tools. All readers return the same type.
 */

import { ImageError } from '../../images/image-error.ts';
import { arrayIn, isObject, type JsonObject, objectIn, parseJson } from '../../images/json-fields.ts';
import { type ChipName, chipFacts, chipNames } from '../chips/chip-facts.ts';
import { type FlashMode, type FlashSettings, flashModes, keepFlashSettings } from '../images/flash-settings.ts';

export type FileListKind = 'flasher-args' | 'flash-args' | 'platformio' | 'web-tools';

export interface ListedFile {
  /** Path as the list states it: relative to the list, or absolute on the machine of the build. */
  readonly path: string;
  /** Flash offset in bytes. */
  readonly offset: number;
  /** True: encrypt the file while it is written. Only for chips that are set up for it. */
  readonly encrypted: boolean;
}

/** An unusable part of a list. The other parts can be used. */
interface ListFault {
  /** Path of the file; null if the list does not name it. */
  readonly path: string | null;
  /** The offset's text in the list, shortened; null if there is no offset. */
  readonly offset: string | null;
  /** Number of the part in the list, from 1. */
  readonly part: number;
}

export interface FileList {
  readonly kind: FileListKind;
  /** Null if the list names no chip. */
  readonly chip: ChipName | null;
  readonly files: readonly ListedFile[];
  readonly faults: readonly ListFault[];
  /** Flash settings of the build. `keep` for a setting that the list omits or leaves to detection. */
  readonly settings: FlashSettings;
}

/** Largest size that is read as a list, in bytes. Real lists have a few kilobytes. */
const maximumListSize = 1_048_576;

/**
 * Returns the kind of list that a file name suggests; null for other files.
 *
 * @param name Path with `/` or `\`.
 */
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
 * Reads a list of the kind that its name suggests. A manifest of ESP Web Tools gives one list for each chip. Parts
 * without a path or a usable offset become faults; the others stay usable.
 *
 * @throws ImageError `not-json`, `not-this-list`.
 */
export function readFileLists(name: string, bytes: Uint8Array): FileList[] {
  const kind = listKindOf(name);
  if (kind === null || bytes.length > maximumListSize) {
    throw new ImageError('not-this-list');
  }
  // The decoder removes a byte order mark.
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
  if (lists.length === 0 || lists.some(({ files, faults }) => files.length + faults.length === 0)) {
    throw new ImageError('not-this-list');
  }
  return lists;
}

/** Reads `flasher_args.json` of ESP-IDF (API guide, "Build System", "Flash Arguments"). */
export function readFlasherArgs(json: JsonObject): FileList {
  const encrypted = new Set(
    Object.values(json).flatMap((part) =>
      isObject(part) && part['encrypted'] === 'true' && typeof part['file'] === 'string' ? [part['file']] : [],
    ),
  );
  const parts = new PartsReader();
  for (const [offset, path] of Object.entries(objectIn(json, 'flash_files'))) {
    parts.add(path, offset, typeof path === 'string' && encrypted.has(path));
  }
  const given = json['flash_settings'];
  const settings = isObject(given) ? given : {};
  const extra = json['extra_esptool_args'];
  return {
    kind: 'flasher-args',
    chip: isObject(extra) ? chipNamed(extra['chip']) : null,
    ...parts.read(),
    settings: settingsFrom(settings['flash_mode'], settings['flash_freq'], settings['flash_size']),
  };
}

/**
 * Reads `flash_args` of ESP-IDF: esptool options that begin with `--`, then an offset and a path per line. A line may
 * hold several pairs, and a path may contain blanks.
 */
function readFlashArgs(text: string): FileList {
  const options = new Map<string, string>();
  const parts = new PartsReader();
  for (const line of text.split(/[\r\n]+/)) {
    const words = line.split(/\s+/).filter((word) => word !== '');
    for (let at = 0; at < words.length; ) {
      const [first = '', second = ''] = words.slice(at, at + 2);
      if (first.startsWith('--')) {
        options.set(first.slice(2).replaceAll('-', '_'), second);
        at += second.startsWith('--') ? 1 : 2;
        continue;
      }
      const next = words.findIndex((word, index) => index > at && (word.startsWith('--') || startsLikeOffset(word)));
      const end = next < 0 ? words.length : next;
      parts.add(words.slice(at + 1, end).join(' '), first, false);
      at = end;
    }
  }
  const read = parts.read();
  if (
    read.files.length === 0 &&
    read.faults.every(({ path, offset }) => path === null || !startsLikeOffset(offset ?? ''))
  ) {
    throw new ImageError('not-this-list');
  }
  const settings = settingsFrom(options.get('flash_mode'), options.get('flash_freq'), options.get('flash_size'));
  return { kind: 'flash-args', chip: null, ...read, settings };
}

const startsLikeOffset = (word: string) => /^(?:0x[\da-f]+|-?\d[\d.]*)$/i.test(word);

/** Reads `idedata.json` of PlatformIO: the program with its own offset, everything else in `extra.flash_images`. */
function readIdeData(json: JsonObject): FileList {
  const extra = objectIn(json, 'extra');
  const parts = new PartsReader();
  for (const image of arrayIn(extra, 'flash_images')) {
    const { offset, path } = isObject(image) ? image : {};
    parts.add(path, offset, false);
  }
  const program = json['prog_path'];
  const offset = extra['application_offset'];
  if (typeof program === 'string' && offset !== undefined) {
    parts.add(program.replace(/\.elf$/, '.bin'), offset, false);
  }
  return { kind: 'platformio', chip: null, ...parts.read(), settings: keepFlashSettings };
}

/** Reads a manifest of ESP Web Tools ("Creating your manifest"). Its offsets are numbers. */
function readManifest(json: JsonObject): FileList[] {
  return arrayIn(json, 'builds').map((build) => {
    const { chipFamily, parts: listed } = isObject(build) ? build : {};
    const parts = new PartsReader();
    for (const part of Array.isArray(listed) && listed.length > 0 ? listed : [null]) {
      const { path, offset } = isObject(part) ? part : {};
      parts.add(path, offset, false);
    }
    return { kind: 'web-tools', chip: chipNamed(chipFamily), ...parts.read(), settings: keepFlashSettings };
  });
}

/** Sorts the parts of a list into usable files and faults. */
class PartsReader {
  readonly #files: ListedFile[] = [];
  readonly #faults: ListFault[] = [];
  #count = 0;

  add(path: unknown, offset: unknown, encrypted: boolean): void {
    this.#count++;
    const name = typeof path === 'string' && path !== '' ? path : null;
    const address = listedOffset(offset);
    if (name === null || address === null) {
      this.#faults.push({ path: name, offset: shownOffset(offset), part: this.#count });
    } else {
      this.#files.push({ path: name, offset: address, encrypted });
    }
  }

  read(): Pick<FileList, 'files' | 'faults'> {
    return { files: this.#files, faults: this.#faults };
  }
}

/** Parses an offset below 2³² from text or a number, `0x…` or decimal. Returns null for anything else. */
export function listedOffset(given: unknown): number | null {
  const text = typeof given === 'number' || typeof given === 'string' ? String(given).trim() : '';
  const offset = /^(0x[\da-f]{1,8}|\d{1,10})$/i.test(text) ? Number(text) : Number.NaN;
  return offset < 2 ** 32 ? offset : null;
}

const LONGEST_SHOWN = 40;

/** Returns the offset's text in the list for a message, such as `32.768` or `"top"`. */
function shownOffset(given: unknown): string | null {
  if (given === undefined || given === null || given === '') {
    return null;
  }
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

/** Returns the chip of a name such as `ESP32-S3` or `esp32s3`; null for an unknown name. */
export function chipNamed(value: unknown): ChipName | null {
  const wanted = typeof value === 'string' ? value.toLowerCase().replaceAll('-', '') : '';
  return chipNames.find((name) => name === wanted || chipFacts[name].label.toLowerCase() === wanted) ?? null;
}

/** Parses settings such as `dio`, `80m`, `4MB`. Values in another form become `keep`. */
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
