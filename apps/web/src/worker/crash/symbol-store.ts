/**
 * Worker for ELF files and core dumps: keeps the open files, resolves addresses to source lines, and reports the
 * tasks of a dump.
 */
import type { Clock } from '@wirebench/clock';
import { crashLimits } from '@wirebench/contract/constants';
import { fileText } from '@wirebench/port/given-text';
import {
  blobSource,
  type CoreDump,
  CoreDumpError,
  coreDumpBytes,
  coreFileOf,
  crashesOfLog,
  type DecodeAnswer,
  decodeIn,
  type NumberedFile,
  openProgramFile,
  type ProgramFile,
  printedDump,
  type ReportAnswer,
  readCoreDump,
  reportIn,
  SymbolFileError,
} from '@wirebench/symbols';
import { callFailure } from '../../protocol/calls/call-failure.ts';
import type { CallFailure, Channel } from '../../protocol/calls/call-protocol.ts';
import { CallServer } from '../../protocol/calls/call-server.ts';
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
import { bytesHash } from '../../shared/files/content-hash.ts';

/**
 * Bytes at the end of a log that are searched for crashes: the text takes four times as much memory. The page says when it
 * was not all of the log.
 */
const MAX_LOG = 32 * 1024 * 1024;

export class SymbolStore {
  readonly #clock: Clock;
  readonly #line: CallServer<SymbolApi, SymbolTick>;
  readonly #files = new Map<number, ProgramFile>();
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
    const opening = new AbortController();
    const { signal } = opening;
    this.#opening.set(id, opening);
    try {
      const opened = await openProgramFile(blobSource(file), {
        signal,
        onProgress: (fraction) => {
          this.#progress.set(id, fraction);
          this.#line.change();
        },
        pause: () => this.#clock.sleep(0),
      });
      this.#files.set(id, opened);
      const { symbols, hash } = opened;
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
    return decodeIn(this.#numbered(files), addresses, build);
  }

  #numbered(ids: readonly number[]): readonly NumberedFile[] {
    return ids.flatMap((id) => {
      const file = this.#files.get(id);
      return file === undefined ? [] : [{ id, file }];
    });
  }

  async #openDump(id: number, file: Blob): Promise<void> {
    const bytes = new Uint8Array(await file.arrayBuffer());
    this.#dumps.set(id, await readCoreDump(bytes, { pause: () => this.#clock.sleep(0) }));
    this.#contents.set(id, await coreDumpBytes(bytes));
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

  async #readLog(file: Blob): Promise<LogAnswer> {
    const isPart = file.size > MAX_LOG;
    const text = fileText(new Uint8Array(await (isPart ? file.slice(-MAX_LOG) : file).arrayBuffer()));
    const { crashes, omitted } =
      text === null ? { crashes: [], omitted: 0 } : crashesOfLog(text, this.#clock.wallTime());
    const incidents = crashes
      .flatMap(({ incident }) => (incident === null ? [] : [{ ...incident, port: null }]))
      .reverse();
    return { incidents, omitted, searched: isPart ? MAX_LOG : null };
  }

  async #logReport({ lines, files, build }: LogReportRequest): Promise<ReportAnswer | null> {
    const dump = printedDump(lines, build);
    const answer = dump && (await this.#reportOf(dump, files));
    return answer === null || answer.file === null ? null : answer;
  }

  #report({ dump, files }: ReportRequest): Promise<ReportAnswer> {
    return this.#reportOf(this.#dump(dump), files);
  }

  #reportOf(dump: CoreDump, files: readonly number[]): Promise<ReportAnswer> {
    return reportIn(this.#numbered(files), dump, () => this.#clock.sleep(0));
  }
}

function failureOf(error: unknown): CallFailure {
  return callFailure(error, error instanceof SymbolFileError || error instanceof CoreDumpError ? error.code : null);
}
