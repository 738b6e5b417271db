/**
 * File transfers on the ports of a bench: runs at most one on each port, reports their progress, and notices boards
 * that ask for one. The protocols are loaded with the first transfer.
 */
import type { Clock } from '@wirebench/clock';
import { wireTime } from '@wirebench/port';
import { type Bench, byPort, fileSource, type PortNumber } from '@wirebench/serial';
import {
  RequestDetector,
  type Transfer,
  type TransferOptions,
  type TransferProgress,
  type TransferProtocol,
  type TransferReport,
} from '@wirebench/serial/transfer';
import type { BenchTick } from '../../../protocol/bench/bench-tick.ts';
import type { RunningTransfer, TransferResult } from '../../../protocol/bench/job-part.ts';

export interface PortTransfersParts {
  readonly bench: Bench;
  readonly clock: Clock;
  readonly onProgress: () => void;
}

interface Running {
  readonly stop: AbortController;
  readonly done: Promise<unknown>;
}

type Protocols = typeof import('./protocols.ts')['protocols'];

/** Time after which a request that the board did not repeat is over, in milliseconds. */
const OFFER_TIME = 30_000;

export class PortTransfers {
  readonly #parts: PortTransfersParts;
  readonly #detectors = byPort(() => new RequestDetector());
  readonly #running = new Map<PortNumber, Running>();
  #transfers: BenchTick['transfers'] = byPort(() => null);
  #offers: BenchTick['transferOffers'] = byPort(() => null);
  readonly #offerEnds = new Map<PortNumber, () => void>();
  #lastOffer = 0;
  /** Files that a ZMODEM transfer can continue; null until the protocols are loaded. */
  #partials: InstanceType<Protocols['PartialFiles']> | null = null;

  constructor(parts: PortTransfersParts) {
    this.#parts = parts;
  }

  get progress(): Pick<BenchTick, 'transfers' | 'transferOffers'> {
    const { ports } = this.#parts.bench.status();
    const offerOf = (port: PortNumber) => (ports[port].state === 'connected' ? this.#offers[port] : null);
    return { transfers: this.#transfers, transferOffers: byPort(offerOf) };
  }

  /** Looks for a request in what a port received. Called for each chunk. */
  received(port: PortNumber, bytes: Uint8Array, at: number): void {
    const request = this.#detectors[port].received(bytes, at);
    const offer = this.#offers[port];
    if (request === null) {
      // A receiver that asks with a letter prints nothing else while it waits.
      if (offer?.protocol === 'block' && bytes.length > 1) {
        this.#withdraw(port);
      }
      return;
    }
    const isSame = offer?.kind === request.kind && offer.protocol === request.protocol;
    this.#offerEnds.get(port)?.();
    const id = isSame ? offer.id : ++this.#lastOffer;
    this.#offers = { ...this.#offers, [port]: { ...request, id } };
    this.#offerEnds.set(
      port,
      this.#parts.clock.schedule(OFFER_TIME, () => this.#withdraw(port)),
    );
    this.#parts.onProgress();
  }

  sent(port: PortNumber): void {
    this.#detectors[port].sent();
  }

  async send(
    port: PortNumber,
    files: readonly File[],
    { protocol, resume }: { readonly protocol: TransferProtocol; readonly resume: boolean },
    signal: AbortSignal,
  ): Promise<TransferResult> {
    const names = files.map(({ name }) => name);
    const outgoing = files.map((file) => ({ ...fileSource(file), modified: file.lastModified }));
    const report = await this.#run(
      { direction: 'send', protocol, port: `Port ${port}`, names },
      port,
      signal,
      (protocols, options) => protocols.sendFiles(protocol, outgoing, { ...options, resume }),
    );
    return { isComplete: report.outcome === 'complete', received: [] };
  }

  async receive(port: PortNumber, protocol: TransferProtocol, signal: AbortSignal): Promise<TransferResult> {
    let received: TransferResult['received'] = [];
    const report = await this.#run(
      { direction: 'receive', protocol, port: `Port ${port}`, names: [] },
      port,
      signal,
      async (protocols, options) => {
        this.#partials ??= new protocols.PartialFiles();
        const store = protocols.receivedFiles(protocol === 'zmodem' ? this.#partials : null);
        const end = await protocols.receiveFiles(protocol, store, { ...options, name: `received-port-${port}.bin` });
        received = store.whole;
        return end;
      },
    );
    return { isComplete: report.outcome === 'complete', received };
  }

  /** Stops the transfer on a port, if there is one, and resolves when both sides are clean. */
  async stop(port: PortNumber): Promise<void> {
    const running = this.#running.get(port);
    running?.stop.abort();
    await running?.done;
  }

  async #run(
    transfer: Transfer,
    port: PortNumber,
    signal: AbortSignal,
    work: (protocols: Protocols, options: TransferOptions) => Promise<TransferReport>,
  ): Promise<TransferReport> {
    const { bench, clock } = this.#parts;
    const { protocols } = await import('./protocols.ts');
    const link = new protocols.SessionLink();
    const hold = bench.jobs.holdForTransfer(port, (bytes) => link.received(bytes));
    link.attach(hold);
    this.#withdraw(port);
    const { settings } = bench.status().ports[port];
    const stop = new AbortController();
    const show = (progress: TransferProgress | null) =>
      this.#show(port, { direction: transfer.direction, protocol: transfer.protocol, progress });
    show(null);
    const say = ({ level, text }: ReturnType<Protocols['startNotice']>) => bench.notice(level, text, port);
    say(protocols.startNotice(transfer));
    const working = work(protocols, {
      link,
      clock,
      signal: AbortSignal.any([signal, stop.signal]),
      onProgress: show,
      byteTime: settings === null ? 0 : wireTime(settings, 1),
    });
    this.#running.set(port, { stop, done: working.catch(() => undefined) });
    let rest: Uint8Array = new Uint8Array();
    try {
      const report = await working;
      ({ rest } = report);
      say(protocols.endNotice(transfer, report));
      return report;
    } finally {
      this.#running.delete(port);
      hold.release(rest);
      this.#show(port, null);
    }
  }

  #show(port: PortNumber, transfer: RunningTransfer | null): void {
    this.#transfers = { ...this.#transfers, [port]: transfer };
    this.#parts.onProgress();
  }

  #withdraw(port: PortNumber): void {
    this.#offerEnds.get(port)?.();
    this.#offerEnds.delete(port);
    if (this.#offers[port] !== null) {
      this.#offers = { ...this.#offers, [port]: null };
      this.#parts.onProgress();
    }
  }
}
