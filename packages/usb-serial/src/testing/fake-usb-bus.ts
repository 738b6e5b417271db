/** A fake `navigator.usb`: permitted devices, a list to choose from, and events. */
import type { UsbBus, UsbDevice, UsbSerialFilter } from '../usb-device.ts';
import type { FakeUsbDevice } from './fake-usb-device.ts';

export class FakeUsbBus extends EventTarget implements UsbBus {
  readonly #devices: FakeUsbDevice[] = [];
  /** Answers the browser's list. Default: the first device. */
  choose: (filters: readonly UsbSerialFilter[]) => FakeUsbDevice | undefined = () => this.#devices[0];

  async getDevices(): Promise<readonly UsbDevice[]> {
    return [...this.#devices];
  }

  /** @throws NotFoundError without a choice. */
  async requestDevice({ filters }: { readonly filters: readonly UsbSerialFilter[] }): Promise<UsbDevice> {
    const chosen = this.choose(filters);
    if (chosen === undefined) {
      throw new DOMException("Failed to execute 'requestDevice' on 'USB': No device selected.", 'NotFoundError');
    }
    return chosen;
  }

  /** Plugs a permitted device in, and reports it. */
  plugIn(device: FakeUsbDevice): void {
    this.permit(device);
    this.#report('connect', device);
  }

  /** Lists a device that a person has permitted, which fires no event. */
  permit(device: FakeUsbDevice): void {
    this.#devices.push(device);
    device.onForget = () => this.#remove(device);
  }

  unplug(device: FakeUsbDevice): void {
    device.unplug();
    this.#remove(device);
    this.#report('disconnect', device);
  }

  #remove(device: FakeUsbDevice): void {
    const at = this.#devices.indexOf(device);
    if (at >= 0) {
      this.#devices.splice(at, 1);
    }
  }

  /** The browser reports in a task of its own. */
  #report(type: 'connect' | 'disconnect', device: FakeUsbDevice): void {
    queueMicrotask(() => this.dispatchEvent(Object.assign(new Event(type), { device })));
  }
}
