/**
 * Metrics as text for Prometheus, in its exposition format 0.0.4
 * (https://prometheus.io/docs/instrumenting/exposition_formats/).
 */

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  /** Suffix of the metric's name, such as `_count`. */
  readonly suffix?: string;
  readonly labels?: Labels;
  readonly value: number;
}

export interface Metric {
  /** Ends with the base unit: seconds, bytes. */
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  samples(): Iterable<Sample> | Promise<Iterable<Sample>>;
}

export const expositionType = 'text/plain; version=0.0.4; charset=utf-8';

export async function exposition(metrics: readonly Metric[]): Promise<string> {
  const parts = await Promise.all(
    metrics.map(async ({ name, help, type, samples }) => {
      const lines = [...(await samples())].map(
        ({ suffix = '', labels = {}, value }) => `${name}${suffix}${labelText(labels)} ${numberText(value)}\n`,
      );
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
    }),
  );
  return parts.join('');
}

/** Returns a metric with one sample. */
export function gauge(name: string, help: string, read: () => number): Metric {
  return { name, help, type: 'gauge', samples: () => [{ value: read() }] };
}

/** The observations with one set of labels. */
export interface Series {
  observe(value: number): void;
}

/** Counts observations by size. `buckets` are upper bounds, smallest first. */
export class Histogram implements Metric {
  readonly name: string;
  readonly help: string;
  readonly type = 'histogram';
  readonly #buckets: readonly number[];
  readonly #series: { readonly labels: Labels; readonly counts: number[]; sum: number }[] = [];

  constructor(name: string, help: string, buckets: readonly number[]) {
    this.name = name;
    this.help = help;
    this.#buckets = buckets;
    this.samples = this.samples.bind(this);
  }

  /** Creates a series. The caller keeps it and creates only one for each set of labels. */
  series(labels: Labels): Series {
    const buckets = this.#buckets;
    const series = { labels, counts: new Array<number>(buckets.length + 1).fill(0), sum: 0 };
    this.#series.push(series);
    return {
      observe: (value) => {
        let bucket = 0;
        while (bucket < buckets.length && value > (buckets[bucket] ?? Infinity)) {
          bucket++;
        }
        series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
        series.sum += value;
      },
    };
  }

  *samples(): Generator<Sample> {
    for (const { labels, counts, sum } of this.#series) {
      let total = 0;
      for (const [index, count] of counts.entries()) {
        total += count;
        yield {
          suffix: '_bucket',
          labels: { ...labels, le: numberText(this.#buckets[index] ?? Infinity) },
          value: total,
        };
      }
      yield { suffix: '_sum', labels, value: sum };
      yield { suffix: '_count', labels, value: total };
    }
  }
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function numberText(value: number): string {
  return value === Infinity ? '+Inf' : value === -Infinity ? '-Inf' : String(value);
}
