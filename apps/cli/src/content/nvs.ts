/** `wirebench nvs`: the keys of an NVS partition, shown, changed, exported and imported. */
import { isNvs, isNvsKeys, type Partition } from '@wirebench/flasher/esp';
import {
  bitsText,
  formOf,
  hiddenText,
  isSecretKey,
  knownNamespace,
  type LiveNvsEntry,
  liveEntries,
  meaningOf,
  type NvsStore,
  type NvsValue,
  nvsCsv,
  nvsCsvText,
  readNvs,
  shortText,
  storeText,
  unreadableNvsText,
  utf8Text,
  valueText,
} from '@wirebench/flasher/esp/nvs';
import { count, counted } from '@wirebench/port/numbers';
import { type BoardRun, runOnBoard, showRestart } from '../board/board-run.ts';
import { type ConnectedEsp, onEspBoard } from '../board/esp-board.ts';
import type { OptionValues } from '../commands/command.ts';
import { CommandError, type ExitCode, exitCodes } from '../exit-code.ts';
import { readGiven } from '../given-file.ts';
import { printable } from '../printable.ts';
import { isForced, ownerOnly, refuseExisting, saveFile } from '../saved-file.ts';
import { deletion, importation, type NvsEditor, type OpenedNvs, replacement, replaceWhole } from './nvs-edits.ts';
import { chosenPartition, readContents, type StoredContents } from './stored-change.ts';

/** Longest value in a list, in characters. */
const MAX_VALUE_LENGTH = 60;

/** Work on a partition as it was read. Returns false if the answer is no. */
type Action = (run: BoardRun, contents: StoredContents, esp: ConnectedEsp) => Promise<boolean>;

interface ReadyAction {
  readonly act: Action;
  /** True: standard output has the result alone. */
  readonly isReading: boolean;
}

export async function runNvs(given: readonly string[], options: OptionValues): Promise<ExitCode> {
  const [port = '', ...after] = given;
  const { act, isReading } = await actionOf(after, options);
  return runOnBoard(port, options, async (run) => {
    run.output.hasResultsAlone = isReading;
    const done = await onEspBoard(run, 'NVS', async (esp) => {
      const partition = chosenPartition(run, esp, { isWanted: isNvs, usual: 'nvs', what: 'NVS partition' });
      return act(run, await readContents(run, esp, partition), esp);
    });
    showRestart(run, done);
    return done.result ? exitCodes.ok : exitCodes.failed;
  });
}

/** Words behind an action, for the sentence about wrong use. */
const forms = {
  list: '',
  get: 'NAMESPACE KEY',
  set: 'NAMESPACE KEY VALUE',
  delete: 'NAMESPACE [KEY]',
  export: '[FILE]',
  import: 'FILE...',
} as const;

/** Reads the action and its words. Files that it names are read before the board is connected. */
async function actionOf([name = 'list', ...words]: readonly string[], options: OptionValues): Promise<ReadyAction> {
  const [first, second, third] = words;
  const { length } = words;
  const reading = (act: (run: BoardRun, opened: OpenedNvs, esp: ConnectedEsp) => Promise<boolean>): ReadyAction => ({
    act: (run, contents, esp) => act(run, opened(run, contents, esp), esp),
    isReading: true,
  });
  const editing = (editor: NvsEditor): ReadyAction => ({
    act: (run, contents, esp) => editor(run, opened(run, contents, esp), esp),
    isReading: false,
  });
  if (name === 'list' && length === 0) {
    return reading(list);
  }
  if (name === 'get' && first !== undefined && second !== undefined && length === 2) {
    return reading((run, { store }) => get(run, store, first, second));
  }
  const hasFile = options['from'] !== undefined;
  if (name === 'set' && first !== undefined && second !== undefined && length === (hasFile ? 2 : 3)) {
    return editing(await replacement(first, second, third ?? null, options));
  }
  if (name === 'delete' && first !== undefined && length <= 2) {
    return editing(deletion(first, second ?? null));
  }
  if (name === 'export' && length <= 1) {
    if (first !== undefined && first !== '-') {
      await refuseExisting(first, isForced(options));
    }
    return reading((run, read, esp) => exportCsv(run, read, esp, first ?? null));
  }
  if (name === 'import' && options['whole'] === true && first !== undefined && length === 1) {
    const image = await readGiven(first);
    return { act: (run, contents, esp) => replaceWhole(run, contents, esp, image), isReading: false };
  }
  if (name === 'import' && options['whole'] !== true && length > 0) {
    return editing(await importation(words));
  }
  const form = Object.hasOwn(forms, name) ? forms[name as keyof typeof forms] : null;
  throw new CommandError(
    exitCodes.usage,
    form === null
      ? `nvs takes ${Object.keys(forms).join(', ')}, and not ${printable(name)}.`
      : `use it as: wirebench nvs PORT ${name} ${form}`.trim(),
  );
}

/** @throws CommandError for a partition whose keys cannot be read. */
function opened(run: BoardRun, contents: StoredContents, esp: ConnectedEsp): OpenedNvs {
  const store = readNvs(contents.bytes);
  if (store.kind !== 'nvs' && store.kind !== 'empty') {
    const { table, info } = esp.board.facts;
    const { title, text } = unreadableNvsText(store.kind, {
      keysPartition: table?.partitions.find(isNvsKeys)?.name ?? null,
      isFlashEncrypted: info.security.flashEncryption === true,
    });
    run.output.step('nvs', { partition: contents.partition.name, kind: store.kind, namespaces: [] });
    throw new CommandError(exitCodes.failed, `${title} ${text}`);
  }
  return { ...contents, store };
}

/** Returns true if a value is not to be shown. */
const isHidden = ({ namespace, key, value }: LiveNvsEntry, { secrets }: OptionValues): boolean =>
  secrets !== true && isSecretKey(namespace, key, value);

async function list({ output, options }: BoardRun, { partition, store }: OpenedNvs): Promise<boolean> {
  const entries = liveEntries(store);
  const namespaces = store.namespaces.map((name) => ({
    name,
    about: knownNamespace(name)?.words ?? null,
    keys: entries.filter(({ namespace }) => namespace === name),
  }));
  const leftOver = store.entries.length - entries.length;
  const lines = namespaces.flatMap(({ name, about, keys }) => [
    about === null ? printable(name) : `${printable(name)} (${about})`,
    ...columns(keys.map((entry) => [printable(entry.key), entry.value.type, valueWords(entry, options)])),
  ]);
  output.result(
    'nvs',
    {
      partition: partition.name,
      kind: store.kind,
      version: store.version,
      usage: store.usage,
      leftOver,
      namespaces: namespaces.map(({ keys, ...one }) => ({
        ...one,
        keys: keys.map((entry) => ({ key: entry.key, ...valueFacts(entry, isHidden(entry, options)) })),
      })),
    },
    [
      ...lines,
      `${printable(partition.name)}: ${storeText(store)}`,
      ...(leftOver === 0
        ? []
        : [`${leftOver === 1 ? '1 entry' : `${count(leftOver)} entries`} that firmware does not read`]),
    ].join('\n'),
  );
  return true;
}

/** Pads all cells of a row but the last, so that columns stand below each other. */
function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map(
    (row) =>
      `  ${row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join('  ')}`,
  );
}

function valueWords(entry: LiveNvsEntry, options: OptionValues): string {
  const { namespace, key, value } = entry;
  if (isHidden(entry, options)) {
    return hiddenText;
  }
  const notes = [bitsText(value), meaningOf(namespace, key, value)].filter((note) => note !== null);
  const text = printable(shortText(namespace, key, value, MAX_VALUE_LENGTH)) || 'empty';
  return notes.length === 0 ? text : `${text} (${notes.join(', ')})`;
}

/** Returns a value for JSON: numbers beyond 2^53 as text, bytes as text if they are UTF-8, and as hexadecimal digits. */
function valueFacts({ namespace, key, value, size }: LiveNvsEntry, hidden: boolean): object {
  const facts = { type: value.type, size, secret: isSecretKey(namespace, key, value) };
  if (hidden) {
    return { ...facts, value: null };
  }
  return 'value' in value
    ? { ...facts, value: Number.isSafeInteger(Number(value.value)) ? Number(value.value) : String(value.value) }
    : { ...facts, value: utf8Text(value.bytes), hex: Buffer.from(value.bytes).toString('hex') };
}

async function get({ output, options }: BoardRun, store: NvsStore, namespace: string, key: string): Promise<boolean> {
  const entry = liveEntries(store).find((one) => one.namespace === namespace && one.key === key);
  if (entry === undefined) {
    throw new CommandError(exitCodes.failed, noKeyText(namespace, key));
  }
  const text = wholeText(namespace, key, entry.value);
  output.result(
    'value',
    { namespace, key, ...valueFacts(entry, false) },
    process.stdout.isTTY === true && options['json'] !== true ? text.split('\n').map(printable).join('\n') : text,
  );
  return true;
}

const noKeyText = (namespace: string, key: string) =>
  `there is no key ${printable(key)} in the namespace ${printable(namespace)}. "wirebench nvs" lists the keys.`;

const wholeText = (namespace: string, key: string, value: NvsValue) => valueText(value, formOf(namespace, key, value));

async function exportCsv(
  { output, options }: BoardRun,
  { partition, store }: OpenedNvs,
  { board }: ConnectedEsp,
  file: string | null,
): Promise<boolean> {
  const csv = nvsCsv(store, (entry) => isHidden(entry, options));
  const secrets = liveEntries(store).filter(({ namespace, key, value }) => isSecretKey(namespace, key, value));
  const hasSecrets = options['secrets'] === true && secrets.length > 0;
  const path = file ?? `${csvName(board.facts.id, partition)}.csv`;
  const notes = [
    ...(secrets.length === 0
      ? []
      : [hasSecrets ? nvsCsvText.withSecrets : `${nvsCsvText.withoutSecrets} --secrets includes them.`]),
    ...(csv.leftOut.length === 0 ? [] : [printable(nvsCsvText.leftOut(csv.leftOut))]),
  ];
  const all = liveEntries(store);
  const isLeftOut = ({ namespace, key }: LiveNvsEntry) =>
    csv.leftOut.some((one) => one.namespace === namespace && one.key === key);
  const keys = all.filter((entry) => !isHidden(entry, options) && !isLeftOut(entry)).length;
  const hidden = secrets.filter((entry) => isHidden(entry, options)).map(({ namespace, key }) => ({ namespace, key }));
  const facts = { file: path, partition: partition.name, keys, hidden, leftOut: csv.leftOut };
  if (path === '-') {
    output.result('exported', { ...facts, text: csv.text }, csv.text.trimEnd());
    output.step('notes', { notes }, notes.join('\n'));
    return true;
  }
  await saveFile(path, csv.text, { mode: hasSecrets ? ownerOnly : undefined, replaces: isForced(options) });
  output.step(
    'exported',
    facts,
    [
      `${keys === all.length ? counted(keys, 'key') : `${keys} of ${counted(all.length, 'key')}`} of ${printable(partition.name)} were saved to ${path}.`,
      ...notes,
    ].join('\n'),
  );
  return true;
}

const csvName = (id: string | null, { name }: Partition): string =>
  [id?.replaceAll(':', '') ?? 'board', name.replaceAll(/[^\w.-]+/g, '-')].join('-');
