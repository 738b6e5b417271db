/**
 * Connects to a Nordic board: brings it into its bootloader if possible, then finds out which of the three
 * bootloaders answers. The order of requests ensures that none harms another bootloader; see the README.
 */

import type { WriteReport } from '../../core/board.ts';
import { BoardCalls } from '../../core/board-calls.ts';
import { isUnplugged } from '../../port-failure.ts';
import { awaitReturn } from '../../returned-port.ts';
import { touch } from '../../touch.ts';
import { deadlines, returnLimit } from '../deadlines.ts';
import { isTouchable, pulseReset } from '../enter-bootloader.ts';
import { LegacyDriver } from '../legacy/legacy-driver.ts';
import { LegacyLink } from '../legacy/legacy-link.ts';
import { McubootDriver } from '../mcuboot/mcuboot-driver.ts';
import { SmpLink } from '../mcuboot/smp-link.ts';
import type { NrfBoard, NrfBootloader, NrfConnectOptions, NrfInfo, NrfWriteOptions } from '../nrf-board.ts';
import type { NrfDriver } from '../nrf-driver.ts';
import { asNrfError, NrfError } from '../nrf-failure.ts';
import type { NrfFirmware } from '../package/nrf-firmware.ts';
import { SecureDriver } from '../secure/secure-driver.ts';
import { readSecureFacts } from '../secure/secure-facts.ts';
import { SecureLink } from '../secure/secure-link.ts';
import { writeFirmware } from '../write/write-firmware.ts';
import { linkOf, type NrfPort, openNrfPort } from './nrf-port.ts';

/** Rounds of requests to all bootloaders. Two lost answers in a row are unlikely. */
const ROUNDS = 3;
/** Rounds after a reset by DTR. Adafruit's bootloader on the nRF52832 listens for a second. */
const PULSE_ROUNDS = 2;

const never = new AbortController().signal;

/** A connected Nordic board in any bootloader. It allows one call at a time, and none after a restart. */
class ConnectedNrf implements NrfBoard {
  readonly #port: NrfPort;
  readonly #driver: NrfDriver;
  readonly #calls = new BoardCalls((error, signal) => asNrfError(error, signal));

  constructor(port: NrfPort, driver: NrfDriver) {
    this.#port = port;
    this.#driver = driver;
  }

  get info(): NrfInfo {
    return this.#driver.info;
  }

  get baudRate(): number | null {
    return this.#port.baudRate;
  }

  get over(): AbortSignal {
    return this.#port.over;
  }

  write(firmware: NrfFirmware, options: NrfWriteOptions = {}): Promise<WriteReport> {
    const { signal = never } = options;
    return this.#calls.run(signal, async () => {
      if (!this.#driver.formats.includes(firmware.format)) {
        throw new NrfError('wrong-bootloader', { detail: `A ${firmware.format} for ${this.info.bootloader}.` });
      }
      return writeFirmware(this.#port, this.#driver, firmware, options, signal);
    });
  }

  look(signal = never): Promise<void> {
    return this.#calls.run(signal, async () => {
      await this.#driver.present([], signal);
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

/**
 * Opens `device`, finds its bootloader and reads its information.
 *
 * @throws NrfError; the port is closed then.
 */
export async function connectNrf(device: SerialPort, options: NrfConnectOptions): Promise<NrfBoard> {
  const { signal = never } = options;
  try {
    options.onStep?.('opening');
    const wantsTouch = options.touch ?? (isWanted('adafruit-dfu', options) && isTouchable(device));
    const entered = wantsTouch && linkOf(device) === 'usb' ? await enterByTouch(device, options, signal) : device;
    const port = await openNrfPort(entered, options, signal);
    try {
      const driver = await findBootloader(port, options, signal);
      options.onStep?.('ready');
      return new ConnectedNrf(port, driver);
    } catch (error) {
      await port.close();
      throw error;
    }
  } catch (error) {
    throw asNrfError(error, signal);
  }
}

async function enterByTouch(device: SerialPort, options: NrfConnectOptions, signal: AbortSignal): Promise<SerialPort> {
  options.onStep?.('touching');
  await touch(device, options.clock, signal);
  options.onStep?.('waiting-for-bootloader');
  const port = await awaitReturn(options, signal, returnLimit);
  if (port === null) {
    throw new NrfError('came-back-different');
  }
  return port;
}

async function findBootloader(port: NrfPort, options: NrfConnectOptions, signal: AbortSignal): Promise<NrfDriver> {
  const search = new Search(port, options, signal);
  options.onStep?.('asking');
  const found = (await search.ask(ROUNDS)) ?? (await afterPulse(search, port, options, signal));
  if (found === null) {
    throw new NrfError(search.heard ? 'no-bootloader' : 'nothing-at-all');
  }
  return found;
}

/** Resets a board by DTR and asks again. Boards with DTR wired to reset then listen in their bootloader for a while. */
async function afterPulse(
  search: Search,
  port: NrfPort,
  options: NrfConnectOptions,
  signal: AbortSignal,
): Promise<NrfDriver | null> {
  if (port.link !== 'uart' || options.touch === false) {
    return null;
  }
  options.onStep?.('touching');
  await pulseReset(port, signal);
  options.onStep?.('asking');
  return search.ask(PULSE_ROUNDS);
}

/**
 * Asks for one bootloader after the other. The links keep their sequence numbers between rounds, and record if the
 * board printed anything.
 */
class Search {
  readonly #options: NrfConnectOptions;
  readonly #signal: AbortSignal;
  readonly #secure: SecureLink;
  readonly #smp: SmpLink;
  readonly #legacy: LegacyLink;
  #heard = false;

  constructor(port: NrfPort, options: NrfConnectOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    const onText = (bytes: Uint8Array) => {
      this.#heard = true;
      options.onText?.(bytes.slice());
    };
    this.#secure = new SecureLink(port, onText);
    this.#smp = new SmpLink(port, onText);
    this.#legacy = new LegacyLink(port, onText);
  }

  /** True: bytes arrived that were not an answer. */
  get heard(): boolean {
    return this.#heard;
  }

  async ask(rounds: number): Promise<NrfDriver | null> {
    for (let round = 0; round < rounds; round++) {
      const driver = await this.#askAll();
      if (driver !== null) {
        return driver;
      }
    }
    return null;
  }

  async #askAll(): Promise<NrfDriver | null> {
    if (isWanted('secure-dfu', this.#options) && (await this.#secure.ping(this.#signal, 2))) {
      return new SecureDriver(this.#secure, await readSecureFacts(this.#secure, this.#signal));
    }
    if (isWanted('mcuboot', this.#options) && (await this.#smp.ping(this.#signal, 1, deadlines.probe))) {
      return McubootDriver.of(this.#smp, this.#signal);
    }
    if (isWanted('adafruit-dfu', this.#options) && (await this.#legacy.ask(this.#signal, 1, deadlines.probe))) {
      return new LegacyDriver(this.#legacy);
    }
    return null;
  }
}

function isWanted(bootloader: NrfBootloader, { bootloader: only }: NrfConnectOptions): boolean {
  return only === undefined || only === bootloader;
}
