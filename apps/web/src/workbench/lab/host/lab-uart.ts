/**
 * The UART bridge of a board. With the boot ROM a byte that is sent takes away one that waits to be received: what waits is read
 * first, and bytes that come while others go may be lost. Half duplex, therefore, and said so on the screen. The program in RAM moves
 * bytes both ways by itself. Either way the chip tells when its FIFO was full, and the log says so.
 */
import {
  clearUartFaults,
  LabError,
  receiveWaiting,
  sendThrough,
  takeUartFaults,
  type UartFault,
  uartUp,
} from '@wirebench/lab';
import { BridgeOutput, type BridgeReport, type Probe } from '@wirebench/lab/probe';
import type { UartBridge } from '../lab-protocol.ts';
import { InOrder } from './in-order.ts';
import type { InstrumentParts } from './instrument-parts.ts';
import { UartFaultLog } from './uart-fault-log.ts';

/** Milliseconds between two looks at what waits. */
const pollPause = 10;
/** Milliseconds until it is tried again after a failure. */
const faultPause = 1_000;

export class LabUart {
  readonly #parts: InstrumentParts;
  readonly #faults: UartFaultLog;
  #bridge: UartBridge | null = null;
  /** What moves bytes while the bridge is open. */
  #service: { readonly stop: AbortController; readonly ended: Promise<void> } | null = null;
  /** Towards the program in RAM, while that is the bridge. */
  #output: BridgeOutput | null = null;
  /** Opening and closing. */
  readonly #changes = new InOrder();
  /** Between what waits is counted and sent nothing else may read. */
  readonly #reads = new InOrder();

  constructor(parts: InstrumentParts) {
    this.#parts = parts;
    this.#faults = new UartFaultLog(parts);
  }

  get bridge(): UartBridge | null {
    return this.#bridge;
  }

  /** How often bytes were lost since the bridge was opened. */
  get losses(): number {
    return this.#faults.losses;
  }

  open(bridge: UartBridge): Promise<void> {
    return this.#changes.run(() => this.#open(bridge));
  }

  close(): Promise<void> {
    return this.#changes.run(() => this.#close());
  }

  async #open(bridge: UartBridge): Promise<void> {
    const { lab, owners, claim, look, release, log, probe } = this.#parts;
    const before = owners.of('uart').map(({ gpio }) => gpio);
    const pins = [
      { gpio: bridge.tx, owner: 'uart', label: 'TX', use: null },
      { gpio: bridge.rx, owner: 'uart', label: 'RX', use: null },
    ] as const;
    for (const { gpio } of pins) {
      owners.check(gpio, 'uart');
    }
    await this.#stop();
    try {
      await lab.run(uartUp(lab.chip, bridge));
      await lab.run(clearUartFaults(lab.chip));
      await release(before.filter((gpio) => gpio !== bridge.tx && gpio !== bridge.rx));
      claim(pins);
      this.#bridge = bridge;
      this.#faults.forget();
      const duplex = probe.running === null ? 'half duplex' : 'full duplex';
      log.wrote(`UART on TX ${bridge.tx} RX ${bridge.rx}, ${bridge.baudRate} baud 8N1, ${duplex}`);
      await look([bridge.tx, bridge.rx]);
    } finally {
      // One that was open before goes on where this was refused.
      if (this.#bridge !== null) {
        this.#start();
      }
    }
  }

  async #close(): Promise<void> {
    const { owners, release, log } = this.#parts;
    this.#bridge = null;
    await this.#stop();
    await release(owners.of('uart').map(({ gpio }) => gpio));
    log.wrote('UART closed');
  }

  async send(bytes: Uint8Array): Promise<void> {
    const { lab, log } = this.#parts;
    if (this.#bridge === null) {
      throw new LabError('refused', { detail: 'The UART bridge is not open.' });
    }
    log.uart('sent', bytes);
    const output = this.#output;
    if (output !== null) {
      output.write(bytes);
      await this.#taken(output);
      return;
    }
    for (const received of await this.#reads.run(() => sendThrough(lab, bytes))) {
      log.uart('received', received);
    }
  }

  /** Until the board has room for all of it, so that a sender waits rather than this grows. */
  async #taken(output: BridgeOutput): Promise<void> {
    const { clock, lab } = this.#parts;
    while (output.waiting > 0 && this.#output === output) {
      await clock.sleep(pollPause, lab.over);
    }
  }

  #start(): void {
    const stop = new AbortController();
    this.#service = { stop, ended: this.#serve(AbortSignal.any([stop.signal, this.#parts.lab.over])) };
  }

  async #stop(): Promise<void> {
    const service = this.#service;
    this.#service = null;
    service?.stop.abort();
    await service?.ended;
  }

  async #serve(signal: AbortSignal): Promise<void> {
    const { lab, clock, log, probe } = this.#parts;
    while (!signal.aborted) {
      let pause = pollPause;
      try {
        await (probe.running === null ? this.#poll() : this.#bridgeBy(probe.running, signal));
      } catch (error) {
        // While the board is being left, each call is refused at once: nothing must be waited for in a loop without a pause.
        if (lab.over.aborted || (error instanceof LabError && error.code === 'left')) {
          return;
        }
        log.notice('warning', `UART: ${error instanceof Error ? error.message : String(error)}`);
        pause = faultPause;
      }
      await clock.sleep(pause, signal).catch(() => undefined);
    }
  }

  async #poll(): Promise<void> {
    const { lab } = this.#parts;
    const [received, faults] = await this.#reads.run(
      async () => [await receiveWaiting(lab), await takeUartFaults(lab)] as const,
    );
    this.#received(received, faults);
  }

  async #bridgeBy(probe: Probe, signal: AbortSignal): Promise<void> {
    const output = new BridgeOutput();
    this.#output = output;
    try {
      await probe.bridge({ output, signal, onReport: (report) => this.#received(report.bytes, report.errors) });
    } finally {
      this.#output = null;
      if (output.waiting > 0) {
        this.#parts.log.notice('warning', `UART: ${output.waiting} bytes were not sent`);
      }
    }
  }

  #received(bytes: Uint8Array, faults: readonly (UartFault | BridgeReport['errors'][number])[]): void {
    if (bytes.length > 0) {
      this.#parts.log.uart('received', bytes);
    }
    if (faults.length > 0) {
      this.#faults.add(faults);
    }
  }
}
