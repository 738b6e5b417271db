/**
 * The UART bridge of a board. With the boot ROM, each byte sent removes a byte that waits to be received. Waiting
 * bytes are therefore read first, and bytes that come during sending may be lost: the screen calls this half duplex.
 * The program in RAM moves bytes both ways. In both cases the chip reports a full FIFO, and the log shows it.
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
import type { UartBridge } from '../../protocol/lab-protocol.ts';
import { InOrder } from './in-order.ts';
import type { InstrumentParts } from './instrument-parts.ts';
import type { SessionParts } from './session-parts.ts';

/** Time between two checks for received bytes, in milliseconds. */
const pollPause = 10;
/** Pause before the next attempt after a failure, in milliseconds. */
const faultPause = 1_000;

/** `ring-full` comes from the program in RAM: the link to the page was slower than the line. */
type Fault = UartFault | 'ring-full';

const texts = {
  overrun: 'bytes were lost: they came faster than the board gave them away, and its FIFO was full',
  'ring-full': 'bytes were lost: the link to the board is slower than the line',
  framing: 'framing error: check the baud rate of the circuit',
  parity: 'parity error: the bridge expects none',
  break: 'break: RX was low for longer than a character',
} satisfies Record<Fault, string>;

/** Minimum time between two lines about the same fault, in milliseconds. */
const quietTime = 1_000;

/** Logs the faults on the bridge's line in words, limited to a readable rate. */
class UartFaultLog {
  readonly #parts: SessionParts;
  readonly #said = new Map<Fault, number>();
  #losses = 0;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  get losses(): number {
    return this.#losses;
  }

  forget(): void {
    this.#losses = 0;
    this.#said.clear();
  }

  add(faults: readonly Fault[]): void {
    const { clock, log, onChange } = this.#parts;
    const now = clock.now();
    // A break has no stop bit, so it is a framing error as well.
    const reported = faults.includes('break') ? faults.filter((fault) => fault !== 'framing') : faults;
    for (const fault of reported) {
      if (fault === 'overrun' || fault === 'ring-full') {
        this.#losses++;
        onChange();
      }
      if (now - (this.#said.get(fault) ?? Number.NEGATIVE_INFINITY) >= quietTime) {
        this.#said.set(fault, now);
        log.notice(fault === 'break' ? 'info' : 'warning', `UART: ${texts[fault]}`);
      }
    }
  }
}

export class LabUart {
  readonly #parts: InstrumentParts;
  readonly #faults: UartFaultLog;
  #bridge: UartBridge | null = null;
  /** Loop that moves bytes while the bridge is open. */
  #service: { readonly stop: AbortController; readonly ended: Promise<void> } | null = null;
  /** Output to the program in RAM, while the program is the bridge. */
  #output: BridgeOutput | null = null;
  /** Orders opening and closing. */
  readonly #changes = new InOrder();
  /** Excludes other reads between counting the waiting bytes and sending. */
  readonly #reads = new InOrder();

  constructor(parts: InstrumentParts) {
    this.#parts = parts;
    this.#faults = new UartFaultLog(parts);
  }

  get bridge(): UartBridge | null {
    return this.#bridge;
  }

  /** Number of times that bytes were lost since the bridge was opened. */
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
      // If opening was refused, the bridge that was open before continues.
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

  /** Waits until the board has taken all bytes, so that a fast sender is slowed down and the buffer does not grow. */
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
        // While the board is being left, each call is refused at once. The loop must end, or it would run without a
        // pause.
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
