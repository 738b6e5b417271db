/**
 * One USB device with the ports on it: open while one of them is, each with its own interfaces. WebUSB refuses what
 * comes while a device changes between open and closed, so ports come and go one after the other.
 */
import type { Clock } from '@wirebench/clock';
import { errorName } from '@wirebench/port';
import { networkError, textOf } from './drivers/driver.ts';
import type { Uart } from './recognition.ts';
import type { UsbDevice } from './usb-device.ts';

/**
 * Pause before the one retry of `open` in milliseconds. Android reports a device a moment before the page may open it,
 * and refuses with a SecurityError until then.
 */
const RETRY_PAUSE = 100;

export class SharedDevice {
  readonly device: UsbDevice;
  readonly #clock: Clock;
  readonly #users = new Set<Uart>();
  #turn: Promise<unknown> = Promise.resolve();
  /** True: the device was closed before, and is closed with its last port. */
  #isOwn = false;

  constructor(device: UsbDevice, clock: Clock) {
    this.device = device;
    this.#clock = clock;
  }

  /**
   * Opens the device if it is closed, and claims the interfaces of the UART.
   *
   * @throws NetworkError with the cause. The device is closed again if no other port uses it.
   */
  claim(uart: Uart): Promise<void> {
    return this.#inTurn(async () => {
      this.#users.add(uart);
      try {
        await this.#open();
        await this.#claimAll(uart);
      } catch (error) {
        await this.#leave(uart);
        throw error;
      }
    });
  }

  /** Gives the interfaces back, which ends their transfers. Closes the device after the last port. Never rejects. */
  release(uart: Uart): Promise<void> {
    return this.#inTurn(() => this.#leave(uart));
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => 'reported to its caller');
    return result;
  }

  async #open(): Promise<void> {
    if (this.device.opened) {
      return;
    }
    try {
      await this.device.open().catch(async (error: unknown) => {
        if (errorName(error) !== 'SecurityError') {
          throw error;
        }
        await this.#clock.sleep(RETRY_PAUSE);
        await this.device.open();
      });
      this.#isOwn = true;
      if (!this.device.configuration) {
        await this.device.selectConfiguration(this.device.configurations[0]?.configurationValue ?? 1);
      }
    } catch (error) {
      throw networkError(`The USB device did not open: ${textOf(error)}`);
    }
  }

  async #claimAll({ claims }: Uart): Promise<void> {
    for (const { interfaceNumber, alternateSetting } of claims) {
      try {
        await this.device.claimInterface(interfaceNumber);
        if (alternateSetting !== 0) {
          await this.device.selectAlternateInterface(interfaceNumber, alternateSetting);
        }
      } catch (error) {
        throw networkError(
          `Another program or a driver of the system holds interface ${interfaceNumber} of the adapter. Close it, or ` +
            `unplug the adapter and plug it in again. The browser says: ${textOf(error)}`,
        );
      }
    }
  }

  async #leave(uart: Uart): Promise<void> {
    if (!this.#users.delete(uart) || !this.device.opened) {
      return;
    }
    for (const { interfaceNumber } of uart.claims) {
      // Closing the device gives back what could not be released.
      await this.device.releaseInterface(interfaceNumber).catch(() => 'not claimed, or gone');
    }
    if (this.#users.size === 0 && this.#isOwn) {
      this.#isOwn = false;
      await this.device.close().catch(() => 'gone');
    }
  }
}
