/**
 * What goes on until it is stopped: the UART bridge with its credit, measurements, levels. The link is held for requests only; what the
 * program says by itself comes as events, so that registers and transfers go on meanwhile.
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

/** What a stream needs: the link for a moment, and what comes by itself. */
export interface StreamLine {
  withLink<T>(work: (link: ProbeWire, over: AbortSignal) => Promise<T>): Promise<T>;
  readonly events: ProbeEvents;
}

/** @param room bytes that the board holds towards the line @throws ProbeError; what `withLink` throws. */
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
  /** All that there is credit for, sent without waiting for the answers, which say how much has left. */
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
  /** Ends the streams. */
  readonly signal: AbortSignal;
}

/** @throws ProbeError; what `withLink` throws. */
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
  /** What is left out is not touched: another stream of it may run. */
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

/** Events come by themselves, and never between two answers. */
function ignore(): void {
  // Nothing to be done.
}
