/**
 * Worker for ELF files and core dumps: keeps the open files, resolves addresses to source lines, and reports the
 * tasks of a dump.
 */
import type { Clock } from '@wirebench/clock';
import { crashLimits } from '@wirebench/contract/constants';
import {
  blobSource,
  type CoreDump,
  CoreDumpError,
  coreDumpBytes,
  coreFileOf,
  crashReport,
  type DecodedAddress,
  decodeAddresses,
  elfHash,
  fileText,
  isSameBuild,
  openSymbolFile,
  panicsOfText,
  printedDump,
  readCoreDump,
  readCrashProgram,
  type SymbolFile,
  SymbolFileError,
} from '@wirebench/symbols';
import { callFailure } from '../../protocol/calls/call-failure.ts';
import type { CallFailure, Channel } from '../../protocol/calls/call-protocol.ts';
import { CallServer } from '../../protocol/calls/call-server.ts';
import type { Incident } from '../../protocol/incident.ts';
import type {
  BuildMatch,
  DecodeAnswer,
  DecodedPlace,
  DecodeRequest,
  DumpContent,
  LogReportRequest,
  ReportAnswer,
  ReportRequest,
  SymbolApi,
  SymbolFacts,
  SymbolTick,
} from '../../protocol/symbol-protocol.ts';
import { bytesHash } from '../../shared/files/content-hash.ts';
import { IncidentBook } from './incident-book.ts';

/**
 * Bytes of a log that are searched for crashes. A recording of a whole night is larger than a log that users pass on.
 */
const MAX_LOG = 32 * 1024 * 1024;

interface OpenFile {
  readonly symbols: SymbolFile;
  readonly hash: string | null;
  /** Loads the code that only core dumps need, with the first dump. */
  readonly program: () => ReturnType<typeof readCrashProgram>;
}

export class SymbolStore {
  readonly #clock: Clock;
  readonly #line: CallServer<SymbolApi, SymbolTick>;
  readonly #files = new Map<number, OpenFile>();
  readonly #opening = new Map<number, AbortController>();
  readonly #progress = new Map<number, number>();
  readonly #dumps = new Map<number, CoreDump>();
  readonly #contents = new Map<number, Uint8Array>();

  constructor(channel: Channel, clock: Clock) {
    this.#clock = clock;
    this.#line = new CallServer<SymbolApi, SymbolTick>({
      channel,
      clock,
      handlers: {
        open: (id, file) => this.#open(id, file),
        close: (id) => this.#close(id),
        decode: (request) => this.#decode(request),
        openDump: (id, file) => this.#openDump(id, file),
        closeDump: (id) => {
          this.#dumps.delete(id);
          this.#contents.delete(id);
        },
        dumpContent: (id) => this.#dumpContent(id),
        readLog: (file) => this.#readLog(file),
        report: (request) => this.#report(request),
        logReport: (request) => this.#logReport(request),
        fingerprint: async (request) => (await this.#report(request)).report.fingerprint,
        coreFile: (id) => coreFileOf(this.#dump(id)).slice(),
      },
      tick: () => ({ progress: Object.fromEntries(this.#progress) }),
      failureOf,
    });
  }

  async #open(id: number, file: File): Promise<SymbolFacts> {
    const source = blobSource(file);
    const opening = new AbortController();
    const { signal } = opening;
    this.#opening.set(id, opening);
    try {
      const symbols = await openSymbolFile(source, {
        signal,
        onProgress: (fraction) => {
          this.#progress.set(id, fraction);
          this.#line.change();
        },
        pause: () => this.#clock.sleep(0),
      });
      // Browsers calculate hashes on secure pages only.
      const hash = 'subtle' in crypto ? await elfHash(source) : null;
      signal.throwIfAborted();
      const pause = () => this.#clock.sleep(0);
      let program: ReturnType<typeof readCrashProgram> | undefined;
      this.#files.set(id, {
        symbols,
        hash,
        program: () => {
          program ??= readCrashProgram(symbols, { pause });
          return program;
        },
      });
      const { machine, codeRanges } = symbols;
      return { machine, hash, codeRanges, damagedUnits: symbols.summary.damagedUnits };
    } finally {
      this.#opening.delete(id);
      this.#progress.delete(id);
      this.#line.change();
    }
  }

  #close(id: number): void {
    this.#opening.get(id)?.abort();
    this.#files.delete(id);
  }

  #decode({ files, addresses, build }: DecodeRequest): DecodeAnswer {
    const open = files.flatMap((id) => {
      const file = this.#files.get(id);
      return file === undefined ? [] : [{ id, ...file, match: matchOf(file.hash, build) }];
    });
    const inOrder = [...open.filter(({ match }) => match === 'same'), ...open.filter(({ match }) => match !== 'same')];
    const found = new Map<DecodedAddress['address'], DecodedPlace>();
    for (const { id, symbols } of inOrder) {
      const left = addresses.filter((address) => !found.has(address));
      for (const { address, frames } of decodeAddresses(symbols, left)) {
        found.set(address, { file: id, frames });
      }
    }
    return {
      places: addresses.map((address) => found.get(address) ?? null),
      matches: Object.fromEntries(open.map(({ id, match }) => [id, match])),
    };
  }

  async #openDump(id: number, file: Blob): Promise<void> {
    const bytes = new Uint8Array(await file.arrayBuffer());
    this.#dumps.set(id, await readCoreDump(bytes, { pause: () => this.#clock.sleep(0) }));
    this.#contents.set(id, coreDumpBytes(bytes));
  }

  #dumpContent(id: number): DumpContent {
    const bytes = this.#contents.get(id);
    if (bytes === undefined) {
      throw new Error(`Core dump ${id} is not open.`);
    }
    const isSmall = bytes.length <= crashLimits.memory;
    return { size: bytes.length, hash: bytesHash(bytes), bytes: isSmall ? bytes.slice() : null };
  }

  #dump(id: number): CoreDump {
    const dump = this.#dumps.get(id);
    if (dump === undefined) {
      throw new Error(`Core dump ${id} is not open.`);
    }
    return dump;
  }

  async #readLog(file: Blob): Promise<readonly Incident[]> {
    if (file.size > MAX_LOG) {
      return [];
    }
    const text = fileText(new Uint8Array(await file.arrayBuffer()));
    const at = this.#clock.now();
    // Each port is read by itself, because lines of two boards alternate in a log of both.
    const ports = text === null ? [] : panicsOfText(text);
    return ports.flatMap((lines) => {
      const book = new IncidentBook();
      for (const { number, text: line, mark, chip } of lines) {
        book.add(null, mark, { sequence: number, at, text: line }, chip);
      }
      return book.incidents;
    });
  }

  async #logReport({ lines, files, build }: LogReportRequest): Promise<ReportAnswer | null> {
    const dump = printedDump(lines, build);
    const answer = dump && (await this.#reportOf(dump, files));
    return answer === null || answer.file === null ? null : answer;
  }

  #report({ dump, files }: ReportRequest): Promise<ReportAnswer> {
    return this.#reportOf(this.#dump(dump), files);
  }

  async #reportOf(dump: CoreDump, files: readonly number[]): Promise<ReportAnswer> {
    const open = files.flatMap((number) => {
      const file = this.#files.get(number);
      const isOfMachine = file?.symbols.machine === dump.machine;
      return file !== undefined && isOfMachine ? [{ number, file, match: matchOf(file.hash, dump.appHash) }] : [];
    });
    const others = open.filter(({ match }) => match === 'other');
    // The user could not notice that the frames of another build are wrong.
    const used = open.find(({ match }) => match === 'same') ?? open.findLast(({ match }) => match === 'unknown');
    return {
      report: await crashReport(dump, used === undefined ? null : await used.file.program(), {
        pause: () => this.#clock.sleep(0),
      }),
      file: used?.number ?? null,
      match: used?.match ?? 'unknown',
      otherBuilds: others.map(({ number }) => number),
    };
  }
}

function matchOf(hash: string | null, build: string | null): BuildMatch {
  if (hash === null || build === null) {
    return 'unknown';
  }
  return isSameBuild(hash, build) ? 'same' : 'other';
}

function failureOf(error: unknown): CallFailure {
  return callFailure(error, error instanceof SymbolFileError || error instanceof CoreDumpError ? error.code : null);
}
