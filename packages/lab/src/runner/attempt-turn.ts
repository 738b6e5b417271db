/** One attempt at a turn: all frames of its macros side by side, or one polling macro step by step. */
import type { Outcome } from './exchange.ts';
import type { MacroJob } from './job-queue.ts';
import type { WireRequest, WireStep } from './wire-steps.ts';

type Exchange = (requests: readonly WireRequest[]) => Promise<Outcome>;

/**
 * Returns the words of each job, in the order of jobs; null if an answer was lost.
 *
 * @throws Errors of `exchange`.
 */
export async function attemptTurn(
  jobs: readonly MacroJob[],
  exchange: Exchange,
): Promise<readonly (readonly number[])[] | null> {
  const [only] = jobs;
  if (jobs.length === 1 && only?.steps.some(({ kind }) => kind === 'poll')) {
    const words = await attemptPolling(only, exchange);
    return words === null ? null : [words];
  }
  const requests = jobs.map(({ steps }) => steps.flatMap((step) => (step.kind === 'requests' ? step.requests : [])));
  const outcome = await exchange(requests.flat());
  if (outcome.kind === 'lost') {
    return null;
  }
  let at = 0;
  return requests.map((ofJob) => {
    const count = ofJob.filter(({ entries }) => entries === null).length;
    at += count;
    return outcome.words.slice(at - count, at);
  });
}

async function attemptPolling(job: MacroJob, exchange: Exchange): Promise<readonly number[] | null> {
  const words: number[] = [];
  for (const step of job.steps) {
    const outcome = step.kind === 'requests' ? await exchange(step.requests) : await poll(step, job, exchange);
    if (outcome.kind === 'lost') {
      return null;
    }
    words.push(...outcome.words);
  }
  return words;
}

async function poll(
  { request, tries, until }: Extract<WireStep, { kind: 'poll' }>,
  job: MacroJob,
  exchange: Exchange,
): Promise<Outcome> {
  for (let left = tries; ; left--) {
    const outcome = await exchange([request]);
    if (outcome.kind === 'lost' || left <= 1 || job.isCancelled || until(outcome.words[0] ?? 0)) {
      return outcome;
    }
  }
}
