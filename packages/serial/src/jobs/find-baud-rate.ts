/**
 * Finds the baud rate of a board by listening at one rate after the other. Nothing is sent and no line is changed on
 * purpose. Each rate needs a reopened port, though, and on Linux the driver raises DTR and RTS together while it
 * opens. The lines are restored at once, in one call. The auto-reset circuit of Espressif's boards ignores both lines
 * raised together. A board that resets whenever DTR rises, such as an Arduino Uno, resets at each rate. Its boot
 * output is useful: the rates are judged by it.
 */
import type { Clock } from '@wirebench/clock';
import {
  baudRates,
  type ControlLines,
  closeLimit,
  openPort,
  type PortSettings,
  ReadLoop,
  within,
} from '@wirebench/port';
import { type BaudSample, type BaudScore, scoreBaud } from './baud-score.ts';

/** Default rates, the most common first. The ROM of an ESP8266 uses 74,880 baud. */
export const usualBaudRates: readonly number[] = [
  115_200,
  9_600,
  74_880,
  ...baudRates.filter((rate) => rate !== 115_200 && rate !== 9_600).toReversed(),
];

export interface BaudSearch {
  /** Rates to try, in this order. Default: `usualBaudRates`. */
  readonly rates?: readonly number[];
  /** Longest time at one rate, in milliseconds. Default: 2,500. */
  readonly listen?: number;
  readonly signal?: AbortSignal;
  /** Called before each rate is tried; `index` counts from 0. */
  readonly onTry?: (rate: number, index: number, count: number) => void;
}

export interface BaudCandidate extends BaudScore {
  readonly baudRate: number;
  /** Number of bytes received at this rate. */
  readonly bytes: number;
  /** The first received bytes, to show to a person. */
  readonly sample: Uint8Array;
}

export interface BaudFinding {
  /** The rates that were tried, the best one first. */
  readonly ranking: readonly BaudCandidate[];
  /** The rate that stands out; null if no rate does. */
  readonly baudRate: number | null;
  /** True: nothing came at any rate. The board sends nothing by itself, or is not connected. */
  readonly silent: boolean;
}

export interface BaudTarget {
  /** The closed device. Only this job may open it. */
  readonly device: SerialPort;
  /** Settings except the rate. */
  readonly settings: PortSettings;
  /** Lines as they were before, to be restored at each rate. */
  readonly lines: ControlLines;
}

const LISTEN = 2_500;
/** Bytes, errors included, after which listening at a rate ends. */
const ENOUGH_BYTES = 512;
/** Bytes of the shown sample. */
const SAMPLE_BYTES = 120;
/** Score and number of bytes from which no other rate needs to be tried. */
const CERTAIN_SCORE = 0.85;
const CERTAIN_BYTES = 64;
/** Lowest score of a rate that stands out, and its lead over the next rate. */
const GOOD_SCORE = 0.5;
const LEAD = 0.2;
/** Size of the read buffer. It is small because bytes that are not read in time do not matter here. */
const BUFFER_BYTES = 1 << 16;

/**
 * Tries the rates and leaves the port closed. Rejects with an OpenError, with a NetworkError if the device vanishes,
 * and with the reason of an abort.
 */
export async function findBaudRate(clock: Clock, target: BaudTarget, search: BaudSearch = {}): Promise<BaudFinding> {
  const { rates = usualBaudRates, listen = LISTEN, signal, onTry } = search;
  const candidates: BaudCandidate[] = [];
  for (const [index, baudRate] of rates.entries()) {
    signal?.throwIfAborted();
    onTry?.(baudRate, index, rates.length);
    const sample = await listenAt(clock, target, baudRate, listen, signal);
    signal?.throwIfAborted();
    const candidate = {
      baudRate,
      bytes: sample.bytes.length,
      sample: sample.bytes.slice(0, SAMPLE_BYTES),
      ...scoreBaud(sample),
    };
    candidates.push(candidate);
    if (candidate.score >= CERTAIN_SCORE && candidate.bytes >= CERTAIN_BYTES) {
      break;
    }
  }
  return rank(candidates);
}

/** @param candidates In the order of the tries. Equal scores keep this order. */
function rank(candidates: readonly BaudCandidate[]): BaudFinding {
  const ranking = candidates.toSorted((one, other) => other.score - one.score);
  const [best, next] = ranking;
  const standsOut = best !== undefined && best.score >= GOOD_SCORE && best.score - (next?.score ?? 0) >= LEAD;
  return {
    ranking,
    baudRate: standsOut ? best.baudRate : null,
    silent: candidates.every(({ bytes, reasons }) => bytes === 0 && reasons.length === 1),
  };
}

async function listenAt(
  clock: Clock,
  { device, settings, lines }: BaudTarget,
  baudRate: number,
  listen: number,
  signal: AbortSignal | undefined,
): Promise<BaudSample> {
  await openPort(clock, {
    device,
    settings: { ...settings, baudRate },
    bufferSize: BUFFER_BYTES,
    signal,
    // A port without control lines can still be listened to.
    lines,
    onOpen: () => undefined,
  });
  try {
    return await listenOn(clock, device, listen, signal);
  } finally {
    await within(clock, closeLimit, device.close());
  }
}

/** Collects bytes and errors until there are enough or the time is over. */
async function listenOn(
  clock: Clock,
  device: SerialPort,
  listen: number,
  signal: AbortSignal | undefined,
): Promise<BaudSample> {
  const enough = new AbortController();
  const bytes: number[] = [];
  let framing = 0;
  let breaks = 0;
  const check = () => {
    if (bytes.length + framing + breaks >= ENOUGH_BYTES) {
      enough.abort();
    }
  };
  const loop = new ReadLoop(device, clock, 'retry-once', {
    bytes: (read) => {
      bytes.push(...read.subarray(0, ENOUGH_BYTES - bytes.length));
      check();
    },
    lineError: (kind) => {
      framing += kind === 'framing' ? 1 : 0;
      breaks += kind === 'break' ? 1 : 0;
      check();
    },
    overrun: () => undefined,
  });
  let lost = false;
  const reading = loop.run().then(({ reason }) => {
    lost = reason === 'lost';
    enough.abort();
  });
  const over = AbortSignal.any([enough.signal, ...(signal === undefined ? [] : [signal])]);
  await clock.sleep(listen, over).catch(() => undefined);
  await within(clock, closeLimit, loop.stop());
  await within(clock, closeLimit, reading);
  if (lost) {
    throw new DOMException('The device has been lost.', 'NetworkError');
  }
  return { bytes: Uint8Array.from(bytes), framing, breaks };
}
