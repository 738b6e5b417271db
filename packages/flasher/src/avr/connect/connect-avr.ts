/** Connects to an AVR: brings it into its bootloader, finds out which one answers, and identifies the part. */
import { type BytePort, openBytePort } from '../../byte-port.ts';
import { readAgreed } from '../../core/retry.ts';
import { awaitReturn } from '../../returned-port.ts';
import { touch } from '../../touch.ts';
import type { AvrBoard, AvrConnectOptions, AvrInfo } from '../avr-board.ts';
import type { AvrDriver, AvrFacts } from '../avr-driver.ts';
import { AvrError, asAvrError } from '../avr-failure.ts';
import { AvrLink } from '../avr-link.ts';
import { deadlines, usualResetWindow } from '../deadlines.ts';
import { avrPartOf } from '../parts/part-table.ts';
import { retryOn } from '../write/avr-retry.ts';
import { bootFlashOf, infoOf, oldBaudRate } from './board-facts.ts';
import { ConnectedAvr } from './connected-avr.ts';
import { Search } from './search.ts';
import { resetBoard, Session } from './session.ts';

const usualBaudRate = 115_200;
/** Rounds of resets, each at every rate. */
const ROUNDS = 2;
/** Rounds on a link whose answers come late. */
const SLOW_ROUNDS = 4;
/** Bytes in one search from which on a program counts as flooding the port. */
const FLOOD = 256;
/** Shares of the time to press reset: optiboot would leave at requests of the other kinds. */
const turns = [
  { protocol: 'stk500v1', isOld: false, share: 0.2 },
  { protocol: 'stk500v1', isOld: true, share: 0.2 },
  { protocol: 'stk500v2', isOld: false, share: 0.1 },
] as const;
const TURN_ROUNDS = 2;

const never = new AbortController().signal;

/** A bootloader that was found, and how. */
interface Found {
  readonly driver: AvrDriver;
  readonly entered: AvrInfo['entered'];
}

/**
 * USB ids of boards whose chip has its own USB. A sketch and the bootloader have different ids. Sources: `boards.txt` of
 * the Arduino AVR core, of Adafruit AVR Boards and of SparkFun AVR Boards.
 */

const ARDUINO = 0x2341;
const ARDUINO_ORG = 0x2a03;
const ADAFRUIT = 0x239a;
const SPARKFUN = 0x1b4f;

/** Bit that distinguishes the product ID of a sketch from its bootloader's (Arduino and Adafruit). */
const SKETCH_BIT = 0x8000;

/** Product IDs of bootloaders: Leonardo, Micro, Robot, Esplora, Leonardo ETH, Yún, Yún Mini, Industrial 101. */
const arduinoLoaders: readonly number[] = [
  0x0036, 0x0037, 0x0237, 0x0038, 0x0039, 0x003c, 0x0040, 0x0041, 0x0050, 0x0056,
];
/** Flora, Bluefruit Micro, Feather 32u4, ItsyBitsy 32u4 of 3 V and 5 V, Circuit Playground Classic. */
const adafruitLoaders: readonly number[] = [0x0004, 0x000a, 0x000c, 0x000d, 0x000e, 0x0011];
/** Pro Micro of 3.3 V and 5 V, LilyPad USB. The sketch has the next number. */
const sparkfunLoaders: readonly number[] = [0x9203, 0x9205, 0x9207];

/** Arduino Mega 2560 and Mega ADK-like boards, whose USB bridge is another chip. */
const megas: readonly number[] = [0x0010, 0x0042, 0x0210, 0x0242, 0x003f, 0x0044];

/** Returns which program of a board with its own USB has this port; null for any other port. */
function ownUsbOf(device: SerialPort): 'sketch' | 'bootloader' | null {
  const { usbVendorId: vendor, usbProductId: product = 0 } = device.getInfo();
  const loaders =
    vendor === ARDUINO || vendor === ARDUINO_ORG ? arduinoLoaders : vendor === ADAFRUIT ? adafruitLoaders : [];
  if (vendor === SPARKFUN) {
    return sparkfunLoaders.includes(product) ? 'bootloader' : sparkfunLoaders.includes(product - 1) ? 'sketch' : null;
  }
  if (loaders.includes(product)) {
    return 'bootloader';
  }
  return (product & SKETCH_BIT) !== 0 && loaders.includes(product & ~SKETCH_BIT) ? 'sketch' : null;
}

/** Returns true if the USB bridge is that of an Arduino Mega, whose bootloader speaks STK500 v2. */
function isMega(device: SerialPort): boolean {
  const { usbVendorId: vendor, usbProductId: product = 0 } = device.getInfo();
  return (vendor === ARDUINO || vendor === ARDUINO_ORG) && megas.includes(product);
}

/**
 * Opens `device`, finds its bootloader and reads what it tells.
 *
 * @throws AvrError; the port is closed then.
 */
export async function connectAvr(device: SerialPort, options: AvrConnectOptions): Promise<AvrBoard> {
  const { clock, signal = never, onStep } = options;
  try {
    onStep?.('opening');
    const isTouched = options.touch ?? ownUsbOf(device) === 'sketch';
    const entered = isTouched ? await enterByTouch(device, options, signal) : device;
    const isUsb = isTouched || ownUsbOf(entered) === 'bootloader';
    const [first = usualBaudRate] = ratesOf(options);
    const port = await openBytePort(entered, { baudRate: first }, clock, signal);
    try {
      const link = new AvrLink(port);
      const found = isUsb ? await findOnUsb(link, isTouched, options, signal) : await findOnUart(link, options, signal);
      const board = await identify(found, link, isUsb, options, signal);
      onStep?.('ready');
      return board;
    } catch (error) {
      await port.close();
      throw error;
    }
  } catch (error) {
    throw asAvrError(error, signal);
  }
}

function ratesOf({ baudRate }: AvrConnectOptions): readonly number[] {
  return baudRate === undefined ? [usualBaudRate, oldBaudRate] : [baudRate];
}

async function enterByTouch(device: SerialPort, options: AvrConnectOptions, signal: AbortSignal): Promise<SerialPort> {
  options.onStep?.('touching');
  await touch(device, options.clock, signal);
  options.onStep?.('waiting-for-bootloader');
  const { returned, onStep, resetWindow = usualResetWindow } = options;
  const port = await awaitReturn(options, signal, deadlines.returns);
  if (port !== null) {
    return port;
  }
  if (returned === undefined) {
    throw new AvrError('came-back-different');
  }
  onStep?.('press-reset');
  const pressed = await awaitReturn(options, signal, resetWindow);
  if (pressed === null) {
    throw new AvrError('touch-ignored');
  }
  return pressed;
}

async function findOnUsb(
  link: AvrLink,
  isTouched: boolean,
  { onStep }: AvrConnectOptions,
  signal: AbortSignal,
): Promise<Found> {
  onStep?.('synchronising');
  const driver = await new Search(link, signal).askUsb();
  if (driver === null) {
    throw new AvrError('no-answer');
  }
  return { driver, entered: isTouched ? 'touch' : 'already' };
}

/** @throws AvrError `no-answer`, `no-auto-reset`, `sketch-floods` or `no-bootloader`. */
async function findOnUart(link: AvrLink, options: AvrConnectOptions, signal: AbortSignal): Promise<Found> {
  const { clock, onStep, autoReset = true, resetWindow = usualResetWindow } = options;
  const mega = isMega(link.port.device);
  const rates = ratesOf(options);
  const search = new Search(link, signal);
  onStep?.('synchronising');
  // A frame of v2 makes an optiboot leave that has just been reset by opening the port.
  const already = await search.askBriefly(mega ? ['stk500v2'] : autoReset ? ['stk500v1'] : ['stk500v1', 'stk500v2']);
  if (already !== null) {
    return { driver: already, entered: 'already' };
  }
  for (let round = 0; autoReset && round < (link.isSlow ? SLOW_ROUNDS : ROUNDS); round++) {
    for (const baudRate of rates) {
      await useRate(link.port, baudRate);
      onStep?.('resetting');
      await resetBoard(clock, link, signal);
      onStep?.('synchronising');
      const isOld = baudRate === oldBaudRate;
      const driver = await search.askAfterReset(mega && round === 0 && !isOld, isOld);
      if (driver !== null) {
        return { driver, entered: 'lines' };
      }
    }
  }
  const usb = await search.askUsb();
  if (usb !== null) {
    return { driver: usb, entered: 'already' };
  }
  const byHand = resetWindow > 0 ? await findByHand(link, search, options) : null;
  if (byHand !== null) {
    return { driver: byHand, entered: 'by-hand' };
  }
  throw notFound(search.heard, rates, resetWindow > 0);
}

/** Asks all the time while a person presses reset. The rates take turns. */
async function findByHand(link: AvrLink, search: Search, options: AvrConnectOptions): Promise<AvrDriver | null> {
  const { clock, onStep, resetWindow = usualResetWindow } = options;
  const rates = ratesOf(options);
  onStep?.('press-reset');
  for (let round = 0; round < TURN_ROUNDS; round++) {
    for (const { protocol, isOld, share } of turns) {
      const baudRate = rates[isOld ? 1 : 0] ?? rates[0] ?? usualBaudRate;
      await useRate(link.port, baudRate);
      const end = clock.now() + resetWindow * share;
      while (clock.now() < end) {
        const driver = await search.askOnce(protocol);
        if (driver !== null) {
          return driver;
        }
      }
    }
  }
  return null;
}

function notFound(heard: number, rates: readonly number[], wasAsked: boolean): AvrError {
  const asked = `Asked at ${rates.join(' and ')} baud.`;
  const detail = `${asked} Received ${heard} bytes or line errors in a second that no bootloader sends.`;
  if (heard >= FLOOD) {
    return new AvrError('sketch-floods', { detail });
  }
  return heard > 0
    ? new AvrError('no-bootloader', { detail })
    : new AvrError(wasAsked ? 'no-auto-reset' : 'no-answer', { detail: asked });
}

async function useRate(port: BytePort, baudRate: number): Promise<void> {
  if (port.baudRate !== baudRate) {
    await port.reopen({ baudRate });
  }
}

async function identify(
  { driver, entered }: Found,
  link: AvrLink,
  isUsb: boolean,
  { clock, onStep, autoReset = true }: AvrConnectOptions,
  signal: AbortSignal,
): Promise<AvrBoard> {
  onStep?.('identifying');
  const isOnUsb = isUsb || driver.protocol === 'avr109';
  const canReset = autoReset && !isOnUsb && entered !== 'by-hand';
  const session = new Session({ clock, link, driver, canReset, isFresh: entered === 'lines' });
  const facts = await agreed(driver, () => retryOn(session, signal, () => driver.identify(signal)), isEqual);
  const part = avrPartOf(facts.signature);
  let hasEeprom = false;
  if (part !== null) {
    driver.usePart(part);
    const { offset } = bootFlashOf(part, facts).range;
    const ask = () => retryOn(session, signal, () => driver.hasEeprom(offset, signal));
    hasEeprom = await agreed(driver, ask, isEqual);
  }
  const { baudRate } = link.port;
  const info = infoOf({ driver, facts, hasEeprom, link: isOnUsb ? 'usb' : 'uart', entered, baudRate });
  return new ConnectedAvr(session, info);
}

/** Reads until two readings agree, if the answers have no checksum. */
async function agreed<Result extends AvrFacts | boolean>(
  { isChecked }: AvrDriver,
  read: () => Promise<Result>,
  isSame: (one: Result, other: Result) => boolean,
): Promise<Result> {
  if (isChecked) {
    return read();
  }
  const found = await readAgreed(read, isSame);
  if (found === null) {
    throw new AvrError('read-failed', { detail: 'No two readings agree.' });
  }
  return found.reading;
}

function isEqual(one: AvrFacts | boolean, other: AvrFacts | boolean): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
