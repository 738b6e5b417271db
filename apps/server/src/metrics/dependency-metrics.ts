/** State and response time of the server's dependencies, measured when the metrics are read. */
import type { Clock } from '@wirebench/clock';
import type { Metric } from './exposition.ts';

/** Rejects if the dependency does not answer. */
export type Check = () => Promise<void>;

/** Milliseconds after which a dependency counts as down. Shorter than Prometheus' limit of ten seconds. */
const TIMEOUT = 3_000;

/** @param checks Checks by the value of the label `dependency`. */
export function dependencyMetrics(checks: Readonly<Record<string, Check>>, clock: Clock): readonly Metric[] {
  // One check of each dependency serves both metrics, which are read together.
  let looking: Promise<readonly Answer[]> | null = null;
  const look = () => {
    looking ??= Promise.all(Object.entries(checks).map(([name, check]) => ask(name, check, clock))).finally(() => {
      looking = null;
    });
    return looking;
  };
  return [
    {
      name: 'wirebench_dependency_up',
      help: 'Whether the dependency answers: 1 or 0.',
      type: 'gauge',
      samples: async () =>
        (await look()).map(({ name, seconds }) => ({ labels: { dependency: name }, value: seconds === null ? 0 : 1 })),
    },
    {
      name: 'wirebench_dependency_answer_seconds',
      help: 'How long the dependency took to answer; missing when it did not.',
      type: 'gauge',
      samples: async () =>
        (await look()).flatMap(({ name, seconds }) =>
          seconds === null ? [] : [{ labels: { dependency: name }, value: seconds }],
        ),
    },
  ];
}

interface Answer {
  readonly name: string;
  /** Null if no answer came. */
  readonly seconds: number | null;
}

async function ask(name: string, check: Check, clock: Clock): Promise<Answer> {
  const start = clock.now();
  const abort = new AbortController();
  try {
    await Promise.race([
      check(),
      clock.sleep(TIMEOUT, abort.signal).then(() => Promise.reject(new Error(`no answer within ${TIMEOUT} ms`))),
    ]);
    return { name, seconds: (clock.now() - start) / 1_000 };
  } catch {
    return { name, seconds: null };
  } finally {
    abort.abort();
  }
}
