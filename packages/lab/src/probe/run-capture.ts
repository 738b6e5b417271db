/** A capture from its request to its levels, on a link that is held. */
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

/** Milliseconds for an answer; the end of a capture that is cancelled has to wait for the one sample in work only. */
const answerLimit = 2_000;
/** Milliseconds; a trigger may take as long as it likes, so this is only how often nothing is noticed. */
const listeningTime = 60_000;

export interface Capture {
  /** GPIO numbers: bit k of the levels is pin k. */
  readonly pins: readonly number[];
  readonly runs: readonly LevelRun[];
  readonly outcome: CaptureOutcome;
  /** Measured, in nanoseconds; null when the capture was cancelled. */
  readonly samplePeriod: number | null;
}

/** @param processorClock hertz @throws ProbeError; the reason of `over`; RangeError for pins that one capture cannot have. */
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
      // Any bytes end it; these have an answer that comes behind its end.
      await talk.ask(probeOps.capabilities, new Uint8Array(), answerLimit, over);
    }
    if (done === null) {
      throw new ProbeError('no-answer');
    }
    const outcome = readCaptureDone(done);
    // Nobody wants the levels of what was cancelled, and the link is waited for.
    const runs = outcome.isCancelled ? [] : await readAll(talk, outcome.samples, over);
    const samplePeriod = outcome.period === null ? null : (outcome.period * 1e9) / processorClock;
    return { pins: request.pins, runs: joinedRuns(runs), outcome, samplePeriod };
  } finally {
    stopListening();
  }
}

/** Listens: events are taken as they arrive. */
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

/** Runs of the same levels that two frames cut apart are one. */
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
