/** Whether what the server depends on answers, and how fast; asked when somebody reads the metrics. */
import type { Clock } from '@wirebench/clock';
import type { Metric } from './exposition.ts';

/** Rejects when the dependency does not answer. */
export type Check = () => Promise<void>;

/** Milliseconds after which no answer is one. Shorter than the ten seconds that Prometheus waits. */
const TIMEOUT = 3_000;

/** `checks` by the name that the label `dependency` gets. */
export function dependencyMetrics(checks: Readonly<Record<string, Check>>, clock: Clock): readonly Metric[] {
  // Both metrics are read in one go: one look at each dependency serves them.
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
  /** Null: none came. */
  readonly seconds: number | null;
}

async function ask(name: string, check: Check, clock: Clock): Promise<Answer> {
  const start = clock.now();
  const abort = new AbortController();
  try {
    await Promise.race([
      check(),
      clock.sleep(TIMEOUT, abort.signal).then(() => Promise.reject(new Error(`no answer in ${TIMEOUT} ms`))),
    ]);
    return { name, seconds: (clock.now() - start) / 1_000 };
  } catch {
    return { name, seconds: null };
  } finally {
    abort.abort();
  }
}
