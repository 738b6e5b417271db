import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { dependencyMetrics } from './dependency-metrics.ts';
import { exposition, Histogram } from './exposition.ts';

describe('histogram', () => {
  it('counts what fell below each bound, with what fell below the smaller ones', async () => {
    const histogram = new Histogram('size_bytes', 'How large.', [1, 2]);
    const series = histogram.series({ kind: 'a' });
    for (const value of [0.5, 1, 1.5, 5]) {
      series.observe(value);
    }
    expect(await exposition([histogram])).toBe(
      '# HELP size_bytes How large.\n' +
        '# TYPE size_bytes histogram\n' +
        'size_bytes_bucket{kind="a",le="1"} 2\n' +
        'size_bytes_bucket{kind="a",le="2"} 3\n' +
        'size_bytes_bucket{kind="a",le="+Inf"} 4\n' +
        'size_bytes_sum{kind="a"} 8\n' +
        'size_bytes_count{kind="a"} 4\n',
    );
  });

  it('writes labels that break no line', async () => {
    const histogram = new Histogram('h', 'h', []);
    histogram.series({ text: 'a "b"\\\n' }).observe(0);
    expect(await exposition([histogram])).toContain('h_count{text="a \\"b\\"\\\\\\n"} 1\n');
  });
});

describe('dependencies', () => {
  it('are up when they answer, down when they fail or say nothing for three seconds', async () => {
    const clock = new VirtualClock();
    let asked = 0;
    const metrics = dependencyMetrics(
      {
        quick: async () => {
          asked++;
          await clock.sleep(250);
        },
        broken: () => Promise.reject(new Error('gone')),
        silent: () => new Promise(() => undefined),
      },
      clock,
    );
    const text = exposition(metrics);
    await clock.advance(3_000);
    expect((await text).split('\n').filter((line) => line.includes('{'))).toEqual([
      'wirebench_dependency_up{dependency="quick"} 1',
      'wirebench_dependency_up{dependency="broken"} 0',
      'wirebench_dependency_up{dependency="silent"} 0',
      'wirebench_dependency_answer_seconds{dependency="quick"} 0.25',
    ]);
    expect(asked).toBe(1);
    expect(clock.pending).toBe(0);
  });
});
