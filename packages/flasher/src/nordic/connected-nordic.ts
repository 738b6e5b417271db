/** A Nordic board that is connected, whichever bootloader it is in: one call at a time, all images of a package in order, a report. */

import type { RegionReport, WriteReport } from '../board.ts';
import { BoardCalls } from '../board-calls.ts';
import { isUnplugged } from '../port-failure.ts';
import { WriteProgress } from '../write-progress.ts';
import type { NordicBoard, NordicInfo, NordicWriteOptions } from './nordic-board.ts';
import type { ImageResult, NordicDriver } from './nordic-driver.ts';
import { asNordicError, NordicError } from './nordic-failure.ts';
import type { NordicPort } from './nordic-port.ts';
import type { NordicFirmware, NordicImage } from './package/nordic-firmware.ts';

const never = new AbortController().signal;

export class ConnectedNordic implements NordicBoard {
  readonly #port: NordicPort;
  readonly #driver: NordicDriver;
  readonly #calls = new BoardCalls(asNordicError);

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
      const work = new FirmwareWork(this.#port, this.#driver, firmware.images, options);
      try {
        // Bootloaders restart between images, and after the last one.
        return await this.#port.mayVanish(() => work.run(signal));
      } catch (error) {
        throw asNordicError(error, signal, work.touched ? 'incomplete' : 'unchanged');
      }
    });
  }

  restart(): Promise<void> {
    return this.#calls.run(never, async () => {
      try {
        await this.#port.mayVanish(() => this.#driver.restart(never));
      } catch (error) {
        // On its own USB the board takes its port with it: that is the restart.
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

/** All images of one write. */
class FirmwareWork {
  readonly #port: NordicPort;
  readonly #driver: NordicDriver;
  readonly #images: readonly NordicImage[];
  readonly #options: NordicWriteOptions;
  readonly #progress: WriteProgress;
  readonly #regions: RegionReport[] = [];
  #repeated = 0;
  touched = false;

  constructor(port: NordicPort, driver: NordicDriver, images: readonly NordicImage[], options: NordicWriteOptions) {
    this.#port = port;
    this.#driver = driver;
    this.#images = images;
    this.#options = options;
    const total = sizeOf(images);
    this.#progress = new WriteProgress(port.clock, total, (event) => options.onEvent?.(event));
  }

  async run(signal: AbortSignal): Promise<WriteReport> {
    const { clock } = this.#port;
    const start = clock.now();
    const sentBefore = this.#port.sent;
    const standing = await this.#driver.standing(this.#images, signal);
    const toWrite = this.#images.filter((image) => !standing.has(image));
    const same = sizeOf([...standing.keys()]);
    this.#options.onEvent?.({ type: 'compared', same, toWrite: sizeOf(toWrite) });
    for (const [image, proof] of standing) {
      this.#settle(image, { outcome: 'same', proof, resumed: 0 });
    }
    let resumed = 0;
    for (const [index, image] of toWrite.entries()) {
      const isLast = index === toWrite.length - 1;
      const result = await this.#write(image, isLast, signal);
      resumed += result.resumed;
      this.#settle(image, result);
      if (!isLast) {
        await this.#driver.awaitNext(signal);
      }
    }
    return {
      state: this.#regions.some(({ outcome }) => outcome === 'unverified') ? 'unverified' : 'complete',
      regions: this.#regions.toSorted((one, other) => one.offset - other.offset),
      written: sizeOf(toWrite) - resumed,
      same: same + resumed,
      sent: this.#port.sent - sentBefore,
      duration: clock.now() - start,
      repeated: this.#repeated,
    };
  }

  #write(image: NordicImage, isLast: boolean, signal: AbortSignal): Promise<ImageResult> {
    let before = 0;
    this.#progress.enter('writing');
    return this.#driver.write(image, {
      signal,
      isLast,
      activate: this.#options.activate ?? 'test',
      onProgress: (done) => {
        this.#progress.moving(done, Math.max(0, done - before));
        before = Math.max(before, done);
      },
      onVerifying: () => this.#progress.enter('verifying'),
      onTouched: () => {
        this.touched = true;
      },
      onRepeated: () => {
        this.#repeated++;
        this.#progress.enter('writing');
      },
    });
  }

  #settle(image: NordicImage, { outcome, proof }: ImageResult): void {
    const report: RegionReport = {
      offset: this.#images.indexOf(image),
      length: image.bytes.length,
      outcome,
      proof: outcome === 'unverified' ? null : proof,
    };
    this.#regions.push(report);
    this.#options.onEvent?.({ type: 'region', ...report });
    this.#progress.settle(image.bytes.length);
  }
}

function sizeOf(images: readonly NordicImage[]): number {
  return images.reduce((sum, { bytes }) => sum + bytes.length, 0);
}
