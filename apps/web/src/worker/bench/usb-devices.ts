/** USB devices behind the boards of the flasher: devices of this site, or simulated ones. The flasher opens them. */
import type { Clock } from '@wirebench/clock';
import { commonFailureText, FlashError } from '@wirebench/flasher/core';
import type { UsbDevice } from '@wirebench/flasher/family';
import type { PortNumber } from '@wirebench/serial';
import { createDemoUsb, type DemoUsb } from '../../hardware/demo-device.ts';
import { browserUsb, isSameUsb, type UsbBus, usbAt, usbGone } from '../../hardware/web-usb.ts';
import type { DeviceFacts } from '../../protocol/bench/port-part.ts';
import type { SameSource, UsbSource } from '../../protocol/usb-source.ts';

/** Longest time for a device to return after its own restart, in milliseconds. */
const RETURN_LIMIT = 5_000;

export interface TakenUsb {
  readonly device: UsbDevice;
  /** Aborts when the device is unplugged. */
  readonly gone: AbortSignal;
}

interface Found {
  readonly bus: UsbBus;
  readonly demo: DemoUsb | null;
  readonly device: UsbDevice;
}

interface Attached extends Found {
  /** Devices that were there beside it. None of them is this board after a restart, whatever their serial number is. */
  readonly others: WeakSet<UsbDevice>;
}

export class UsbDevices {
  readonly #clock: Clock;
  readonly #attached = new Map<PortNumber, Attached>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  has(number: PortNumber): boolean {
    return this.#attached.has(number);
  }

  /** Returns true if the device was taken for a port. */
  uses(device: UsbDevice): boolean {
    return [...this.#attached.values()].some((attached) => attached.device === device);
  }

  facts(number: PortNumber): DeviceFacts | null {
    const attached = this.#attached.get(number);
    if (attached === undefined) {
      return null;
    }
    const { demo } = attached;
    return demo === null ? { kind: 'usb', plugged: true } : { kind: 'demo', plugged: demo.plugged };
  }

  /**
   * Finds or creates the device behind the number.
   * @throws Error if the list of devices has changed since the choice.
   */
  async take(number: PortNumber, source: UsbSource | SameSource): Promise<TakenUsb> {
    const found = await this.#find(number, source);
    if (found === null) {
      throw source.kind === 'same'
        ? new FlashError('port-gone', commonFailureText['port-gone'], { detail: 'The USB device has not come back.' })
        : new Error('The list of USB devices has just changed. Press Choose USB device and pick it again.');
    }
    const { bus, device } = found;
    const gone = usbGone(bus, device);
    const others = new WeakSet((await bus.getDevices()).filter((one) => one !== device));
    const note = (event: Event) => {
      if ('device' in event && !gone.aborted) {
        others.add(event.device as UsbDevice);
      }
    };
    bus.addEventListener('connect', note);
    gone.addEventListener('abort', () => bus.removeEventListener('connect', note));
    this.#attached.set(number, { ...found, others });
    return { device, gone };
  }

  detach(number: PortNumber): void {
    this.#attached.delete(number);
  }

  /** Returns the ids of the device behind the number; null without one. */
  info(number: PortNumber): SerialPortInfo | null {
    const device = this.#attached.get(number)?.device;
    return device === undefined ? null : { usbVendorId: device.vendorId, usbProductId: device.productId };
  }

  /** Unplugs or plugs in a simulated device. */
  plugDemo(number: PortNumber, plugged: boolean): void {
    const demo = this.#attached.get(number)?.demo;
    if (plugged) {
      demo?.replug();
    } else {
      demo?.unplug();
    }
  }

  async #find(number: PortNumber, source: UsbSource | SameSource): Promise<Found | null> {
    switch (source.kind) {
      case 'usb': {
        const bus = browserUsb();
        const device = await usbAt(source.place);
        return bus === null || device === undefined ? null : { bus, demo: null, device };
      }
      case 'demo-usb': {
        const demo = await createDemoUsb({ model: source.model, clock: this.#clock, seed: number });
        const [device] = await demo.bus.getDevices();
        return device === undefined ? null : { bus: demo.bus, demo, device };
      }
      case 'same': {
        const before = this.#attached.get(number);
        const device = before === undefined ? null : await this.#again(before);
        return before === undefined || device === null ? null : { ...before, device };
      }
    }
  }

  /**
   * Finds the previous device again. After a restart it is another object and needs a moment to return. All RP2040 share a
   * serial number: of several that may be it, none is taken.
   */
  async #again({ bus, device: before, others }: Attached): Promise<UsbDevice | null> {
    const late = this.#clock.now() + RETURN_LIMIT;
    for (;;) {
      const devices = await bus.getDevices();
      const same = devices.filter((one) => isSameUsb(one, before) && !others.has(one));
      const device = devices.find((one) => one === before) ?? (same.length === 1 ? same[0] : undefined);
      if (device !== undefined || this.#clock.now() >= late) {
        return device ?? null;
      }
      await this.#clock.sleep(RETURN_POLL);
    }
  }
}

/** Time between two checks of the list, in milliseconds. */
const RETURN_POLL = 100;
