/**
 * Waiting on the bench's side of the line: for an answer, or for time to pass. The page's own timers are stretched to a
 * second and more while its tab is hidden, the worker's are not.
 */
import type { PortSettings } from '@wirebench/port';
import type {
  BaudFinding,
  ConversationLog,
  Exchange,
  ExchangeOutcome,
  PortNumber,
  RepeatReport,
  RowRange,
  SendPace,
  SendReport,
} from '@wirebench/serial';
import type { ModbusSearchOptions, ModbusSearchReport } from '@wirebench/serial/modbus-search';
import type { TransferProtocol } from '@wirebench/serial/transfer';
import type { BenchTick } from '../protocol/bench/bench-tick.ts';
import type { BoardAnswer, BoardJob } from '../protocol/bench/board-files-part.ts';
import type { ImprovAnswer, ImprovJob } from '../protocol/bench/improv-part.ts';
import type { Paste, PasteOutcome, TransferResult } from '../protocol/bench/job-part.ts';
import type { PortSource } from '../protocol/bench/port-part.ts';
import type { CopiedRows, ExportRequest, LogPart } from '../protocol/bench/row-part.ts';
import { getBench } from './bench.ts';
import { benchStatus } from './bench-status.ts';
import { keepAwake } from './keep-awake.ts';

let lastTicket = 0;

/** Returns a number that no other work of the page has at the bench. */
export const newTicket = (): number => ++lastTicket;

/** Ends the wait when `signal` aborts, and tells the bench so. */
export async function ended<Result>(signal: AbortSignal, wait: (ticket: number) => Promise<Result>): Promise<Result> {
  const ticket = ++lastTicket;
  const end = () => void getBench().call('endWait', ticket);
  signal.addEventListener('abort', end, { once: true });
  try {
    return await wait(ticket);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** Waits for work that the bench counts by its ticket, and reports each higher count. */
function counted<Result>(
  signal: AbortSignal,
  countsIn: (tick: BenchTick) => Readonly<Record<number, number>>,
  onCount: (count: number) => void,
  work: (ticket: number) => Promise<Result>,
): Promise<Result> {
  return ended(signal, async (ticket) => {
    let reported = 0;
    const endTicks = benchStatus.onTick((tick) => {
      const count = countsIn(tick)[ticket] ?? 0;
      if (count > reported) {
        reported = count;
        onCount(count);
      }
    });
    try {
      return await work(ticket);
    } finally {
      endTicks();
    }
  });
}

export interface BenchConversation {
  /** Sends, and waits for the first of some answers. Rejects as a sending does. One at a time. */
  exchange(exchange: Exchange, signal: AbortSignal): Promise<ExchangeOutcome>;
  /** Ends the conversation. Returns everything that passed, or null if nothing was exchanged. */
  close(): Promise<ConversationLog | null>;
}

/** Begins a conversation with the board on `port`. From the first exchange on it loses no received byte. */
export function converse(port: PortNumber): BenchConversation {
  const conversation = ++lastTicket;
  let isOpen = false;
  return {
    exchange: async (exchange, signal) => {
      if (!isOpen) {
        isOpen = true;
        await getBench().call('openConversation', port, conversation);
      }
      return ended(signal, (ticket) => getBench().call('exchange', conversation, exchange, ticket));
    },
    close: async () => (isOpen ? getBench().call('closeConversation', conversation) : null),
  };
}

/** Sends a file; `signal` ends it. Rejects when it cannot begin. */
export function sendFile(port: PortNumber, file: File, pace: SendPace, signal: AbortSignal): Promise<SendReport> {
  return ended(signal, (ticket) => getBench().call('sendFile', port, file, pace, ticket));
}

/** Sends files by a protocol; `signal` cancels it on both sides. Rejects when it cannot begin. */
export function transferTo(
  port: PortNumber,
  files: readonly File[],
  protocol: TransferProtocol,
  resume: boolean,
  signal: AbortSignal,
): Promise<TransferResult> {
  return keepAwake(() =>
    ended(signal, (ticket) => getBench().call('transferTo', port, files, protocol, resume, ticket)),
  );
}

/** Receives files by a protocol; `signal` cancels it on both sides. Rejects when it cannot begin. */
export function transferFrom(
  port: PortNumber,
  protocol: TransferProtocol,
  signal: AbortSignal,
): Promise<TransferResult> {
  return ended(signal, (ticket) => getBench().call('transferFrom', port, protocol, ticket));
}

/** Jobs that leave the files of a board as they are. */
const keepsFiles: readonly BoardJob['kind'][] = ['list', 'read', 'hash', 'run', 'soft-reset'];

/** Does a job on the board of a port; `signal` stops it. Rejects when it cannot begin. */
export function boardJob(
  port: PortNumber,
  job: BoardJob,
  mayInterrupt: boolean,
  signal: AbortSignal,
): Promise<BoardAnswer> {
  const work = () => ended(signal, (ticket) => getBench().call('boardJob', port, job, mayInterrupt, ticket));
  return keepsFiles.includes(job.kind) ? work() : keepAwake(work);
}

/** Does a job on the board of a port by Improv; `signal` stops it. Rejects when it cannot begin. */
export function improvJob(port: PortNumber, job: ImprovJob, signal: AbortSignal): Promise<ImprovAnswer> {
  return ended(signal, (ticket) => getBench().call('improvJob', port, job, ticket));
}

/** Looks for Modbus devices on a port; `signal` stops it. Rejects when it cannot begin. */
export function searchModbus(
  port: PortNumber,
  options: ModbusSearchOptions,
  signal: AbortSignal,
): Promise<ModbusSearchReport> {
  return ended(signal, (ticket) => getBench().call('searchModbus', port, options, ticket));
}

/**
 * Sends the bytes at once and then every `every` milliseconds, until `signal` aborts or the port is closed or lost.
 * @param onSent told how often they were sent, at a pace that people can read.
 */
export function repeatOnBench(
  port: PortNumber,
  bytes: Uint8Array,
  every: number,
  signal: AbortSignal,
  onSent: (count: number) => void,
): Promise<RepeatReport> {
  const work = (ticket: number) => getBench().call('repeat', port, bytes, every, ticket);
  return counted(signal, ({ repeats }) => repeats, onSent, work);
}

/**
 * Pastes lines or code; `signal` stops it. Rejects when the port refuses it.
 * @param onSent told how many lines the port has taken, at a pace that people can read.
 */
export function pasteOnBench(
  port: PortNumber,
  paste: Paste,
  signal: AbortSignal,
  onSent: (lines: number) => void,
): Promise<PasteOutcome> {
  const work = (ticket: number) => getBench().call('paste', port, paste, ticket);
  return counted(signal, ({ pastedLines }) => pastedLines, onSent, work);
}

/** Listens at one rate after the other; `signal` ends it, and it rejects then. */
export function findBaudRate(
  port: PortNumber,
  source: PortSource,
  settings: PortSettings,
  signal: AbortSignal,
): Promise<BaudFinding> {
  return ended(signal, (ticket) => getBench().call('findBaudRate', port, source, settings, ticket));
}

/** Makes a file of what is held; `signal` ends it, and it rejects then. */
export function exportFile(request: ExportRequest, signal: AbortSignal): Promise<Blob> {
  return ended(signal, (ticket) => getBench().call('exportFile', request, ticket));
}

/** Copies rows as text; `signal` ends it, and it rejects then. */
export function copyRows(range: RowRange, pane: LogPart | null, signal: AbortSignal): Promise<CopiedRows> {
  return ended(signal, (ticket) => getBench().call('copyRows', range, pane, ticket));
}

/** Resolves after `duration` milliseconds, or as soon as `signal` aborts. */
export async function pauseOnBench(duration: number, signal: AbortSignal): Promise<void> {
  if (!signal.aborted) {
    await ended(signal, (ticket) => getBench().call('pause', duration, ticket));
  }
}
