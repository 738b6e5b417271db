/** Ports of the bench: opens and closes them for the page, sets their lines, and reports what is known of them. */
import type { Clock } from '@wirebench/clock';
import { type Bench, byPort, type PortNumber } from '@wirebench/serial';
import type { BenchTick } from '../../protocol/bench/bench-tick.ts';
import type { PortCalls } from '../../protocol/bench/port-part.ts';
import type { CallHandlers } from '../../protocol/calls/call-server.ts';
import type { ChunkListener } from './bench-tap.ts';
import { PortAdvisor } from './port-advice.ts';
import type { PortDevices } from './port-devices.ts';

/** In milliseconds. A break must last longer than a character, which takes 37 ms at 300 baud. */
const breakLength = 250;

export interface PortWorkerParts {
  readonly bench: Bench;
  readonly clock: Clock;
  readonly devices: PortDevices;
  readonly onProgress: () => void;
  /** Throws while a guest or a tool uses the port. */
  readonly checkFree: (port: PortNumber) => void;
  /** Stops what runs on a port, and resolves when the port is free. */
  readonly stopJobs: (port: PortNumber) => Promise<void>;
  /** Returns true while a search has a port open with other settings than its own. */
  readonly usesOtherSettings: (port: PortNumber) => boolean;
}

export class PortWorker {
  readonly #parts: PortWorkerParts;
  readonly #advisor: PortAdvisor;

  constructor(parts: PortWorkerParts) {
    this.#parts = parts;
    this.#advisor = new PortAdvisor({ ...parts, facts: (port) => parts.devices.facts(port) });
  }

  get listener(): ChunkListener {
    return this.#advisor;
  }

  get progress() {
    return {
      devices: byPort((port) => this.#parts.devices.facts(port)),
      ...this.#advisor.progress,
    } satisfies Partial<BenchTick>;
  }

  readonly handlers: CallHandlers<PortCalls> = {
    connect: async (port, source, settings) => {
      const { bench, devices, checkFree } = this.#parts;
      checkFree(port);
      this.#advisor.begin(port);
      await devices.attach(port, source, settings.baudRate, (device) => bench.connect(port, device, settings));
    },
    reopen: async (port, settings) => {
      const { bench, devices, stopJobs } = this.#parts;
      await stopJobs(port);
      const device = devices.opened(port, bench.status().ports[port].info);
      await bench.disconnect(port);
      if (device !== null) {
        this.#advisor.begin(port);
        await bench.connect(port, device, settings);
      }
    },
    disconnect: async (port) => {
      await this.#parts.stopJobs(port);
      await this.#parts.bench.disconnect(port);
    },
    cancelReconnect: (port) => this.#parts.bench.cancelReconnect(port),
    setReconnect: (port, enabled) => this.#parts.bench.setReconnect(port, enabled),
    setSignals: (port, change) => this.#parts.bench.setSignals(port, change),
    resetBoard: async (port, mode) => {
      const { bench } = this.#parts;
      const next = () => (bench.rows({ layout: 'text', anchor: 'tail', count: 1 }).rows.at(-1)?.sequence ?? -1) + 1;
      let from = next();
      const released = () => {
        from = next();
      };
      await bench.jobs.resetBoard(port, mode, { released });
      return from;
    },
    sendBreak: async (port) => {
      const { bench, clock } = this.#parts;
      await bench.setSignals(port, { break: true });
      await clock.sleep(breakLength);
      await bench.setSignals(port, { break: false });
    },
    setFraming: (port, framing) => {
      this.#advisor.setText(port, framing.name === 'newline');
      this.#parts.bench.setFraming(port, framing);
    },
    statistics: (port) => this.#parts.bench.statistics(port),
    plugDemo: (port, plugged) => {
      this.#parts.devices.plugDemo(port, plugged);
      this.#parts.onProgress();
    },
  };
}
