/** Changes of NVS keys from a command line: a value, a deletion, or the keys of a file. */
import {
  changeNvs,
  emptyDraft,
  formOf,
  isIntegerType,
  knownNamespace,
  liveEntries,
  type NvsDraft,
  NvsError,
  type NvsSource,
  type NvsStore,
  type NvsType,
  type NvsValue,
  nvsFailureText,
  parseValue,
  planNvs,
  readNvsSource,
  type ValueForm,
  withEdit,
  withoutNamespace,
} from '@wirebench/flasher/esp/nvs';
import { counted } from '@wirebench/port/numbers';
import type { BoardRun } from '../board/board-run.ts';
import type { ConnectedEsp } from '../board/esp-board.ts';
import type { OptionValues } from '../commands/command.ts';
import { CommandError, exitCodes } from '../exit-code.ts';
import { readGiven, readStandardInput } from '../given-file.ts';
import { oneOf } from '../port-options.ts';
import { printable } from '../printable.ts';
import { type StoredContents, wholeContents, writeChange } from './stored-change.ts';

/** A partition with its keys. */
export interface OpenedNvs extends StoredContents {
  readonly store: NvsStore;
}

/** Edits the keys of an opened partition. Returns true: an edit that is refused is thrown. */
export type NvsEditor = (run: BoardRun, opened: OpenedNvs, esp: ConnectedEsp) => Promise<true>;

const types: readonly NvsType[] = ['str', 'blob', 'u8', 'i8', 'u16', 'i16', 'u32', 'i32', 'u64', 'i64'];

/** Returns an editor that plans and writes what `edit` returns. */
const editorOf =
  (edit: (run: BoardRun, opened: OpenedNvs, draft: NvsDraft) => NvsDraft): NvsEditor =>
  async (run, opened, esp) => {
    const { store, bytes, md5 } = opened;
    const start = { ...emptyDraft(md5), rebuilt: run.options['rebuild'] === true && isBroken(bytes) };
    const draft = edit(run, opened, start);
    const planned = refusing(() => planNvs(opened.partition, bytes, store, draft));
    if (planned === null) {
      run.output.step(
        'changes',
        { partition: opened.partition.name, entries: [] },
        'Nothing changes: the board has this already.',
      );
      return true;
    }
    await writeChange(run, esp, opened, planned, wayBackTo(run, opened));
    return true;
  };

/** Returns the command that writes the old contents of a partition back. */
const wayBackTo =
  ({ target }: BoardRun, { partition }: StoredContents) =>
  (file: string) =>
    `wirebench nvs ${target.given.path} import ${file} --whole --partition ${printable(partition.name)}`;

/** Makes the partition hold the image in a file and nothing else, whatever it holds now. */
export async function replaceWhole(run: BoardRun, contents: StoredContents, esp: ConnectedEsp, image: Uint8Array) {
  await writeChange(run, esp, contents, wholeContents(contents, image), wayBackTo(run, contents));
  return true;
}

/** Returns true for a partition that allows no change at all. */
function isBroken(bytes: Uint8Array): boolean {
  try {
    changeNvs(bytes, []);
    return false;
  } catch (error) {
    if (error instanceof NvsError) {
      return true;
    }
    throw error;
  }
}

/** Does the work. @throws CommandError for a refusal of NVS, with its remedy. */
function refusing<Result>(act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof NvsError)) {
      throw error;
    }
    const { remedy } = nvsFailureText[error.code];
    const hint = ['nvs-no-free-page', 'nvs-sequence-end', 'nvs-unsafe'].includes(error.code)
      ? ' With --rebuild it is built again from its readable keys.'
      : '';
    throw new CommandError(exitCodes.refused, `nothing was written. ${printable(error.message)} ${remedy}${hint}`);
  }
}

/**
 * Returns the editor of `nvs set`. A file with the value is read at once.
 *
 * @param text Null: the value is in the file that `--from` names.
 */
export async function replacement(
  namespace: string,
  key: string,
  text: string | null,
  options: OptionValues,
): Promise<NvsEditor> {
  const wanted = oneOf(options['type'], '--type', types);
  const bytes = text === null ? await readValue(String(options['from'])) : null;
  return editorOf((_run, { store }, draft) => {
    const before =
      liveEntries(store).find((entry) => entry.namespace === namespace && entry.key === key)?.value ?? null;
    const type = wanted ?? before?.type ?? null;
    if (type === null) {
      throw new CommandError(
        exitCodes.usage,
        `${printable(namespace)}/${printable(key)} is a new key: say its type with --type ${types.join(', ')}.`,
      );
    }
    const typed = { text: text ?? '', type, isHex: options['hex'] === true, before };
    const value = bytes === null ? typedValue(namespace, key, typed) : fileValue(bytes, type);
    return withEdit(store, draft, { namespace, key, value });
  });
}

const readValue = (path: string) => (path === '-' ? readStandardInput() : readGiven(path));

interface TypedValue {
  readonly text: string;
  readonly type: NvsType;
  readonly isHex: boolean;
  /** Value on the board, whose size and layout a padded text and an SSID keep; null without one of the type. */
  readonly before: NvsValue | null;
}

function typedValue(namespace: string, key: string, { text, type, isHex, before }: TypedValue): NvsValue {
  const own = before?.type === type ? before : null;
  const form = isHex ? 'hex' : textFormOf(namespace, key, own);
  const size = own !== null && 'bytes' in own ? own.bytes.length : 0;
  return parsedValue(text, type, form, size);
}

/** Bytes that are not text keep no form: the new value is then text too, unless `--hex` is given. */
function textFormOf(namespace: string, key: string, before: NvsValue | null): ValueForm {
  const form = before === null ? 'text' : formOf(namespace, key, before);
  return form === 'hex' || form === 'number' ? 'text' : form;
}

/** A number is read as text. A string loses one line end at its end, which editors and `echo` add. */
function fileValue(bytes: Uint8Array, type: NvsType): NvsValue {
  if (type === 'blob') {
    return { type, bytes };
  }
  return isIntegerType(type)
    ? parsedValue(Buffer.from(bytes).toString('latin1'), type, 'number')
    : { type, bytes: withoutLineEnd(bytes) };
}

/** @throws CommandError for a text that is no value of the type. */
function parsedValue(text: string, type: NvsType, form: ValueForm, size = 0): NvsValue {
  const parsed = parseValue(text, type, form, size);
  if (!parsed.ok) {
    throw new CommandError(exitCodes.usage, `nothing was written. ${parsed.fault}`);
  }
  return parsed.value;
}

function withoutLineEnd(bytes: Uint8Array): Uint8Array {
  const end = bytes.at(-1) === 0x0a ? (bytes.at(-2) === 0x0d ? -2 : -1) : bytes.length;
  return bytes.slice(0, end);
}

/** Returns the editor of `nvs delete`. @param key Null: the namespace with its keys. */
export function deletion(namespace: string, key: string | null): NvsEditor {
  return editorOf((_run, { store }, draft) => {
    const isThere =
      key === null
        ? store.namespaces.includes(namespace)
        : liveEntries(store).some((entry) => entry.namespace === namespace && entry.key === key);
    if (!isThere) {
      const { what } = nvsFailureText[key === null ? 'nvs-no-namespace' : 'nvs-no-key'];
      const where = printable(key === null ? namespace : `${namespace}/${key}`);
      throw new CommandError(exitCodes.failed, `nothing was written. ${where}: ${what}`);
    }
    return key === null
      ? withoutNamespace(store, draft, namespace)
      : withEdit(store, draft, { namespace, key, value: null });
  });
}

/** Returns the editor of `nvs import`. The files are read at once. */
export async function importation(paths: readonly string[]): Promise<NvsEditor> {
  const files = await Promise.all(paths.map(async (path) => ({ name: path, bytes: await readGiven(path) })));
  const sources = new Map<string, NvsSource>();
  const read = async (partition: string) => {
    const source = sources.get(partition) ?? (await readNvsSource(files, partition));
    sources.set(partition, source);
    return source;
  };
  return async (run, opened, esp) => {
    const source = await read(opened.partition.name);
    checkSource(source);
    const left =
      run.options['all'] === true
        ? []
        : [...new Set(source.keys.map(({ namespace }) => namespace))].filter(isLeftAlone);
    const { output } = run;
    output.step('source', { name: source.name, what: source.what, leftOut: left }, `${source.name}: ${source.what}`);
    if (left.length > 0) {
      const reasons = left.map((name) => `${printable(name)} (${knownNamespace(name)?.words})`);
      output.step('left-out', { namespaces: left }, `Left out: ${reasons.join(', ')}. --all takes them too.`);
    }
    const keys = source.keys.filter(({ namespace }) => !left.includes(namespace));
    const editor = editorOf((_run, { store }, draft) =>
      keys.reduce((next, { namespace, key, value }) => withEdit(store, next, { namespace, key, value }), draft),
    );
    return editor(run, opened, esp);
  };
}

const isLeftAlone = (namespace: string): boolean => knownNamespace(namespace)?.leaveAlone === true;

/** @throws CommandError for a file without keys, and for rows that cannot be read. */
function checkSource({ name, faults, refusal }: NvsSource): void {
  if (refusal !== null) {
    throw new CommandError(exitCodes.refused, `nothing was written. ${printable(name)}: ${refusal}`);
  }
  if (faults.length > 0) {
    const shown = faults.slice(0, 8).map((fault) => `  ${printable(fault)}`);
    const more = faults.length > shown.length ? [`  and ${counted(faults.length - shown.length, 'more line')}`] : [];
    throw new CommandError(
      exitCodes.refused,
      [`nothing was written. ${printable(name)} has lines that cannot be read:`, ...shown, ...more].join('\n'),
    );
  }
}
