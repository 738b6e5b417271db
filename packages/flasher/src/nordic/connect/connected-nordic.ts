/** A connected Nordic board in any bootloader. It allows one call at a time, and none after a restart. */

import type { WriteReport } from '../../core/board.ts';
import { BoardCalls } from '../../core/board-calls.ts';
import { isUnplugged } from '../../port-failure.ts';
import type { NordicBoard, NordicInfo, NordicWriteOptions } from '../nordic-board.ts';
import type { NordicDriver } from '../nordic-driver.ts';
import { asNordicError, NordicError } from '../nordic-failure.ts';
import type { NordicFirmware } from '../package/nordic-firmware.ts';
import { writeFirmware } from '../write/write-firmware.ts';
import type { NordicPort } from './nordic-port.ts';

const never = new AbortController().signal;

export class ConnectedNordic implements NordicBoard {
  readonly #port: NordicPort;
  readonly #driver: NordicDriver;
  readonly #calls = new BoardCalls((error, signal) => asNordicError(error, signal));

  constructor(port: NordicPort, driver: NordicDriver) {
    this.#port = port;
    this.#driver = driver;
  }

  get info(): NordicInfo {
    return this.#driver.info;
  }

  get baudRate(): number | null {
    return this.#port.baudRate;
  }

  get over(): AbortSignal {
    return this.#port.over;
  }

  write(firmware: NordicFirmware, options: NordicWriteOptions = {}): Promise<WriteReport> {
    const { signal = never } = options;
    return this.#calls.run(signal, async () => {
      if (!this.#driver.formats.includes(firmware.format)) {
        throw new NordicError('wrong-bootloader', { detail: `A ${firmware.format} for ${this.info.bootloader}.` });
      }
      return writeFirmware(this.#port, this.#driver, firmware, options, signal);
    });
  }

  restart(): Promise<void> {
    return this.#calls.run(never, async () => {
      try {
        await this.#port.mayVanish(() => this.#driver.restart(never));
      } catch (error) {
        // A board on its own USB takes its port with it, which means that it restarted.
        if (this.#port.link === 'uart' || !isUnplugged(error)) {
          throw error;
        }
      }
      this.#calls.end('The board has been restarted.');
    });
  }

  close(): Promise<void> {
    return this.#port.close();
  }
}
