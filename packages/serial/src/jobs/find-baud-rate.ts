/**
 * Finding the baud rate of a board by listening at one rate after the other. Nothing is sent and no line is touched on purpose,
 * but a port has to be opened anew for each rate, and on Linux the driver raises DTR and RTS both while it opens: the lines
 * are put back at once, in one call. The auto-reset circuit of Espressif's boards takes both lines for none and stays calm; a
 * board that resets whenever DTR rises, as an Arduino Uno does, resets at each rate all the same. What it then says is no
 * loss: it is what the rates are judged by.
 */
import type { Clock } from '@wirebench/clock';
import type { ControlLines } from '../port/control-lines.ts';
import { openPort } from '../port/open-port.ts';
import { ReadLoop } from '../port/read-loop.ts';
import { closeLimit, within } from '../port/time-limit.ts';
import { baudRates, type PortSettings } from '../port-settings.ts';
import { type BaudSample, type BaudScore, scoreBaud } from './baud-score.ts';

/** What is tried unless told otherwise, the most usual first. 74,880 baud is what the ROM of an ESP8266 speaks. */
export const usualBaudRates: readonly number[] = [
  115_200,
  9_600,
  74_880,
  ...baudRates.filter((rate) => rate !== 115_200 && rate !== 9_600).toReversed(),
];

export interface BaudSearch {
  /** The rates to try, in this order; `usualBaudRates` unless told. */
  readonly rates?: readonly number[];
  /** Longest time at one rate, in milliseconds; 2,500 unless told. */
  readonly listen?: number;
  readonly signal?: AbortSignal;
  /** Called before each rate is tried; `index` from 0. */
  readonly onTry?: (rate: number, index: number, count: number) => void;
}

export interface BaudCandidate extends BaudScore {
  readonly baudRate: number;
  /** Bytes heard at this rate. */
  readonly bytes: number;
  /** The first of them, so that a person can see for themselves. */
  readonly sample: Uint8Array;
}

export interface BaudFinding {
  /** The rates that were tried, the best one first. */
  readonly ranking: readonly BaudCandidate[];
  /** The rate that it surely is; null when none stands out. */
  readonly baudRate: number | null;
  /** Nothing came at any rate: the board says nothing by itself, or is not connected. */
  readonly silent: boolean;
}

/** What the job needs of a device. */
export interface BaudTarget {
  /** Closed, and nobody else opens it. */
  readonly device: SerialPort;
  /** All but the rate. */
  readonly settings: PortSettings;
  /** How the lines stood before, and shall stand. */
  readonly lines: ControlLines;
}

const LISTEN = 2_500;
/** So many bytes are judged; more are not waited for. */
const ENOUGH_BYTES = 512;
/** And of these so many are shown. */
const SAMPLE_BYTES = 120;
/** From this score on the other rates need not be tried, if so many bytes were heard. */
const CERTAIN_SCORE = 0.85;
const CERTAIN_BYTES = 64;
/** The best one stands out when it has this score, and this much more than the next. */
const GOOD_SCORE = 0.5;
const LEAD = 0.2;
/** A small buffer: what is not read in time does not matter here. */
const BUFFER_BYTES = 1 << 16;

/** Leaves the port closed. Rejects with an OpenError, when the device vanishes, and with the reason of an abort. */
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

/** @param candidates in the order in which they were tried; among equals the one tried first stays first. */
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
    // A port without control lines can be heard as well.
    lines,
    onOpen: () => undefined,
  });
  try {
    return await listenOn(clock, device, listen, signal);
  } finally {
    await within(clock, closeLimit, device.close());
  }
}

/** What comes until there is enough, or until the time is over. */
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
