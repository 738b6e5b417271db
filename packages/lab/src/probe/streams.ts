/**
 * Operations that run until they are stopped: the UART bridge with its credit, measurements, levels. They hold the
 * link only for requests. Data arrives as events, so registers and transfers continue in between.
 */
import { probeEvents, probeOps } from './frames.ts';
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
import type { ProbeEvents } from './probe-events.ts';
import { ProbeError } from './probe-failure.ts';
import { ProbeTalk, type ProbeWire } from './probe-talk.ts';

/** Milliseconds for an answer. */
const answerLimit = 2_000;
/** Data bytes of one frame towards the line. Short enough that the line never idles while the next frame arrives. */
const bridgeFrame = 512;

/** Queue of bytes for the line, with a signal for new bytes. */
export class BridgeOutput {
  #parts: Uint8Array[] = [];
  #wake = new AbortController();

  /** Number of bytes not yet sent to the board. */
  get waiting(): number {
    return this.#parts.reduce((sum, { length }) => sum + length, 0);
  }

  write(bytes: Uint8Array): void {
    if (bytes.length > 0) {
      this.#parts.push(bytes);
      this.#wake.abort();
    }
  }

  /** Takes at most `most` bytes; returns an empty array if the queue is empty. */
  take(most: number): Uint8Array {
    const [first, ...rest] = this.#parts;
    if (first === undefined || most <= 0) {
      return new Uint8Array();
    }
    const bytes = first.subarray(0, most);
    this.#parts = bytes.length < first.length ? [first.subarray(bytes.length), ...rest] : rest;
    return bytes;
  }

  /** Returns a signal that aborts at the next `write`. */
  nextWrite(): AbortSignal {
    this.#wake = new AbortController();
    return this.#wake.signal;
  }
}

export interface BridgeOptions {
  readonly output: BridgeOutput;
  readonly onReport: (report: BridgeReport) => void;
  /** Its abort ends the bridge. */
  readonly signal: AbortSignal;
}

/** The part of a board that a stream needs: short use of the link, and the events. */
export interface StreamLine {
  withLink<T>(work: (link: ProbeWire, over: AbortSignal) => Promise<T>): Promise<T>;
  readonly events: ProbeEvents;
}

/**
 * Runs the UART bridge until the signal aborts.
 *
 * @param room Bytes that the board buffers towards the line.
 * @throws ProbeError; errors of `withLink`.
 */
export async function runBridge(
  line: StreamLine,
  room: number,
  { output, onReport, signal }: BridgeOptions,
): Promise<void> {
  let sent = 0;
  let gone = 0;
  let woken = new AbortController();
  const stopListening = line.events.listen((event) => {
    if (event.op === probeEvents.bridgeData) {
      const report = readBridgeData(event);
      gone = report.gone;
      onReport(report);
      woken.abort();
    }
  });
  const credit = () => room - ((sent - gone) >>> 0);
  /**
   * Sends all bytes within the credit before it waits for the answers. Each answer reports how many bytes have left
   * the board.
   */
  const sendWaiting = (link: ProbeWire, over: AbortSignal) => {
    const talk = new ProbeTalk(link, ignore);
    let frames = 0;
    let wireTime = 0;
    for (
      let bytes = output.take(Math.min(bridgeFrame, credit()));
      bytes.length > 0;
      bytes = output.take(Math.min(bridgeFrame, credit()))
    ) {
      wireTime += talk.send(probeOps.bridgeSend, bytes);
      sent = (sent + bytes.length) >>> 0;
      frames++;
    }
    return takeAnswers(talk, frames, wireTime, over);
  };
  const takeAnswers = async (talk: ProbeTalk, frames: number, wireTime: number, over: AbortSignal) => {
    for (let left = frames; left > 0; left--) {
      const answer = await talk.answerTo(probeOps.bridgeSend, answerLimit + wireTime, over);
      if (answer === null || answer.reason !== null) {
        throw new ProbeError(answer?.reason ?? 'no-answer');
      }
      gone = answer.value;
    }
  };
  const open = (isOpen: 0 | 1) =>
    line.withLink((link, over) =>
      new ProbeTalk(link, ignore).ask(probeOps.bridgeOpen, wordsAndBytes([isOpen]), answerLimit, over),
    );
  try {
    await open(1);
    while (!signal.aborted) {
      woken = new AbortController();
      const written = output.nextWrite();
      if (output.waiting > 0 && credit() > 0) {
        await line.withLink(sendWaiting);
      } else {
        await aborted(AbortSignal.any([signal, written, woken.signal]));
      }
    }
    await open(0);
  } finally {
    stopListening();
  }
}

export interface ProbeStreams {
  readonly adc?: AdcStream & { readonly onSamples: (report: AdcReport) => void };
  readonly watch?: WatchedPins & { readonly onLevels: (report: LevelsReport) => void };
  /** Its abort ends the streams. */
  readonly signal: AbortSignal;
}

/**
 * Runs the given streams until the signal aborts.
 *
 * @throws ProbeError; errors of `withLink`.
 */
export async function runStreams(line: StreamLine, { adc, watch, signal }: ProbeStreams): Promise<void> {
  const stopListening = line.events.listen((event) => {
    if (event.op === probeEvents.adcSamples) {
      adc?.onSamples(readAdcSamples(event));
    } else if (event.op === probeEvents.levels) {
      watch?.onLevels(readLevels(event));
    }
  });
  const ask = (op: number, data: Uint8Array) =>
    line.withLink((link, over) => new ProbeTalk(link, ignore).ask(op, data, answerLimit, over));
  /** Starts only the given streams, because the caller of another stream may run the other kind. */
  const start = async (withAdc?: AdcStream, withWatch?: WatchedPins) => {
    if (withAdc !== undefined) {
      await ask(probeOps.adcStream, adcStreamData(withAdc));
    }
    if (withWatch !== undefined) {
      await ask(probeOps.watch, watchData(withWatch));
    }
  };
  try {
    await start(adc, watch);
    await aborted(signal);
    await start(adc && { period: 0, batch: 1, channels: [] }, watch && { pins: [], interval: 0 });
  } finally {
    stopListening();
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
    } else {
      signal.addEventListener('abort', () => resolve(), { once: true });
    }
  });
}

/** Ignores events between answers: the listeners receive them. */
function ignore(): void {
  // Intentionally empty.
}
