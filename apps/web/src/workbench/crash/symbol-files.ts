/**
 * The ELF files and core dumps that a person dropped, as the page knows them: read in a thread of their own, for as long as the page lives.
 */
import type { PortNumber } from '@wirebench/serial';
import { fileText } from '@wirebench/symbols';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { createStore } from 'zustand/vanilla';
import { demoBoardElf } from '../../hardware/demo-device.ts';
import { CallClient, CallError } from '../../protocol/calls/call-client.ts';
import type { CallFailure } from '../../protocol/calls/call-protocol.ts';
import { watchLife } from '../../protocol/calls/thread-life.ts';
import type {
  DecodeAnswer,
  DecodeRequest,
  DumpContent,
  LogReportRequest,
  ReportAnswer,
  ReportRequest,
  SymbolApi,
  SymbolFacts,
  SymbolTick,
} from '../../protocol/symbol-protocol.ts';
import { addDroppedLog } from './dropped-logs.ts';

export interface ListedFile {
  readonly id: number;
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly state:
    | { readonly kind: 'reading' /** 0 to 1. */; readonly fraction: number }
    | { readonly kind: 'open'; readonly facts: SymbolFacts }
    /** With what to do about it. */
    | { readonly kind: 'failed'; readonly message: string };
}

/** A core dump: newer ones have higher ids. */
export interface ListedDump {
  readonly id: number;
  readonly name: string;
  /** In bytes, as it was dropped. */
  readonly size: number;
  /** Time of the drop, or of its start in the log, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** Port whose log contains it; null for a dropped file. */
  readonly port: PortNumber | null;
  readonly state:
    | { readonly kind: 'reading' }
    | { readonly kind: 'open' }
    /** With what to do about it. */
    | { readonly kind: 'failed'; readonly message: string };
}

/** A dump of 32 MB of PSRAM is rare, and so are more than a few that are compared. */
const maxDumps = 8;

/** Each takes memory: more than a bootloader, a program and the ROM of a chip are rarely of use at once. */
const maxFiles = 6;

interface Listed {
  readonly listed: readonly ListedFile[];
  readonly dumps: readonly ListedDump[];
}

const files = createStore<Listed>(() => ({ listed: [], dumps: [] }));

let client: CallClient<SymbolApi, SymbolTick> | null = null;
let lastId = 0;

export function useSymbolFiles(): readonly ListedFile[] {
  return useStore(files, ({ listed }) => listed);
}

/** Ids of the files that are open; the same array as long as they are the same. */
export function useOpenFiles(): readonly number[] {
  return useStore(
    files,
    useShallow(({ listed }) => listed.flatMap(({ id, state }) => (state.kind === 'open' ? [id] : []))),
  );
}

/** The newest first. */
export function useCoreDumps(): readonly ListedDump[] {
  return useStore(files, ({ dumps }) => dumps);
}

/** Number of leading bytes that identify the kind of a file. */
const headSize = 512;

/** Takes a file for what it is: the ELF file of a program, a core dump in any of its forms, or the log of a crash. */
export async function addCrashFile(file: File, { takesLogs = true } = {}): Promise<void> {
  const head = new Uint8Array(
    await file
      .slice(0, headSize)
      .arrayBuffer()
      .catch(() => new ArrayBuffer()),
  );
  if (!isCoreDump(head, file.name)) {
    await addSymbolFile(file);
  } else {
    await (takesLogs ? addDumpOrLog(file) : addCoreDump(file));
  }
}

/** @returns false for a text without a crash. */
export async function addCrashText(text: string, name: string): Promise<boolean> {
  return (await addDumpOrLog(new File([text], name), { keepsFailure: false })) !== 'nothing';
}

/** A log counts where it holds no core dump: a dump says more of its crash than the lines in front of it. */
async function addDumpOrLog(file: File, { keepsFailure = true } = {}): Promise<'dump' | 'log' | 'nothing'> {
  const id = ++lastId;
  const code = await readDump(id, file, { port: null, at: Date.now() });
  if (code !== 'no-dump' && code !== 'foreign') {
    return 'dump';
  }
  const incidents = await getReader()
    .call('readLog', file)
    // Without the thread, the list of dumps says what happened to it.
    .catch(() => []);
  if (incidents.length > 0 || !keepsFailure) {
    removeCoreDump(id);
  }
  addDroppedLog(incidents, file.name);
  return incidents.length > 0 ? 'log' : 'nothing';
}

const ELF_MAGIC = [0x7f, 0x45, 0x4c, 0x46];
const ELF_CORE = 4;

/**
 * By the first bytes of a file: a core file, whatever its name; text, or a header with a version and a chip that can be, or Zephyr's; or an erased partition. A
 * name of a program's ELF file counts where the bytes are not ELF, so that one that is damaged is called that.
 */
function isCoreDump(head: Uint8Array, name: string): boolean {
  if (ELF_MAGIC.every((byte, index) => head[index] === byte)) {
    return head[16] === ELF_CORE;
  }
  if (/\.(?:elf|axf|out)$/i.test(name)) {
    return false;
  }
  if (head[0] === 0x5a && head[1] === 0x45 && head[3] === 0) {
    // Zephyr: the header begins with ZE and a version.
    return true;
  }
  const [version = 0xff, chip = 0xff] = [head[5], head[7]];
  const isErased = head.every((byte) => byte === 0xff);
  return head.length > 0 && (isErased || fileText(head) !== null || (head.length > 16 && version < 4 && chip === 0));
}

/** A core dump that a person has dropped, or read from flash, now. */
export async function addCoreDump(file: File): Promise<void> {
  await readDump(++lastId, file, { port: null, at: Date.now() });
}

/** Never twice, however often it is asked for. @returns its id */
export function addLogDump(text: string, { port, at }: Pick<LogDumpPlace, 'port' | 'at'>): number {
  const known = coreDumpOf({ port, at });
  if (known !== null) {
    return known;
  }
  const id = ++lastId;
  void readDump(id, new File([text], 'from the log'), { port, at });
  return id;
}

/** @returns the code of the failure; null where there was none, or one without a code. */
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

/** A core dump in the log: when it began, and its first line. */
export interface LogDumpPlace {
  readonly port: PortNumber;
  readonly at: number;
  readonly from: number;
}

/** Returns the id of the dump of that time; null without one, or after it was closed. */
export function coreDumpOf({ port, at }: Pick<LogDumpPlace, 'port' | 'at'>): number | null {
  return files.getState().dumps.find((dump) => dump.port === port && dump.at === at)?.id ?? null;
}

/** Returns the id of the newest dump; null without any. */
export function newestCoreDump(): number | null {
  return files.getState().dumps[0]?.id ?? null;
}

export function removeCoreDump(id: number): void {
  void getReader().call('closeDump', id);
  files.setState(({ dumps }) => ({ dumps: dumps.filter((dump) => dump.id !== id) }));
}

export function reportOf(request: ReportRequest): Promise<ReportAnswer> {
  return getReader().call('report', request);
}

export function logReportOf(request: LogReportRequest): Promise<ReportAnswer | null> {
  return getReader().call('logReport', request);
}

export function fingerprintOf(request: ReportRequest): Promise<string | null> {
  return getReader().call('fingerprint', request);
}

/** The dump as an ELF core file, which GDB opens. */
export async function coreFileOf(dump: number): Promise<Blob> {
  return new Blob([(await getReader().call('coreFile', dump)).slice()]);
}

/** The ELF file that belongs to what the demo board runs. */
export async function addDemoElf(): Promise<void> {
  const { name, bytes } = await demoBoardElf();
  await addSymbolFile(new File([bytes], name));
}

export function dumpContent(id: number): Promise<DumpContent> {
  return getReader().call('dumpContent', id);
}

function setDump(id: number, state: ListedDump['state']): void {
  files.setState(({ dumps }) => ({ dumps: dumps.map((dump) => (dump.id === id ? { ...dump, state } : dump)) }));
}

/**
 * Reads `file`. When there are too many, the one that was dropped first goes. A file of the same name takes its place. Resolves with its
 * id, also when it cannot serve.
 */
export async function addSymbolFile(file: File): Promise<number> {
  const reader = getReader();
  const id = ++lastId;
  const known = files.getState().listed;
  const stay = known.filter(({ name }) => name !== file.name).slice(-(maxFiles - 1));
  for (const gone of known.filter((one) => !stay.includes(one))) {
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

export function removeSymbolFile(id: number): void {
  void getReader().call('close', id);
  files.setState(({ listed }) => ({ listed: listed.filter((file) => file.id !== id) }));
}

export function decode(request: DecodeRequest): Promise<DecodeAnswer> {
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
    // Its code could not be fetched, or something in it went wrong.
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

/** The thread is gone, and with it all that it had read. The next file that is dropped starts another one. */
function loseReader(reader: NonNullable<typeof client>): void {
  if (client === reader) {
    client = null;
    const { message } = readerLoss;
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

/** A file that a browser cannot read any more was moved or changed after it was dropped. */
function messageOf(error: unknown): string {
  const readable = error instanceof CallError && error.code !== null;
  return readable ? error.message : 'The file could not be read. It may have been moved or built again: drop it again.';
}
