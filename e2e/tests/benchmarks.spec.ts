import { expect, test } from '@playwright/test';
import { runShortest, shortestRuns } from '../../scripts/test/shortest-run.ts';

for (const command of shortestRuns.browser) {
  test(`the shortest run of the benchmark "${command}" ends with a table`, { tag: '@long' }, async () => {
    test.setTimeout(420_000);
    const { code, missing, output, heads, rows } = await runShortest(command);
    test.skip(missing !== null, missing ?? '');
    expect(code, output).toBe(0);
    expect(heads, output).toHaveLength(1);
    expect(rows.length, output).toBeGreaterThan(0);
    expect(rows.flat().join(' ')).not.toMatch(/NaN|undefined/);
  });
}
