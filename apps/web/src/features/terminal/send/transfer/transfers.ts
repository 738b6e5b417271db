/** File transfers that the page has started, files that were received, and offers that the user has put aside. */
import type { PortNumber } from '@wirebench/serial';
import type { TransferProtocol } from '@wirebench/serial/transfer';
import type { ReceivedFile, TransferResult } from '../../../../protocol/bench/job-part.ts';
import { saveFile } from '../../../../shared/files/save-file.ts';
import { pageStore } from '../../../../shared/page-store.ts';
import { useBenchStatus } from '../../../../workbench/bench-status.ts';
import { transferFrom, transferTo } from '../../../../workbench/bench-waits.ts';
import { reportingFailure } from '../../../../workbench/port-picker/connect-port.ts';

export interface KeptFile extends ReceivedFile {
  readonly id: number;
  readonly port: PortNumber;
}

interface Transfers {
  /** By port, cancels the transfer. */
  readonly running: ReadonlyMap<PortNumber, AbortController>;
  /** Port for which the user chooses a protocol to receive by; null without one. */
  readonly receiving: PortNumber | null;
  /** Received files that were neither saved nor discarded, oldest first. */
  readonly kept: readonly KeptFile[];
  /** Ids of offers that the user has put aside. */
  readonly dismissed: ReadonlySet<number>;
}

const transfers = pageStore<Transfers>({
  running: new Map(),
  receiving: null,
  kept: [],
  dismissed: new Set(),
});

let lastKept = 0;

export const useTransfers = transfers.use;

/** Returns true while there is anything to show about transfers. */
export function useHasTransfers(): boolean {
  const own = useTransfers(({ receiving, kept }) => receiving !== null || kept.length > 0);
  const atBench = useBenchStatus(
    (view) =>
      Object.values(view.transfers).some((transfer) => transfer !== null) ||
      Object.values(view.transferOffers).some((offer) => offer !== null),
  );
  return own || atBench;
}

export function dismissOffer(id: number): void {
  transfers.setState(({ dismissed }) => ({ dismissed: new Set(dismissed).add(id) }));
}

/** Asks by which protocol to receive. */
export function chooseReceive(port: PortNumber | null): void {
  transfers.setState({ receiving: port });
}

export function startSend(port: PortNumber, files: readonly File[], protocol: TransferProtocol, resume: boolean): void {
  void run(port, (signal) => transferTo(port, files, protocol, resume, signal));
}

/**
 * Sends files and waits for the end, also if the strip's Stop ends it. Returns true if the board has all of them. Rejects
 * when it cannot begin.
 */
export async function sendByProtocol(
  port: PortNumber,
  files: readonly File[],
  protocol: TransferProtocol,
  signal: AbortSignal,
): Promise<boolean> {
  const result = await tracked(port, async (cancel) => {
    const stop = () => cancel.abort();
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await transferTo(port, files, protocol, false, cancel.signal);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  });
  return result?.isComplete ?? false;
}

export function startReceive(port: PortNumber, protocol: TransferProtocol): void {
  chooseReceive(null);
  void run(port, (signal) => transferFrom(port, protocol, signal));
}

export function stopTransfer(port: PortNumber): void {
  transfers.getState().running.get(port)?.abort();
}

/** Hands a received file to the browser's downloads. */
export function saveKept(file: KeptFile): void {
  saveFile(file.content, file.name);
  discardKept(file);
}

export function discardKept({ id }: KeptFile): void {
  transfers.setState(({ kept }) => ({ kept: kept.filter((file) => file.id !== id) }));
}

/** A second click while a transfer runs does nothing. */
async function run(port: PortNumber, work: (signal: AbortSignal) => Promise<TransferResult>): Promise<void> {
  await tracked(port, ({ signal }) =>
    reportingFailure(
      port,
      work(signal).then(({ received }) => keep(port, received)),
    ),
  );
}

/** Lets `stopTransfer` cancel `work`. Returns null, without calling it, while another transfer of the port runs. */
async function tracked<Result>(
  port: PortNumber,
  work: (cancel: AbortController) => Promise<Result>,
): Promise<Result | null> {
  if (transfers.getState().running.has(port)) {
    return null;
  }
  const cancel = new AbortController();
  transfers.setState(({ running }) => ({ running: new Map(running).set(port, cancel) }));
  try {
    return await work(cancel);
  } finally {
    transfers.setState(({ running }) => {
      const rest = new Map(running);
      rest.delete(port);
      return { running: rest };
    });
  }
}

function keep(port: PortNumber, received: readonly ReceivedFile[]): void {
  const files = received.map((file) => ({ ...file, port, id: ++lastKept }));
  transfers.setState(({ kept }) => ({ kept: [...kept, ...files] }));
}
