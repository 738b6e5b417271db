/** What stands behind each port of the bench: a board or a demo device. Opens nothing: the bench does. */
import type { Clock } from '@wirebench/clock';
import type { PortNumber } from '@wirebench/serial';
import { createDemoDevice, type DemoDevice } from '../../hardware/demo-device.ts';
import { portAt, sameInfo } from '../../hardware/permitted-ports.ts';
import type { DeviceFacts, PortSource } from '../bench-protocol.ts';

type Attached =
  | { readonly kind: 'serial'; readonly port: SerialPort }
  | { readonly kind: 'demo'; readonly demo: DemoDevice };

export class PortDevices {
  readonly #clock: Clock;
  readonly #onAppeared: (port: SerialPort) => void;
  readonly #attached = new Map<PortNumber, Attached>();
  /** Boards that were plugged in since the start: one of them may stand for a board that vanished. */
  readonly #appeared = new Set<SerialPort>();

  /** @param onAppeared told of the port of a demo device that was plugged in again. */
  constructor(clock: Clock, onAppeared: (port: SerialPort) => void) {
    this.#clock = clock;
    this.#onAppeared = onAppeared;
  }

  facts(number: PortNumber): DeviceFacts | null {
    const attached = this.#attached.get(number);
    return attached === undefined ? null : { kind: attached.kind, plugged: portOf(attached) !== null };
  }

  /**
   * Finds the board, or makes the demo device with a UART of that rate, and lets `connect` open it. When that fails, what
   * stood behind the port before stands there again: it may be open.
   * Throws when the list of boards has changed since one was picked.
   */
  async attach(
    number: PortNumber,
    source: PortSource,
    baudRate: number,
    connect: (port: SerialPort) => Promise<void>,
  ): Promise<void> {
    const attached = await this.#find(number, source, baudRate);
    const port = attached && portOf(attached);
    if (!attached || !port) {
      throw new Error('The list of ports has just changed. Press Connect and pick the port again.');
    }
    const before = this.#attached.get(number);
    this.#attached.set(number, attached);
    try {
      await connect(port);
    } catch (error) {
      this.#attached.delete(number);
      if (before !== undefined) {
        this.#attached.set(number, before);
      }
      throw error;
    }
  }

  /** A permitted board has been plugged in. */
  appeared(port: SerialPort): void {
    this.#appeared.add(port);
  }

  /**
   * What `number` has open now, also when the bench took a new object for a board that came back; null when it is gone.
   * @param info of the open port: the bench tells no more about its device.
   */
  opened(number: PortNumber, info: SerialPortInfo | null): SerialPort | null {
    const attached = this.#attached.get(number);
    if (attached === undefined || attached.kind === 'demo' || isOpen(attached.port)) {
      return attached === undefined ? null : portOf(attached);
    }
    const taken = new Set([...this.#attached.values()].map(portOf));
    for (const port of this.#appeared) {
      if (isOpen(port) && !taken.has(port) && info !== null && sameInfo(port.getInfo(), info)) {
        this.#attached.set(number, { kind: 'serial', port });
        return port;
      }
    }
    return null;
  }

  /** Pulls the plug of a demo device, or puts it back. A board's plug is not ours. */
  plugDemo(number: PortNumber, plugged: boolean): void {
    const attached = this.#attached.get(number);
    if (attached?.kind !== 'demo') {
      return;
    }
    if (plugged) {
      attached.demo.replug();
    } else {
      attached.demo.unplug();
    }
  }

  async #find(number: PortNumber, source: PortSource, baudRate: number): Promise<Attached | undefined> {
    if (source.kind === 'demo') {
      const clock = this.#clock;
      const demo = await createDemoDevice({ clock, baudRate, seed: number, onAppeared: this.#onAppeared });
      return { kind: 'demo', demo };
    }
    const port = await portAt(source.place);
    return port && { kind: 'serial', port };
  }
}

const portOf = (attached: Attached) => (attached.kind === 'demo' ? attached.demo.port : attached.port);

const isOpen = (port: SerialPort) => port.readable !== null;
