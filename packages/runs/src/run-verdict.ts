/** Verdict of a run by its checks, and the words for it. The same on the page and in `wirebench test`. */
import { counted } from '@wirebench/port/numbers';
import type { RunCheck } from './run-checks.ts';

/** Returns `error` if a check could not be decided, and never `passed` without a check. */
export function verdictOfChecks(checks: readonly Pick<RunCheck, 'state'>[]): 'passed' | 'failed' | 'error' {
  const states = checks.map(({ state }) => state);
  return states.includes('error') ? 'error' : states.includes('failed') || states.length === 0 ? 'failed' : 'passed';
}

/** `7 of 8 checks`. */
export const checksText = (checks: readonly Pick<RunCheck, 'state'>[]): string =>
  `${checks.filter(({ state }) => state === 'passed').length} of ${checks.length} checks`;

/** End of a run of a panel. */
export interface RunVerdict {
  /** `stopped`: by a person, before everything was decided. `unchecked`: nothing of the panel is a check. */
  readonly kind: 'passed' | 'failed' | 'stopped' | 'unchecked';
  /** Checks on all boards, those that were not reached among them. */
  readonly checks: readonly Pick<RunCheck, 'state'>[];
  /** Number of commands that were sent to all boards. */
  readonly sent: number;
  /** Milliseconds from the start to the end. */
  readonly duration: number;
}

export const verdictNames = {
  passed: 'PASSED',
  failed: 'FAILED',
  stopped: 'STOPPED',
  unchecked: 'NO CHECKS',
} satisfies Record<RunVerdict['kind'], string>;

/** Text beside the name, such as `8 of 8 checks · 0.13 s`. */
export function verdictFacts({ kind, checks, sent, duration }: RunVerdict): string {
  const time = `${(duration / 1_000).toFixed(2)} s`;
  switch (kind) {
    case 'passed':
    case 'failed':
      return `${checksText(checks)} · ${time}`;
    case 'stopped': {
      const decided = checks.filter(({ state }) => state === 'passed' || state === 'failed').length;
      return checks.length === 0
        ? `after ${counted(sent, 'command')} · ${time}`
        : `after ${decided} of ${checks.length} checks · ${time}`;
    }
    case 'unchecked':
      return `${counted(sent, 'command')} sent · ${time}`;
  }
}

/** Sentence about a run, such as `PASSED, 8 of 8 checks · 0.13 s`. */
export const verdictSentence = (verdict: RunVerdict): string =>
  verdict.kind === 'stopped'
    ? `${verdictNames.stopped} ${verdictFacts(verdict)}`
    : `${verdictNames[verdict.kind]}, ${verdictFacts(verdict)}`;
