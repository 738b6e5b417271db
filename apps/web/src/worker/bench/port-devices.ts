/** Devices behind the ports of the bench: boards or demo devices. It opens no port; the bench does. */
import type { Clock } from '@wirebench/clock';
import type { DriveFolder, ReturnedPort, UsbDevice, UsbDevices as UsbDeviceList } from '@wirebench/flasher/family';
import { type PortNumber, reconnectPeriod } from '@wirebench/serial';
import { createDemoDevice, type DemoDevice, type SimulatedPoints } from '../../hardware/demo-device.ts';
import { portAt, sameInfo } from '../../hardware/permitted-ports.ts';
import { usesUsbPorts } from '../../hardware/serial-support.ts';
import { browserUsb, devicesOn, type UsbBus, type UsbPlace, usbAt, usbGone } from '../../hardware/web-usb.ts';
import { type DeviceFacts, outdatedPlace, type PortSource, withoutPort } from '../../protocol/bench/port-part.ts';
import type { SameSource, UsbSource } from '../../protocol/usb-source.ts';
import { type TakenUsb, UsbDevices } from './usb-devices.ts';

/** Sentences about a board in its program, which was reached over USB or has no port. */
const notAllowedText =
  'This page may not use the port of its program yet. Pick it in the terminal, or with Connect for the next write.';

/** Longest wait for a person who chooses a board again, in milliseconds. A session waits equally long. */
const PERSON_WAIT = reconnectPeriod;

/** Longest start of a demo board, and the time between two looks, in milliseconds. */
const DEMO_START = 3_000;
const DEMO_LOOK = 50;

/** Returns true if both describe one board, before and after a restart. */
export type Likeness = (before: SerialPortInfo, now: SerialPortInfo) => boolean;

/** Thrown if the list of boards has changed since a place in it was chosen. */
export class PlaceOutdatedError extends Error {
  override readonly name = outdatedPlace;

  constructor() {
    super('The list of ports has just changed. Press Connect and pick the port again.');
  }
}

/** Thrown if a board has no port since its restart. */
class BoardWithoutPortError extends Error {
  override readonly name = withoutPort;

  constructor() {
    super('The board has no port now: its program has none, or it has not started.');
  }
}

/** A port of another user's shared bench. */
interface RemoteFacts extends Pick<DeviceFacts, 'plugged' | 'right' | 'away' | 'isSimulated' | 'canHide' | 'user'> {
  /** Port that this page has open there; null while the page only watches. */
  readonly port: SerialPort | null;
}

type Attached =
  /** @property isRemote True: a port of another user's shared bench. */
  | { readonly kind: 'serial'; readonly port: SerialPort; readonly isRemote?: boolean }
  /** @property isLine True: a line with several devices, which is no board. */
  | { readonly kind: 'demo'; readonly demo: DemoDevice; readonly isLine: boolean };

export class PortDevices {
  readonly #clock: Clock;
  readonly #onAppeared: (port: SerialPort) => void;
  readonly #attached = new Map<PortNumber, Attached>();
  /** Returns the port of the shared bench with this number; null if this page may not use it. */
  remoteAt: (port: number) => SerialPort | null = () => null;
  readonly #remote = new Map<PortNumber, RemoteFacts>();
  /** Numbers that opened logs have. */
  readonly #logs = new Set<PortNumber>();
  /** Boards plugged in since the start. One of them may be a board that vanished and came back. */
  readonly #appeared = new Set<SerialPort>();
  /** USB devices of the flasher that are not serial ports. */
  readonly usb: UsbDevices;
  /** Devices as which boards were found after they had left their ports. */
  readonly #beside = new Map<PortNumber, { readonly bus: UsbBus; readonly device: UsbDevice }>();
  /** Ports that were there before a USB device was taken. None of them is that of its program. */
  readonly #before = new Map<PortNumber, ReadonlySet<SerialPort>>();
  /** Callbacks that wait for a board to return. */
  readonly #waiting = new Set<() => void>();
  /** Ports whose board a person has to choose again. */
  readonly #awaited = new Set<PortNumber>();
  readonly #onChange: () => void;

  /**
   * @param onAppeared Receives the port of a demo device that was plugged in again.
   * @param onChange Called when the facts of a port change by themselves.
   */
  constructor(clock: Clock, onAppeared: (port: SerialPort) => void, onChange: () => void = () => undefined) {
    this.#clock = clock;
    this.#onChange = onChange;
    this.usb = new UsbDevices(clock);
    this.#onAppeared = (port) => {
      this.#tellWaiting();
      onAppeared(port);
    };
  }

  /** Sets the facts of a port of a shared bench. */
  setRemote(number: PortNumber, facts: RemoteFacts): void {
    this.#remote.set(number, facts);
    if (facts.port === null) {
      this.#attached.delete(number);
    } else {
      this.#attached.set(number, { kind: 'serial', port: facts.port });
    }
  }

  /** Sets that the number is that of an opened log, or of a port again. */
  setLog(number: PortNumber, isLog: boolean): void {
    if (isLog) {
      this.#logs.add(number);
    } else {
      this.#logs.delete(number);
    }
  }

  facts(number: PortNumber): DeviceFacts | null {
    if (this.#logs.has(number)) {
      return { kind: 'log', plugged: true };
    }
    const remote = this.#remote.get(number);
    if (remote !== undefined) {
      const { plugged, right = null, away = null, isSimulated = false, canHide = false, user = null } = remote;
      return { kind: 'remote', plugged, right, away, isSimulated, canHide, user };
    }
    const attached = this.#attached.get(number);
    const facts: DeviceFacts | null =
      attached === undefined
        ? this.usb.facts(number)
        : {
            kind: attached.kind,
            plugged: attached.kind === 'demo' ? attached.demo.plugged : true,
            ...(attached.kind === 'demo' && attached.isLine && { isLine: true }),
          };
    return facts && { ...facts, ...(this.#awaited.has(number) && { isAwaited: true }) };
  }

  /** Returns true if a board is plugged in behind `number`, as far as the browser reports. */
  isPlugged(number: PortNumber): boolean {
    const attached = this.#attached.get(number);
    const port = attached && portOf(attached);
    return port !== undefined && port !== null && port.connected !== false;
  }

  /** Returns true for a board of another user, who also decides about its other guests. */
  isRemote(number: PortNumber): boolean {
    const attached = this.#attached.get(number);
    return attached?.kind === 'serial' && attached.isRemote === true;
  }

  /** Returns true if the board is simulated, here or on the bench that shares it. */
  isSimulated(number: PortNumber): boolean {
    const attached = this.#attached.get(number);
    const isSharedDemo =
      attached?.kind === 'serial' && 'isSimulated' in attached.port && attached.port.isSimulated === true;
    return isSharedDemo || this.facts(number)?.kind === 'demo';
  }

  /** Returns the browser's information about the port behind `number`; null without one. */
  info(number: PortNumber): SerialPortInfo | null {
    const attached = this.#attached.get(number);
    return (attached && portOf(attached))?.getInfo() ?? null;
  }

  /** Returns the content of the display on a demo board's breadboard; null without one. */
  simulatedDisplay(number: PortNumber): SimulatedPoints | null {
    const attached = this.#attached.get(number);
    return attached?.kind === 'demo' ? attached.demo.display() : null;
  }

  /**
   * Returns the simulated board of a demo device, for benchmarks that read its flash and hold its pins. Null without
   * one.
   */
  simulatedBoard(number: PortNumber): object | null {
    const attached = this.#attached.get(number);
    return attached?.kind === 'demo' ? attached.demo.device : null;
  }

  /**
   * Finds the board, or creates a demo device with a UART of that rate, and lets `connect` open it. A failure
   * restores the previous device of the port, because it may be open.
   * @throws PlaceOutdatedError if the list of boards has changed since the choice.
   */
  async attach<Result>(
    number: PortNumber,
    source: PortSource,
    baudRate: number,
    connect: (port: SerialPort) => Promise<Result>,
  ): Promise<Result> {
    const { attached, port } = await this.#findPlugged(number, source, baudRate);
    const before = this.#attached.get(number);
    this.#attached.set(number, attached);
    try {
      return await connect(port);
    } catch (error) {
      this.#attached.delete(number);
      if (before !== undefined) {
        this.#attached.set(number, before);
      }
      throw error;
    }
  }

  /** Finds or creates the port behind `number`, for callers that open it without the bench. Throws like `attach`. */
  async take(number: PortNumber, source: PortSource, baudRate: number): Promise<SerialPort> {
    const { attached, port } = await this.#findPlugged(number, source, baudRate);
    this.usb.detach(number);
    this.#beside.delete(number);
    this.#attached.set(number, attached);
    return port;
  }

  /** Like `take`, for devices on USB without a serial port. */
  async takeUsb(number: PortNumber, source: UsbSource | SameSource): Promise<TakenUsb> {
    const taken = await this.usb.take(number, source);
    this.#attached.delete(number);
    this.#before.set(number, new Set(this.#appeared));
    return taken;
  }

  /**
   * Returns the USB devices among which the board behind `number` is found when it leaves its port. Null for a board of
   * another user, and without WebUSB.
   */
  usbBeside(number: PortNumber): UsbDeviceList | null {
    const attached = this.#attached.get(number);
    if (this.isRemote(number)) {
      return null;
    }
    const bus = attached?.kind === 'demo' ? attached.demo.usb : browserUsb();
    if (bus === null) {
      return null;
    }
    const devices = devicesOn(bus, this.#clock);
    return {
      ...devices,
      gone: (device) => {
        this.#beside.set(number, { bus, device });
        return devices.gone(device);
      },
    };
  }

  /** Returns the USB device for which the board behind `number` has left its port, while it is there; null without one. */
  async besidePort(number: PortNumber): Promise<TakenUsb | null> {
    const attached = this.#attached.get(number);
    if (attached?.kind === 'demo' && attached.demo.usb !== null) {
      const { demo } = attached;
      const device = demo.usb === null || demo.port !== null ? undefined : await this.#demoDevice(demo, demo.usb);
      return demo.usb === null || device === undefined ? null : { device, gone: usbGone(demo.usb, device) };
    }
    const { bus, device } = this.#beside.get(number) ?? {};
    return bus !== undefined && device !== undefined && (await bus.getDevices()).includes(device)
      ? { device, gone: usbGone(bus, device) }
      : null;
  }

  /** Returns true if this device is plugged in and no port has become it. */
  async isUsbFree(place: UsbPlace): Promise<boolean> {
    const device = await usbAt(place);
    const isBeside = [...this.#beside.values()].some((beside) => beside.device === device);
    return device !== undefined && !isBeside && !this.usb.uses(device);
  }

  /** Returns the device of a demo board that has no port; undefined once its port is there. Waits while it starts. */
  async #demoDevice(demo: DemoDevice, bus: UsbBus): Promise<UsbDevice | undefined> {
    const late = this.#clock.now() + DEMO_START;
    while (demo.plugged && demo.port === null && this.#clock.now() < late) {
      const [device] = await bus.getDevices();
      if (device !== undefined) {
        return device;
      }
      await this.#clock.sleep(DEMO_LOOK);
    }
    return undefined;
  }

  /** Returns the drive of the demo board behind `number`; null without one. */
  demoDrive(number: PortNumber): DriveFolder | null {
    const attached = this.#attached.get(number);
    return attached?.kind === 'demo' ? attached.demo.drive : null;
  }

  /** Called when a permitted board was plugged in. */
  appeared(port: SerialPort): void {
    this.#appeared.add(port);
    this.#tellWaiting();
  }

  /** Returns `returned` for one port, with the time that a person may need on a phone. */
  returning(number: PortNumber, isLike?: Likeness): ReturnedPort {
    return Object.assign((signal: AbortSignal) => this.returned(number, signal, isLike), {
      personWait: this.personWait(number),
    });
  }

  /**
   * Returns how long work waits for a person to choose the board behind a port again, in milliseconds. 0: the browser
   * keeps the permission. Android forgets it each time when a device leaves the bus.
   */
  personWait(number: PortNumber): number {
    return usesUsbPorts() && !this.isSimulated(number) && !this.isRemote(number) ? PERSON_WAIT : 0;
  }

  /**
   * Resolves with the board behind the port once it has returned. It is a new object, because a board that restarts
   * on its own USB disappears for a while. Rejects with the reason of `signal`.
   * @param isLike Recognises the board.
   */
  async returned(number: PortNumber, signal: AbortSignal, isLike?: Likeness): Promise<SerialPort> {
    const isAsked = this.personWait(number) > 0;
    const tell = (isAwaited: boolean) => {
      if (isAsked) {
        this.#awaited[isAwaited ? 'add' : 'delete'](number);
        this.#onChange();
      }
    };
    tell(true);
    try {
      return await this.#returned(number, signal, isLike);
    } finally {
      tell(false);
    }
  }

  #returned(number: PortNumber, signal: AbortSignal, isLike: Likeness = sameInfo): Promise<SerialPort> {
    return new Promise((resolve, reject) => {
      const before = this.#attached.get(number);
      // The streams fail before the browser reports the disconnect. Until then the old port counts as connected.
      const gone = before && portOf(before);
      const look = () => {
        const attached = this.#same(number, isLike) ?? this.#programOf(number, isLike);
        const port = attached && portOf(attached);
        if (attached !== undefined && port && port !== gone && port.connected !== false) {
          this.#waiting.delete(look);
          this.usb.detach(number);
          this.#attached.set(number, attached);
          resolve(port);
        }
      };
      signal.addEventListener('abort', () => {
        this.#waiting.delete(look);
        reject(signal.reason);
      });
      this.#waiting.add(look);
      look();
    });
  }

  #tellWaiting(): void {
    for (const look of this.#waiting) {
      look();
    }
  }

  /**
   * Returns the open port of `number`, including the new object of a board that returned. Null if the board is gone.
   * @param info Information about the open port. The bench reports no more about its device.
   */
  opened(number: PortNumber, info: SerialPortInfo | null): SerialPort | null {
    const attached = this.#attached.get(number);
    if (attached === undefined || attached.kind === 'demo' || isOpen(attached.port)) {
      return attached === undefined ? null : portOf(attached);
    }
    const port = info === null ? undefined : this.#likeness(info, isOpen);
    if (port === undefined) {
      return null;
    }
    this.#attached.set(number, { kind: 'serial', port });
    return port;
  }

  /** Unplugs or plugs in a demo device. Does nothing for a real board. */
  plugDemo(number: PortNumber, plugged: boolean): void {
    const attached = this.#attached.get(number);
    if (attached?.kind !== 'demo') {
      this.usb.plugDemo(number, plugged);
      return;
    }
    if (plugged) {
      attached.demo.replug();
    } else {
      attached.demo.unplug();
    }
  }

  async #findPlugged(number: PortNumber, source: PortSource, baudRate: number) {
    const attached = await this.#find(number, source, baudRate);
    const port = attached && portOf(attached);
    if (!port && source.kind === 'same' && (attached !== undefined || this.usb.has(number))) {
      throw attached === undefined ? new DOMException(notAllowedText, 'NotFoundError') : new BoardWithoutPortError();
    }
    if (!attached || !port) {
      throw source.kind === 'remote'
        ? new DOMException('You may not use this port now. Ask whoever shares the bench.', 'NetworkError')
        : new PlaceOutdatedError();
    }
    return { attached, port };
  }

  async #find(number: PortNumber, source: PortSource, baudRate: number): Promise<Attached | undefined> {
    switch (source.kind) {
      case 'serial': {
        const port = await portAt(source.place);
        return port && { kind: 'serial', port };
      }
      case 'demo': {
        const { model = 'chatty' } = source;
        const clock = this.#clock;
        const demo = await createDemoDevice({ model, clock, baudRate, seed: number, onAppeared: this.#onAppeared });
        return { kind: 'demo', demo, isLine: model === 'modbus-line' };
      }
      case 'remote': {
        const port = this.remoteAt(source.port);
        return port === null ? undefined : { kind: 'serial', port, isRemote: true };
      }
      case 'same':
        return this.#same(number);
    }
  }

  /** Finds the previous device of the port. A board that was unplugged and has returned is another object. */
  #same(number: PortNumber, isLike: Likeness = sameInfo): Attached | undefined {
    const attached = this.#attached.get(number);
    if (attached?.kind !== 'serial' || attached.port.connected !== false) {
      return attached;
    }
    const isPlugged = ({ connected }: SerialPort) => connected !== false;
    const port = this.#likeness(attached.port.getInfo(), isPlugged, isLike);
    return port && { kind: 'serial', port };
  }

  /** Finds the port that a USB device has become: a board of its maker that has appeared since it was taken. */
  #programOf(number: PortNumber, isLike: Likeness): Attached | undefined {
    const info = this.usb.info(number);
    const before = this.#before.get(number);
    const port = info && this.#likeness(info, (one) => one.connected !== false && before?.has(one) !== true, isLike);
    return port ? { kind: 'serial', port } : undefined;
  }

  /** Finds a board of this kind that was plugged in since the start, belongs to no port, and meets the condition. */
  #likeness(
    info: SerialPortInfo,
    meets: (port: SerialPort) => boolean,
    isLike: Likeness = sameInfo,
  ): SerialPort | undefined {
    const taken = new Set([...this.#attached.values()].map(portOf));
    return [...this.#appeared].findLast((port) => meets(port) && !taken.has(port) && isLike(info, port.getInfo()));
  }
}

const portOf = (attached: Attached) => (attached.kind === 'demo' ? attached.demo.port : attached.port);

const isOpen = (port: SerialPort) => port.readable !== null;
