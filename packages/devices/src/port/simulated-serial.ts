/**
 * A `Serial` of Web Serial: the ports that a page may use, and the chooser. Replaces `navigator.serial`. It differs
 * from Chromium 156 in one point: listeners added with `once` are called, as the draft requires.
 */
import { PortEventTarget } from './port-event-target.ts';
import { type BridgeOptions, SimulatedBridge } from './simulated-bridge.ts';
import type { SimulatedSerialPort } from './simulated-serial-port.ts';

/** The user's answer in the chooser: one of the ports, or null to cancel. */
export type Choose = (ports: readonly SimulatedSerialPort[]) => SimulatedSerialPort | null;

export class SimulatedSerial extends PortEventTarget implements Serial {
  readonly #bridges: SimulatedBridge[] = [];
  readonly #choose: Choose;

  /** @param choose Answers the chooser. Default: the first port. */
  constructor(choose: Choose = (ports) => ports[0] ?? null) {
    super();
    this.#choose = choose;
  }

  /** Plugs a device in without an event. `replug` of the returned bridge fires one. */
  plugIn(options: BridgeOptions): SimulatedBridge {
    const bridge = new SimulatedBridge(this, options);
    this.#bridges.push(bridge);
    return bridge;
  }

  /** Returns the ports that are plugged in and permitted, in the order in which their devices were first plugged in. */
  async getPorts(): Promise<SimulatedSerialPort[]> {
    return this.#bridges.filter(({ permitted }) => permitted).flatMap(({ port }) => port ?? []);
  }

  /**
   * Opens the chooser with the ports that match a filter (all ports without filters), permitted or not.
   * @throws TypeError for an invalid filter.
   * @throws NotFoundError if the user chooses no port.
   */
  async requestPort({ filters = [] }: SerialPortRequestOptions = {}): Promise<SimulatedSerialPort> {
    for (const filter of filters) {
      checkFilter(filter);
    }
    const offered = this.#bridges.filter(({ port }) => port !== null && fits(port.getInfo(), filters));
    const chosen = this.#choose(offered.flatMap(({ port }) => port ?? []));
    const bridge = offered.find(({ port }) => port === chosen);
    if (chosen === null || bridge === undefined) {
      throw new DOMException(callText('No port selected by the user.'), 'NotFoundError');
    }
    bridge.permit();
    return chosen;
  }
}

function checkFilter({ usbVendorId, usbProductId, bluetoothServiceClassId }: SerialPortFilter): void {
  if (bluetoothServiceClassId !== undefined) {
    if (usbVendorId !== undefined || usbProductId !== undefined) {
      throw new TypeError(
        callText('A filter cannot specify both bluetoothServiceClassId and usbVendorId or usbProductId.'),
      );
    }
  } else if (usbVendorId === undefined) {
    const reason =
      usbProductId === undefined
        ? 'A filter must provide a property to filter by.'
        : 'A filter containing a usbProductId must also specify a usbVendorId.';
    throw new TypeError(callText(reason));
  }
}

function fits(info: SerialPortInfo, filters: readonly SerialPortFilter[]): boolean {
  return (
    filters.length === 0 ||
    filters.some(
      ({ usbVendorId, usbProductId }) =>
        usbVendorId !== undefined &&
        usbVendorId === info.usbVendorId &&
        (usbProductId === undefined || usbProductId === info.usbProductId),
    )
  );
}

function callText(reason: string): string {
  return `Failed to execute 'requestPort' on 'Serial': ${reason}`;
}
