/** What goes on until it is stopped, on a link that is held: the UART bridge with its credit, measurements, levels. */
import { type ProbeFrame, probeEvents, probeOps } from './frames.ts';
import {
  type AdcReport,
  type AdcStream,
  adcStreamData,
  type BridgeReport,
  type LevelsReport,
  readAdcSamples,
  readBridgeData,
  readLevels,
  type WatchedPins,
  watchData,
  wordsAndBytes,
} from './operations.ts';
import { ProbeError } from './probe-failure.ts';
import { ProbeTalk, type ProbeWire } from './probe-talk.ts';

/** Milliseconds for an answer. */
const answerLimit = 1_000;
/** Milliseconds; only how often nothing is noticed. */
const listeningTime = 60_000;
/** Data of one frame towards the line, in bytes: short enough that the line is never idle while the next one comes. */
const bridgeFrame = 512;

/** Bytes for the line, in order. Whoever waits for more is told. */
export class BridgeOutput {
  #parts: Uint8Array[] = [];
  #wake = new AbortController();

  /** Bytes that have not been sent to the board. */
  get waiting(): number {
    return this.#parts.reduce((sum, { length }) => sum + length, 0);
  }

  write(bytes: Uint8Array): void {
    if (bytes.length > 0) {
      this.#parts.push(bytes);
      this.#wake.abort();
    }
  }

  /** At most `most` bytes; none when there are none. */
  take(most: number): Uint8Array {
    const [first, ...rest] = this.#parts;
    if (first === undefined || most <= 0) {
      return new Uint8Array();
    }
    const bytes = first.subarray(0, most);
    this.#parts = bytes.length < first.length ? [first.subarray(bytes.length), ...rest] : rest;
    return bytes;
  }

  /** Aborts with the next `write`. */
  nextWrite(): AbortSignal {
    this.#wake = new AbortController();
    return this.#wake.signal;
  }
}

export interface BridgeOptions {
  readonly output: BridgeOutput;
  readonly onReport: (report: BridgeReport) => void;
  /** Ends the bridge. */
  readonly signal: AbortSignal;
}

/** @param room bytes that the board holds towards the line @throws ProbeError; the reason of `over`. */
export async function runBridge(
  wire: ProbeWire,
  room: number,
  { output, onReport, signal }: BridgeOptions,
  over: AbortSignal,
): Promise<void> {
  let sent = 0;
  let gone = 0;
  const take = (frame: ProbeFrame) => {
    if (frame.op === probeEvents.bridgeData) {
      const report = readBridgeData(frame);
      gone = report.gone;
      onReport(report);
    } else if (frame.op === probeOps.bridgeSend) {
      if (frame.reason !== null) {
        throw new ProbeError(frame.reason);
      }
      gone = frame.value;
    }
  };
  const talk = new ProbeTalk(wire, take);
  await talk.ask(probeOps.bridgeOpen, wordsAndBytes([1]), answerLimit, over);
  while (!signal.aborted) {
    const written = output.nextWrite();
    const credit = () => room - ((sent - gone) >>> 0);
    for (let bytes = output.take(Math.min(bridgeFrame, credit())); bytes.length > 0; ) {
      talk.send(probeOps.bridgeSend, bytes);
      sent = (sent + bytes.length) >>> 0;
      bytes = output.take(Math.min(bridgeFrame, credit()));
    }
    const frame = await nextUnless(talk, AbortSignal.any([over, signal, written]), over);
    if (frame !== null) {
      take(frame);
    }
  }
  await talk.ask(probeOps.bridgeOpen, wordsAndBytes([0]), answerLimit, over);
}

export interface ProbeStreams {
  readonly adc?: AdcStream & { readonly onSamples: (report: AdcReport) => void };
  readonly watch?: WatchedPins & { readonly onLevels: (report: LevelsReport) => void };
  /** Ends the streams. */
  readonly signal: AbortSignal;
}

/** @throws ProbeError; the reason of `over`. */
export async function runStreams(
  wire: ProbeWire,
  { adc, watch, signal }: ProbeStreams,
  over: AbortSignal,
): Promise<void> {
  const take = (event: ProbeFrame) => {
    if (event.op === probeEvents.adcSamples) {
      adc?.onSamples(readAdcSamples(event));
    } else if (event.op === probeEvents.levels) {
      watch?.onLevels(readLevels(event));
    }
  };
  const talk = new ProbeTalk(wire, take);
  const start = async (withAdc?: AdcStream, withWatch?: WatchedPins) => {
    await talk.ask(
      probeOps.adcStream,
      adcStreamData(withAdc ?? { period: 0, batch: 1, channels: [] }),
      answerLimit,
      over,
    );
    await talk.ask(probeOps.watch, watchData(withWatch ?? { pins: [], interval: 0 }), answerLimit, over);
  };
  await start(adc, watch);
  while (!signal.aborted) {
    const event = await nextUnless(talk, AbortSignal.any([over, signal]), over);
    if (event !== null) {
      take(event);
    }
  }
  await start();
}

/** Null when `signal` came first. @throws the reason of `over`. */
async function nextUnless(talk: ProbeTalk, signal: AbortSignal, over: AbortSignal): Promise<ProbeFrame | null> {
  try {
    return await talk.next(listeningTime, signal);
  } catch (error) {
    over.throwIfAborted();
    if (!signal.aborted) {
      throw error;
    }
    return null;
  }
}
