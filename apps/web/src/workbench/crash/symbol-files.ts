/**
 * ELF files and core dumps that the user dropped, as listed on the page. A worker of their own reads them. They live
 * as long as the page.
 */
import type { PortNumber } from '@wirebench/serial';
import type { DecodeAnswer, ReportAnswer } from '@wirebench/symbols';
import { useShallow } from 'zustand/react/shallow';
import { demoBoardElf } from '../../hardware/demo-device.ts';
import { CallClient, CallError } from '../../protocol/calls/call-client.ts';
import type { CallFailure } from '../../protocol/calls/call-protocol.ts';
import { watchLife } from '../../protocol/calls/thread-life.ts';
import type {
  DecodeRequest,
  DumpContent,
  LogAnswer,
  LogReportRequest,
  ReportRequest,
  SymbolApi,
  SymbolFacts,
  SymbolTick,
} from '../../protocol/symbol-protocol.ts';
import { isOutdated, type RereadableFile } from '../../shared/files/changed-files.ts';
import { pageStore } from '../../shared/page-store.ts';
import { addDroppedLog } from './dropped-logs.ts';

export interface ListedFile {
  readonly id: number;
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly state:
    | { readonly kind: 'reading' /** 0 to 1. */; readonly fraction: number }
    | { readonly kind: 'open'; readonly facts: SymbolFacts }
    /** The message includes the remedy. */
    | { readonly kind: 'failed'; readonly message: string };
  /** True: the file on the disk is another one by now, such as of a newer build. */
  readonly outdated?: boolean;
}

/** A core dump. Newer dumps have higher ids. */
export interface ListedDump {
  readonly id: number;
  readonly name: string;
  /** Size of the dropped file, in bytes. */
  readonly size: number;
  /** Time of the drop, or of the dump's start in the log, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** Port whose log contains it; null for a dropped file. */
  readonly port: PortNumber | null;
  readonly state:
    | { readonly kind: 'reading' }
    | { readonly kind: 'open' }
    /** The message includes the remedy. */
    | { readonly kind: 'failed'; readonly message: string };
}

/** Maximum number of dumps. A dump can contain 32 MB of PSRAM, and comparing more than a few is rare. */
const maxDumps = 8;

/**
 * Maximum number of ELF files, because each takes memory. Bootloader, program and ROM of one chip are usually enough.
 */
const maxFiles = 6;

interface Listed {
  readonly listed: readonly ListedFile[];
  readonly dumps: readonly ListedDump[];
}

const files = pageStore<Listed>({ listed: [], dumps: [] });

let client: CallClient<SymbolApi, SymbolTick> | null = null;
let lastId = 0;

export function useSymbolFiles(): readonly ListedFile[] {
  return files.use(({ listed }) => listed);
}

/** Returns the ids of the open files. The array stays the same object until they change. */
export function useOpenFiles(): readonly number[] {
  return files.use(useShallow(({ listed }) => listed.flatMap(({ id, state }) => (state.kind === 'open' ? [id] : []))));
}

/** Returns the core dumps, newest first. */
export function useCoreDumps(): readonly ListedDump[] {
  return files.use(({ dumps }) => dumps);
}

/** Number of leading bytes that identify the kind of a file. */
const headSize = 512;

/** Detects the kind of a file and opens it: a program's ELF file, a core dump in any format, or a log with a crash. */
export async function addCrashFile(
  file: File,
  { takesLogs = true, reread }: { readonly takesLogs?: boolean; readonly reread?: RereadableFile['reread'] } = {},
): Promise<void> {
  const head = new Uint8Array(
    await file
      .slice(0, headSize)
      .arrayBuffer()
      .catch(() => new ArrayBuffer()),
  );
  const { isCoreDump } = await import('./is-core-dump.ts');
  if (!isCoreDump(head, file.name)) {
    await addSymbolFile(file, reread);
  } else {
    await (takesLogs ? addDumpOrLog(file) : addCoreDump(file));
  }
}

/** @returns False for a text without a crash. */
export async function addCrashText(text: string, name: string): Promise<boolean> {
  return (await addDumpOrLog(new File([text], name), { keepsFailure: false })) !== 'nothing';
}

/** Reads the file as a core dump, else as a log. A dump says more about its crash than the log lines before it. */
async function addDumpOrLog(file: File, { keepsFailure = true } = {}): Promise<'dump' | 'log' | 'nothing'> {
  const id = ++lastId;
  const code = await readDump(id, file, { port: null, at: Date.now() });
  if (code !== 'no-dump' && code !== 'foreign') {
    return 'dump';
  }
  const found = await getReader()
    .call('readLog', file)
    // If the worker failed, the list of dumps shows its error.
    .catch((): LogAnswer => ({ incidents: [], omitted: 0, searched: null }));
  if (found.incidents.length > 0 || !keepsFailure) {
    removeCoreDump(id);
  }
  addDroppedLog(found, file.name);
  return found.incidents.length > 0 ? 'log' : 'nothing';
}

/** Adds a core dump that the user dropped or read from flash. */
export async function addCoreDump(file: File): Promise<void> {
  await readDump(++lastId, file, { port: null, at: Date.now() });
}

/**
 * Adds a dump of the log. Reads each dump only once, however often it is requested.
 * @returns The dump's id.
 */
export function addLogDump(text: string, { port, at }: Pick<LogDumpPlace, 'port' | 'at'>): number {
  const known = coreDumpOf({ port, at });
  if (known !== null) {
    return known;
  }
  const id = ++lastId;
  void readDump(id, new File([text], 'from the log'), { port, at });
  return id;
}

/** @returns The failure's code. Null: no failure, or a failure without a code. */
async function readDump(id: number, file: File, origin: Pick<ListedDump, 'port' | 'at'>): Promise<string | null> {
  const reader = getReader();
  const stay = files.getState().dumps.slice(0, maxDumps - 1);
  for (const gone of files.getState().dumps.filter((one) => !stay.includes(one))) {
    void reader.call('closeDump', gone.id);
  }
  const { name, size } = file;
  files.setState({
    dumps: [{ id, name, size, ...origin, state: { kind: 'reading' } }, ...stay],
  });
  try {
    await reader.call('openDump', id, file);
    setDump(id, { kind: 'open' });
    return null;
  } catch (error) {
    setDump(id, { kind: 'failed', message: messageOf(error) });
    return error instanceof CallError ? error.code : null;
  }
}

/** Place of a core dump in the log: its start and its first line. */
export interface LogDumpPlace {
  readonly port: PortNumber;
  readonly at: number;
  readonly from: number;
}

/** Returns the id of the dump of that time. Null if there is none or the user closed it. */
export function coreDumpOf({ port, at }: Pick<LogDumpPlace, 'port' | 'at'>): number | null {
  return files.getState().dumps.find((dump) => dump.port === port && dump.at === at)?.id ?? null;
}

/** Returns the id of the newest dump, or null. */
export function newestCoreDump(): number | null {
  return files.getState().dumps[0]?.id ?? null;
}

/** The dump that was removed last. The worker keeps it, so that it can be restored. */
let removedDump: ListedDump | null = null;

function forgetRemovedDump(): void {
  if (removedDump !== null) {
    void getReader().call('closeDump', removedDump.id);
    removedDump = null;
  }
}

/** @returns Restores the dump. Does nothing after the next removal, or if the dump was read again before. */
export function removeCoreDump(id: number): () => void {
  forgetRemovedDump();
  removedDump = files.getState().dumps.find((dump) => dump.id === id) ?? null;
  files.setState(({ dumps }) => ({ dumps: dumps.filter((dump) => dump.id !== id) }));
  return () => {
    const dump = removedDump;
    if (dump === null || dump.id !== id) {
      return;
    }
    if (dump.port !== null && coreDumpOf({ port: dump.port, at: dump.at }) !== null) {
      forgetRemovedDump();
      return;
    }
    removedDump = null;
    const { dumps } = files.getState();
    const gone = dumps.slice(maxDumps - 1);
    for (const oldest of gone) {
      void getReader().call('closeDump', oldest.id);
    }
    const stay = dumps.filter((one) => !gone.includes(one));
    files.setState({ dumps: [...stay, dump].sort((a, b) => b.id - a.id) });
  };
}

export function reportOf(request: ReportRequest): Promise<ReportAnswer> {
  void checkSymbolFiles();
  return getReader().call('report', request);
}

export function logReportOf(request: LogReportRequest): Promise<ReportAnswer | null> {
  void checkSymbolFiles();
  return getReader().call('logReport', request);
}

export function fingerprintOf(request: ReportRequest): Promise<string | null> {
  return getReader().call('fingerprint', request);
}

/** Returns the dump as an ELF core file for GDB. */
export async function coreFileOf(dump: number): Promise<Blob> {
  return new Blob([(await getReader().call('coreFile', dump)).slice()]);
}

/** Adds the ELF file of the demo board's firmware. */
export async function addDemoElf(): Promise<void> {
  const { name, bytes } = await demoBoardElf();
  await addSymbolFile(new File([bytes], name));
}

export function dumpContent(id: number): Promise<DumpContent> {
  return getReader().call('dumpContent', id);
}

function setDump(id: number, state: ListedDump['state']): void {
  if (removedDump?.id === id) {
    removedDump = { ...removedDump, state };
  }
  files.setState(({ dumps }) => ({ dumps: dumps.map((dump) => (dump.id === id ? { ...dump, state } : dump)) }));
}

/**
 * Reads an ELF file. A file of the same name is replaced. Beyond the limit, the oldest file is removed. Resolves with
 * the file's id, even if the file is unusable.
 *
 * @param reread Reads the file again by its handle. Missing: the browser gave none.
 */
export async function addSymbolFile(file: File, reread?: RereadableFile['reread']): Promise<number> {
  const reader = getReader();
  watchDisk();
  const id = ++lastId;
  sources.set(id, { file, ...(reread !== undefined && { reread }) });
  const known = files.getState().listed;
  const stay = known.filter(({ name }) => name !== file.name).slice(-(maxFiles - 1));
  for (const gone of known.filter((one) => !stay.includes(one))) {
    sources.delete(gone.id);
    void reader.call('close', gone.id);
  }
  const { name, size } = file;
  files.setState({ listed: [...stay, { id, name, size, state: { kind: 'reading', fraction: 0 } }] });
  try {
    setFile(id, { kind: 'open', facts: await reader.call('open', id, file) });
  } catch (error) {
    setFile(id, { kind: 'failed', message: messageOf(error) });
  }
  return id;
}

/** Open ELF files by id, to find those that a build has replaced on the disk. */
const sources = new Map<number, RereadableFile>();

/** Marks the open files that are no longer on the disk as they were opened. Their names are those of an older build. */
async function checkSymbolFiles(): Promise<void> {
  for (const [id, source] of sources) {
    const outdated = await isOutdated(source);
    files.setState(({ listed }) =>
      listed.every((file) => file.id !== id || (file.outdated ?? false) === outdated)
        ? { listed }
        : { listed: listed.map((file) => (file.id === id ? { ...file, outdated } : file)) },
    );
  }
}

let looks = false;

/** Looks for changed files whenever the person comes back to the page. Once for each document. */
function watchDisk(): void {
  if (!looks) {
    looks = true;
    window.addEventListener('focus', () => void checkSymbolFiles());
  }
}

/**
 * Reads a file of the list again from the disk.
 *
 * @returns False if the browser gave no way to read it again, so that the user has to choose it.
 */
export async function reopenSymbolFile(id: number): Promise<boolean> {
  const { reread } = sources.get(id) ?? {};
  if (reread === undefined) {
    return false;
  }
  try {
    await addSymbolFile(await reread(), reread);
    return true;
  } catch {
    return false;
  }
}

/** @returns Opens the file again. */
export function removeSymbolFile(id: number): () => void {
  const source = sources.get(id);
  sources.delete(id);
  void getReader().call('close', id);
  files.setState(({ listed }) => ({ listed: listed.filter((file) => file.id !== id) }));
  return () => {
    if (source !== undefined) {
      void addSymbolFile(source.file, source.reread);
    }
  };
}

export function decode(request: DecodeRequest): Promise<DecodeAnswer> {
  void checkSymbolFiles();
  return getReader().call('decode', request);
}

function getReader(): CallClient<SymbolApi, SymbolTick> {
  if (client === null) {
    const reader = new CallClient<SymbolApi, SymbolTick>(({ progress }) => showProgress(progress));
    client = reader;
    const worker = new Worker(new URL('../../worker/crash/symbols.worker.ts', import.meta.url), {
      type: 'module',
      name: 'symbols',
    });
    const lose = () => loseReader(reader);
    watchLife(worker, lose);
    // The worker's code could not be loaded, or the worker threw an error.
    worker.addEventListener('error', () => {
      worker.terminate();
      lose();
    });
    reader.attach(worker);
  }
  return client;
}

const readerLoss: CallFailure = {
  name: 'SymbolThreadLost',
  message: 'The browser ended the background task that reads ELF files, often for lack of memory. Drop the file again.',
  code: 'symbols-lost',
};

/** Marks everything that the lost worker had read as failed. The next dropped file starts a new worker. */
function loseReader(reader: NonNullable<typeof client>): void {
  if (client === reader) {
    client = null;
    const { message } = readerLoss;
    removedDump = removedDump && { ...removedDump, state: { kind: 'failed', message } };
    files.setState(({ listed, dumps }) => ({
      listed: listed.map((file) => ({ ...file, state: { kind: 'failed', message } })),
      dumps: dumps.map((dump) => ({ ...dump, state: { kind: 'failed', message } })),
    }));
  }
  reader.lose({ pending: () => readerLoss, later: () => readerLoss });
}

function showProgress(progress: SymbolTick['progress']): void {
  files.setState(({ listed }) => ({
    listed: listed.map((file) => {
      const fraction = progress[file.id];
      return fraction === undefined || file.state.kind !== 'reading'
        ? file
        : { ...file, state: { kind: 'reading', fraction } };
    }),
  }));
}

/** Sets the state of a file; does nothing if it was removed. */
function setFile(id: number, state: ListedFile['state']): void {
  files.setState(({ listed }) => ({ listed: listed.map((file) => (file.id === id ? { ...file, state } : file)) }));
}

/** Returns the text of an error. A file that the browser can no longer read was moved or changed after the drop. */
function messageOf(error: unknown): string {
  const readable = error instanceof CallError && error.code !== null;
  return readable ? error.message : 'The file could not be read. It may have been moved or built again: drop it again.';
}
