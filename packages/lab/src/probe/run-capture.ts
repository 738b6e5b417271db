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
import { ProbeError } from './probe-failure.ts';
import { ProbeTalk, type ProbeWire } from './probe-talk.ts';

/** Milliseconds for an answer; the end of a capture that is cancelled has to wait for the one sample in work only. */
const answerLimit = 1_000;
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
  processorClock: number,
  request: CaptureRequest,
  over: AbortSignal,
  signal?: AbortSignal,
): Promise<Capture> {
  let done: ProbeFrame | null = null;
  const talk = new ProbeTalk(wire, (event) => {
    done = event.op === probeEvents.captureDone ? event : done;
  });
  await talk.ask(probeOps.captureStart, captureStartData(request), answerLimit, over);
  const outcome = readCaptureDone(await endOf(talk, over, signal));
  const runs: LevelRun[] = [];
  for (let at = 0; at < outcome.samples; ) {
    const part = readRuns(await talk.ask(probeOps.captureRead, wordsAndBytes([at]), answerLimit, over));
    if (part.length === 0) {
      throw new ProbeError('no-answer');
    }
    at += part.reduce((sum, { samples }) => sum + samples, 0);
    runs.push(...part);
  }
  const samplePeriod = outcome.period === null ? null : (outcome.period * 1e9) / processorClock;
  return { pins: request.pins, runs: joinedRuns(runs), outcome, samplePeriod };

  async function endOf(talk: ProbeTalk, over: AbortSignal, signal?: AbortSignal): Promise<ProbeFrame> {
    const either = signal === undefined ? over : AbortSignal.any([over, signal]);
    while (done === null && !either.aborted) {
      const frame = await talk.next(listeningTime, either).catch((error: unknown) => {
        over.throwIfAborted();
        if (!either.aborted) {
          throw error;
        }
        return null;
      });
      done = frame?.op === probeEvents.captureDone ? frame : done;
    }
    if (done === null) {
      over.throwIfAborted();
      // Any bytes end it; these have an answer that comes behind its end.
      await talk.ask(probeOps.capabilities, new Uint8Array(), answerLimit, over);
    }
    if (done === null) {
      throw new ProbeError('no-answer');
    }
    return done;
  }
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
