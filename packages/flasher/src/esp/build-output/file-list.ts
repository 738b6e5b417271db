/**
 * Lists of files and offsets that build systems write: `flasher_args.json` and `flash_args` of ESP-IDF,
 * `idedata.json` of PlatformIO, the manifest of ESP Web Tools. All readers return the same type.
 */

import { readSwitch } from '@wirebench/contract/read-switch';
import { givenText } from '@wirebench/port/given-text';
import { ImageError, orNull } from '../../images/image-error.ts';
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
  /** Reason why nothing of this build of a manifest can be read, as a sentence. Missing or null: it can be read. */
  readonly spoilt?: string | null;
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

/** Names of text files in which people keep a command line of esptool. */
const scriptName = /\.(?:txt|sh|bat|cmd|ps1|args)$/i;

/** Reads a command line of esptool in a text file; null for any other file. */
export function readCommandFile(name: string, bytes: Uint8Array): FileList | null {
  if (!scriptName.test(name) || bytes.length > maximumListSize) {
    return null;
  }
  const text = givenText(bytes);
  return commandPattern.test(text) ? orNull(() => readFlashArgs(text)) : null;
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
  const text = givenText(bytes);
  if (kind === 'flash-args') {
    return [readFlashArgs(text)];
  }
  const json = parseJson(text);
  const lists =
    kind === 'flasher-args'
      ? [readFlasherArgs(json)]
      : kind === 'platformio'
        ? [readIdeData(json)]
        : readWebTools(json).map(({ list }) => list);
  if (lists.length === 0 || lists.some(({ files, faults }) => files.length + faults.length === 0)) {
    throw new ImageError('not-this-list');
  }
  return lists;
}

/** Reads `flasher_args.json` of ESP-IDF (API guide, "Build System", "Flash Arguments"). */
export function readFlasherArgs(json: JsonObject): FileList {
  const encrypted = new Set(
    Object.values(json).flatMap((part) =>
      isObject(part) && readSwitch(part['encrypted']) === true && typeof part['file'] === 'string'
        ? [part['file']]
        : [],
    ),
  );
  const parts = new PartsReader();
  for (const [offset, path] of flashFiles(json)) {
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

/** Returns offsets and paths: of `flash_files`, or of the entries of single parts in a list without it. */
function flashFiles(json: JsonObject): readonly (readonly [offset: unknown, path: unknown])[] {
  if (json['flash_files'] !== undefined) {
    return Object.entries(objectIn(json, 'flash_files'));
  }
  const parts = Object.values(json).flatMap((part) =>
    isObject(part) && part['file'] !== undefined ? [[part['offset'], part['file']] as const] : [],
  );
  if (parts.length === 0) {
    throw new ImageError('not-this-list');
  }
  return parts;
}

/** Options of `write-flash` whose values the flasher uses, by each spelling that esptool accepts. */
const flashOptions: Readonly<Record<string, 'mode' | 'frequency' | 'size'>> = {
  fm: 'mode',
  flash_mode: 'mode',
  ff: 'frequency',
  flash_freq: 'frequency',
  fs: 'size',
  flash_size: 'size',
};
/** Options without a value (esptool, "Basic Options" and `write-flash`). Every other option is followed by its value. */
const switches: readonly string[] = [
  'z',
  'u',
  'e',
  't',
  'compress',
  'no_compress',
  'erase_all',
  'encrypt',
  'ignore_flash_encryption_efuse_setting',
  'force',
  'no_stub',
  'trace',
  'verify',
  'no_progress',
  'diff',
  'skip_flashed',
  'override_vddsdio',
];

/**
 * Reads arguments of esptool: `flash_args` of ESP-IDF, or a whole command line with `write_flash` that was saved to a
 * file. Options come before pairs of an offset and a path.
 */
function readFlashArgs(text: string): FileList {
  const settings = new Map<string, string>();
  const parts = new PartsReader();
  let chip: unknown = null;
  for (const line of argumentLines(text)) {
    const words = shellWords(line);
    const command = words.findLastIndex((word) => isWriteCommand(word.text));
    const start = command < 0 ? 0 : command + 1;
    const chipAt = words.findIndex(({ text: word }) => word === '--chip' || word === '-c');
    chip = words[chipAt + 1]?.text ?? chip;
    for (let at = start; at < words.length; ) {
      const [first, second] = words.slice(at, at + 2);
      const option = first === undefined ? null : optionIn(first);
      if (option !== null) {
        const isLast = second === undefined || optionIn(second) !== null || /^0x/i.test(second.text);
        const takesNext = option.value === null && !switches.includes(option.name) && !isLast;
        const key = flashOptions[option.name];
        if (key !== undefined) {
          settings.set(key, option.value ?? (takesNext ? second.text : ''));
        }
        at += takesNext ? 2 : 1;
        continue;
      }
      // A path with blanks and without quotation marks goes on to the next offset or option.
      const next = words.findIndex((word, index) => index > at + (second?.quoted === true ? 1 : 0) && endsPath(word));
      const end = next < 0 ? words.length : next;
      const path = words.slice(at + 1, end).map((word) => word.text);
      parts.add(path.join(' '), first?.text ?? '', false);
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
  return {
    kind: 'flash-args',
    chip: chipNamed(chip),
    ...read,
    settings: settingsFrom(settings.get('mode'), settings.get('frequency'), settings.get('size')),
  };
}

/**
 * Returns the lines with arguments. A line that ends in a continuation mark of a shell (`\`, `^`, a back quote) goes on
 * in the next one. Lines of a script that begin with a mark of a comment are left out, and so are lines before the
 * command.
 */
function argumentLines(text: string): readonly string[] {
  const lines = text
    .replace(/[ \t][\\^`][ \t]*\r?\n/g, ' ')
    .split(/[\r\n]+/)
    .filter((line) => !/^\s*(?:#|\/\/|;|::|rem\s)/i.test(line));
  const commands = lines.filter((line) => commandPattern.test(line));
  return commands.length > 0 ? commands : lines;
}

/** A call of esptool that writes flash: `esptool.py --chip esp32 write_flash 0x0 …`, `esptool write-flash …`. */
const commandPattern = /(?:^|[\s"'])write[_-]flash\s/;
const isWriteCommand = (word: string) => /^write[_-]flash$/.test(word);

interface ShellWord {
  readonly text: string;
  /** True: some of it was in quotation marks. */
  readonly quoted: boolean;
}

/**
 * Splits a line as esptool does for `@file` arguments: `shlex.split` of Python in its POSIX mode, without comments, one
 * line at a time (esptool, `expand_file_arguments`). In double quotation marks a backslash escapes `"` and `\`, in
 * single ones nothing. Outside of both it escapes blanks, quotation marks and itself. It is kept before all other
 * characters, where Python would drop it: paths of Windows are written that way. A quotation mark without a second one
 * ends with the line.
 */
function shellWords(line: string): ShellWord[] {
  return [...line.matchAll(/(?:"(?:\\[\s\S]|[^"\\])*(?:"|$)|'[^']*(?:'|$)|\\[\s"'\\]|[^\s"'])+/g)].map(([word]) => ({
    text: word.replace(
      /"((?:\\[\s\S]|[^"\\])*)(?:"|$)|'([^']*)(?:'|$)|\\([\s"'\\])/g,
      (_, double?: string, single?: string, escaped?: string) =>
        double?.replace(/\\(["\\])/g, '$1') ?? single ?? escaped ?? '',
    ),
    quoted: /["']/.test(word),
  }));
}

/** Returns the option that a word is: `--flash-mode`, `--flash_mode=dio`, `-fm`. Null for any other word. */
function optionIn({ text, quoted }: ShellWord): { readonly name: string; readonly value: string | null } | null {
  const [, name, value] = /^(?:--|-(?=[a-z]))([a-z][\w-]*)(?:=(.*))?$/i.exec(text) ?? [];
  return name === undefined || quoted ? null : { name: name.replaceAll('-', '_'), value: value ?? null };
}

const endsPath = (word: ShellWord) => !word.quoted && (optionIn(word) !== null || startsLikeOffset(word.text));

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

/** One entry of `builds` in a manifest of ESP Web Tools. */
export interface WebToolsBuild {
  /** `chipFamily` as the manifest states it; null if it states none. */
  readonly chipFamily: string | null;
  /** The entry itself; empty for an entry that is no object. */
  readonly entry: JsonObject;
  /** Its parts as they are listed. */
  readonly parts: readonly unknown[];
  readonly list: FileList;
}

/**
 * Reads a manifest of ESP Web Tools ("Creating your manifest"), dropped or opened by its address. Its offsets are
 * numbers. `builds` may also be one build, or an object with a build for each key. The first versions named a part's
 * path `filename`.
 *
 * @throws ImageError `not-this-list`.
 */
export function readWebTools(json: JsonObject): WebToolsBuild[] {
  return listedBuilds(json['builds']).map((build) => {
    const entry = isObject(build) ? build : {};
    const { chipFamily, parts: listed } = entry;
    const given = Array.isArray(listed) ? listed : isObject(listed) ? [listed] : [];
    const parts = new PartsReader();
    for (const part of given.length > 0 ? given : [null]) {
      const { path, filename, offset } = isObject(part) ? part : {};
      parts.add(path ?? filename, offset, false);
    }
    const list: FileList = {
      kind: 'web-tools',
      chip: chipNamed(chipFamily),
      ...parts.read(),
      settings: keepFlashSettings,
      spoilt: given.length > 0 ? null : isObject(build) ? 'It lists no parts.' : 'It is not an object.',
    };
    const family = typeof chipFamily === 'string' && chipFamily.trim() !== '' ? chipFamily : null;
    return { chipFamily: family, entry, parts: given, list };
  });
}

/** @throws ImageError `not-this-list` for a value that holds no builds. */
export function listedBuilds(builds: unknown): readonly unknown[] {
  const list = isObject(builds) ? (builds['parts'] === undefined ? Object.values(builds) : [builds]) : builds;
  if (!Array.isArray(list)) {
    throw new ImageError('not-this-list');
  }
  return list;
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
function chipNamed(value: unknown): ChipName | null {
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
