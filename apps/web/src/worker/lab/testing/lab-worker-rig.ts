/** The lab's worker on a virtual clock, with the page's end of its connection, and boards that a test can plug in. */
import { VirtualClock } from '@wirebench/clock';
import { createEspPort, EspDevice, type EspDeviceOptions, type EspPort, labBreadboard } from '@wirebench/devices';
import { lineText } from '@wirebench/serial';
import { vi } from 'vitest';
import type { PortSource } from '../../../protocol/bench/port-part.ts';
import type { DeviceCycle } from '../../../protocol/bus-transfers.ts';
import { CallClient } from '../../../protocol/calls/call-client.ts';
import { askOn, passOn } from '../../../protocol/calls/testing/ask-on.ts';
import { PortLines } from '../../../protocol/calls/testing/port-lines.ts';
import type { ConnectLab, LabApi, LabTick } from '../../../protocol/lab-protocol.ts';
import { BenchWorker } from '../../bench/bench-worker.ts';
import { LabWorker } from '../lab-worker.ts';

export class LabWorkerRig {
  readonly clock = new VirtualClock(1_000_000);
  readonly worker: BenchWorker;
  readonly lab: CallClient<LabApi, LabTick>;
  /** The last tick. */
  tick!: LabTick;
  /** Cycles of all ticks. */
  readonly cycles: DeviceCycle[] = [];
  readonly #lines = new PortLines();
  /** Ports in the browser's list. */
  readonly #listed: SerialPort[] = [];

  constructor() {
    const [benchLine, labLine] = [this.#lines.open(), this.#lines.open()];
    const { clock } = this;
    this.worker = new BenchWorker(benchLine.worker, {
      clock,
      openRecordingFile: () => Promise.reject(new Error('not here')),
    });
    const { devices, bench } = this.worker;
    new LabWorker(labLine.worker, { clock, devices, bench });
    this.lab = new CallClient((tick) => {
      this.tick = tick;
      this.cycles.push(...tick.cycles);
    });
    this.lab.attach(labLine.page);
  }

  async dispose(): Promise<void> {
    await this.ask(this.lab.call('leave', true));
    this.#lines.close();
    await this.worker.bench.dispose();
    vi.unstubAllGlobals();
  }

  /** Advances virtual time until `call` settles. */
  ask<Answer>(call: Promise<Answer>): Promise<Answer> {
    return askOn(this.clock, call, { stride: 5, pace: 'turn' });
  }

  connect(source: PortSource, request: Partial<ConnectLab> = {}) {
    return this.ask(this.lab.call('connect', source, { baudRate: 921_600, byHand: false, ...request }));
  }

  /** Advances virtual time, so that ticks arrive. */
  settle(milliseconds = 200): Promise<void> {
    return passOn(this.clock, milliseconds, 'turn');
  }

  logged(): string[] {
    return this.worker.bench
      .rows({ layout: 'text', anchor: { position: 0 }, count: 200 })
      .rows.map(({ direction, bytes }) => `${direction} ${lineText(bytes)}`);
  }

  /**
   * Plugs in a board with its breadboard, as a port that the browser lists. `source` returns its place in that list.
   */
  plugIn(options: Partial<EspDeviceOptions> = {}) {
    const breadboard = labBreadboard('esp32');
    const device = new EspDevice({ flash: { content: 'factory' }, ...options, chip: 'esp32', breadboard });
    const plugged = createEspPort(device, { clock: this.clock, pace: 'wire' });
    this.#list(plugged);
    plugged.serial.addEventListener('connect', () => this.#list(plugged));
    plugged.serial.addEventListener('disconnect', () => {
      this.#listed.splice(0, this.#listed.length, ...this.#listed.filter(({ connected }) => connected));
    });
    vi.stubGlobal('navigator', { serial: { getPorts: async () => [...this.#listed] } });
    return { device, breadboard, plugged, source: () => this.#sourceOf(plugged) };
  }

  #list({ port }: EspPort): void {
    if (port !== null) {
      this.#listed.push(port);
      this.worker.deviceAppeared(port);
    }
  }

  #sourceOf({ port }: EspPort): PortSource {
    if (port === null) {
      throw new Error('The board is unplugged.');
    }
    const place = { index: this.#listed.indexOf(port), count: this.#listed.length, info: port.getInfo() };
    return { kind: 'serial', place };
  }
}
