/** A capture from its request to its levels, on a link that the caller holds. */
import {
  type CaptureOutcome,
  type CaptureRequest,
  captureStartData,
  type LevelRun,
  readCaptureDone,
  readRuns,
} from './capture-frames.ts';
import { type ProbeFrame, probeEvents, probeOps } from './frames.ts';
import { wordsAndBytes } from './operations.ts';
import type { ProbeEvents } from './probe-events.ts';
import { ProbeError } from './probe-failure.ts';
import { ProbeTalk, type ProbeWire } from './probe-talk.ts';

/** Milliseconds for an answer. A cancelled capture ends after the sample in progress. */
const answerLimit = 2_000;
/** Milliseconds of one wait for a frame. A trigger may take any time, so the wait is repeated. */
const listeningTime = 60_000;

export interface Capture {
  /** GPIO numbers: bit k of the levels is pin k. */
  readonly pins: readonly number[];
  readonly runs: readonly LevelRun[];
  readonly outcome: CaptureOutcome;
  /** Measured, in nanoseconds; null if the capture was cancelled. */
  readonly samplePeriod: number | null;
}

/**
 * Captures levels.
 *
 * @param processorClock Hertz.
 * @throws ProbeError; the reason of `over`; RangeError for pins that one capture cannot have.
 */
export async function runCapture(
  wire: ProbeWire,
  events: ProbeEvents,
  processorClock: number,
  request: CaptureRequest,
  over: AbortSignal,
  signal?: AbortSignal,
): Promise<Capture> {
  let done: ProbeFrame | null = null;
  const ended = new AbortController();
  const stopListening = events.listen((event) => {
    if (event.op === probeEvents.captureDone) {
      done = event;
      ended.abort();
    }
  });
  try {
    const talk = new ProbeTalk(wire, () => undefined);
    await talk.ask(probeOps.captureStart, captureStartData(request), answerLimit, over);
    await untilAborted(talk, AbortSignal.any([ended.signal, over, ...(signal ? [signal] : [])]));
    over.throwIfAborted();
    if (done === null) {
      // Any bytes end a capture. This request also has an answer, which arrives after the capture's end.
      await talk.ask(probeOps.capabilities, new Uint8Array(), answerLimit, over);
    }
    if (done === null) {
      throw new ProbeError('no-answer');
    }
    const outcome = readCaptureDone(done);
    // The levels of a cancelled capture are not read: other callers wait for the link.
    const runs = outcome.isCancelled ? [] : await readAll(talk, outcome.samples, over);
    const samplePeriod = outcome.period === null ? null : (outcome.period * 1e9) / processorClock;
    return { pins: request.pins, runs: joinedRuns(runs), outcome, samplePeriod };
  } finally {
    stopListening();
  }
}

/** Receives frames until the signal aborts; the listeners take the events. */
async function untilAborted(talk: ProbeTalk, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await talk.next(listeningTime, signal).catch((error: unknown) => {
      if (!signal.aborted) {
        throw error;
      }
    });
  }
}

async function readAll(talk: ProbeTalk, samples: number, over: AbortSignal): Promise<LevelRun[]> {
  const runs: LevelRun[] = [];
  for (let at = 0; at < samples; ) {
    const part = readRuns(await talk.ask(probeOps.captureRead, wordsAndBytes([at]), answerLimit, over));
    if (part.length === 0) {
      throw new ProbeError('no-answer');
    }
    at += part.reduce((sum, run) => sum + run.samples, 0);
    runs.push(...part);
  }
  return runs;
}

/** Merges adjacent runs of the same levels, which the frames split. */
function joinedRuns(runs: readonly LevelRun[]): LevelRun[] {
  const joined: LevelRun[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    if (last?.levels === run.levels) {
      joined[joined.length - 1] = { samples: last.samples + run.samples, levels: run.levels };
    } else {
      joined.push(run);
    }
  }
  return joined;
}
