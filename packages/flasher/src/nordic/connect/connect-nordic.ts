/**
 * Connects to a Nordic board: brings it into its bootloader if possible, then finds out which of the three
 * bootloaders answers. The order of requests ensures that none harms another bootloader; see the README.
 */
import { awaitReturn } from '../../returned-port.ts';
import { touch } from '../../touch.ts';
import { deadlines, returnLimit } from '../deadlines.ts';
import { isTouchable, pulseReset } from '../enter-bootloader.ts';
import { LegacyDriver } from '../legacy/legacy-driver.ts';
import { LegacyLink } from '../legacy/legacy-link.ts';
import { McubootDriver } from '../mcuboot/mcuboot-driver.ts';
import { SmpLink } from '../mcuboot/smp-link.ts';
import type { NordicBoard, NordicBootloader, NordicConnectOptions } from '../nordic-board.ts';
import type { NordicDriver } from '../nordic-driver.ts';
import { asNordicError, NordicError } from '../nordic-failure.ts';
import { SecureDriver } from '../secure/secure-driver.ts';
import { readSecureFacts } from '../secure/secure-facts.ts';
import { SecureLink } from '../secure/secure-link.ts';
import { ConnectedNordic } from './connected-nordic.ts';
import { linkOf, type NordicPort, openNordicPort } from './nordic-port.ts';

/** Rounds of requests to all bootloaders. Two lost answers in a row are unlikely. */
const ROUNDS = 3;
/** Rounds after a reset by DTR. Adafruit's bootloader on the nRF52832 listens for a second. */
const PULSE_ROUNDS = 2;

const never = new AbortController().signal;

/**
 * Opens `device`, finds its bootloader and reads its information.
 *
 * @throws NordicError; the port is closed then.
 */
export async function connectNordic(device: SerialPort, options: NordicConnectOptions): Promise<NordicBoard> {
  const { signal = never } = options;
  try {
    options.onStep?.('opening');
    const wantsTouch = options.touch ?? (isWanted('adafruit-dfu', options) && isTouchable(device));
    const entered = wantsTouch && linkOf(device) === 'usb' ? await enterByTouch(device, options, signal) : device;
    const port = await openNordicPort(entered, options, signal);
    try {
      const driver = await findBootloader(port, options, signal);
      options.onStep?.('ready');
      return new ConnectedNordic(port, driver);
    } catch (error) {
      await port.close();
      throw error;
    }
  } catch (error) {
    throw asNordicError(error, signal);
  }
}

async function enterByTouch(
  device: SerialPort,
  options: NordicConnectOptions,
  signal: AbortSignal,
): Promise<SerialPort> {
  options.onStep?.('touching');
  await touch(device, options.clock, signal);
  options.onStep?.('waiting-for-bootloader');
  const port = await awaitReturn(options, signal, returnLimit);
  if (port === null) {
    throw new NordicError('came-back-different');
  }
  return port;
}

async function findBootloader(
  port: NordicPort,
  options: NordicConnectOptions,
  signal: AbortSignal,
): Promise<NordicDriver> {
  const search = new Search(port, options, signal);
  options.onStep?.('asking');
  const found = (await search.ask(ROUNDS)) ?? (await afterPulse(search, port, options, signal));
  if (found === null) {
    throw new NordicError(search.heard ? 'no-bootloader' : 'nothing-at-all');
  }
  return found;
}

/** Resets a board by DTR and asks again. Boards with DTR wired to reset then listen in their bootloader for a while. */
async function afterPulse(
  search: Search,
  port: NordicPort,
  options: NordicConnectOptions,
  signal: AbortSignal,
): Promise<NordicDriver | null> {
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
  readonly #options: NordicConnectOptions;
  readonly #signal: AbortSignal;
  readonly #secure: SecureLink;
  readonly #smp: SmpLink;
  readonly #legacy: LegacyLink;
  #heard = false;

  constructor(port: NordicPort, options: NordicConnectOptions, signal: AbortSignal) {
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

  async ask(rounds: number): Promise<NordicDriver | null> {
    for (let round = 0; round < rounds; round++) {
      const driver = await this.#askAll();
      if (driver !== null) {
        return driver;
      }
    }
    return null;
  }

  async #askAll(): Promise<NordicDriver | null> {
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

function isWanted(bootloader: NordicBootloader, { bootloader: only }: NordicConnectOptions): boolean {
  return only === undefined || only === bootloader;
}
