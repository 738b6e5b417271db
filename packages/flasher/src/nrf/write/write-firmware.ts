/** Writes all images of a firmware in order through the board's bootloader, and reports the outcome of each. */
import type { RegionReport, WriteReport } from '../../core/board.ts';
import { WriteProgress } from '../../core/write-progress.ts';
import { measureWrite } from '../../core/write-report.ts';
import type { NrfPort } from '../connect/nrf-port.ts';
import type { NrfWriteOptions } from '../nrf-board.ts';
import type { ImageResult, NrfDriver } from '../nrf-driver.ts';
import { asNrfError } from '../nrf-failure.ts';
import type { NrfFirmware, NrfImage } from '../package/nrf-firmware.ts';

/** @throws NrfError with the board's state. */
export async function writeFirmware(
  port: NrfPort,
  driver: NrfDriver,
  { images }: NrfFirmware,
  options: NrfWriteOptions,
  signal: AbortSignal,
): Promise<WriteReport> {
  const writer = new FirmwareWriter(port, driver, images, options);
  try {
    // Bootloaders restart between images and after the last one.
    return await port.mayVanish(() => writer.run(signal));
  } catch (error) {
    throw asNrfError(error, signal, { state: writer.touched ? 'incomplete' : 'unchanged' });
  }
}

class FirmwareWriter {
  readonly #port: NrfPort;
  readonly #driver: NrfDriver;
  readonly #images: readonly NrfImage[];
  readonly #options: NrfWriteOptions;
  readonly #progress: WriteProgress;
  readonly #regions: RegionReport[] = [];
  #repeated = 0;
  touched = false;

  constructor(port: NrfPort, driver: NrfDriver, images: readonly NrfImage[], options: NrfWriteOptions) {
    this.#port = port;
    this.#driver = driver;
    this.#images = images;
    this.#options = options;
    const total = sizeOf(images);
    this.#progress = new WriteProgress(port.clock, total, (event) => options.onEvent?.(event));
  }

  async run(signal: AbortSignal): Promise<WriteReport> {
    const report = measureWrite(this.#port.clock, () => this.#port.sent);
    const present = await this.#driver.present(this.#images, signal);
    const toWrite = this.#images.filter((image) => !present.has(image));
    const same = sizeOf([...present.keys()]);
    this.#options.onEvent?.({ type: 'compared', same, toWrite: sizeOf(toWrite) });
    for (const [image, proof] of present) {
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
    return report({
      state: this.#regions.some(({ outcome }) => outcome === 'unverified') ? 'unverified' : 'complete',
      regions: this.#regions,
      written: sizeOf(toWrite) - resumed,
      same: same + resumed,
      repeated: this.#repeated,
    });
  }

  #write(image: NrfImage, isLast: boolean, signal: AbortSignal): Promise<ImageResult> {
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

  #settle(image: NrfImage, { outcome, proof }: ImageResult): void {
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

function sizeOf(images: readonly NrfImage[]): number {
  return images.reduce((sum, { bytes }) => sum + bytes.length, 0);
}
