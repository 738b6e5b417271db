/** Drags the scroll bar to any position and measures the time until the rows of that position appear. */
import { quantile, type Result } from '../serial/measure.ts';
import { orShortest } from '../shortest.ts';
import type { TerminalPage } from './terminal-page.ts';

const jumps = orShortest(60, 5);

interface Jump {
  /** Milliseconds from the scroll to the rows. */
  readonly took: number;
  readonly frames: number;
  /** Distance of the top row from the scroll bar's position, in rows. */
  readonly off: number;
}

export async function measureScrolling(terminal: TerminalPage): Promise<Result[]> {
  const { page, worker } = terminal;
  const total = await worker.evaluate(
    () => globalThis.bench.bench.rows({ layout: 'text', anchor: 'tail', count: 0 }).total,
  );
  // Neither time stamps nor texts tell the position of a row. Each load numbers its lines from 0, so the position is
  // known modulo the lines of a load.
  const perLoad = await worker.evaluate(() => globalThis.bench.bench.status().ports[1].lines / 2);
  const results: Jump[] = [];
  for (let index = 0; index < jumps; index++) {
    const part = ((index * 7_919) % 997) / 997;
    results.push(await page.evaluate(jumpTo, { part, total, perLoad }));
  }
  const took = results.map((jump) => jump.took);
  const frames = Math.max(...results.map((jump) => jump.frames));
  const off = Math.max(...results.map((jump) => jump.off));
  return [
    {
      what: `scroll anywhere in ${total.toLocaleString('en')} lines`,
      measured: `median ${quantile(took, 0.5).toFixed(0)} ms, most ${Math.max(...took).toFixed(0)} ms, ${frames} frames`,
      target: 'rows there with the next frame',
      reached: frames <= 1,
    },
    {
      what: 'scroll: row found where the bar says',
      measured: `off by ${off} rows`,
      target: '≤ 40',
      reached: off <= 40,
    },
  ];
}

/** Runs in the page: moves the scroll bar and waits until other rows appear and stay. */
async function jumpTo({ part, total, perLoad }: { part: number; total: number; perLoad: number }): Promise<Jump> {
  const log = document.querySelector('[role=log]');
  if (log === null) {
    throw new Error('There is no log.');
  }
  const top = log.getBoundingClientRect().top;
  const rowAtTop = () => {
    const rows = [...log.querySelectorAll('[data-direction]')];
    return rows.find((row) => row.getBoundingClientRect().bottom > top + 1)?.textContent ?? '';
  };
  const before = rowAtTop();
  const start = performance.now();
  log.scrollTop = (log.scrollHeight - log.clientHeight) * part;
  let frames = 0;
  while (rowAtTop() === before && frames < 60) {
    await new Promise(requestAnimationFrame);
    frames++;
  }
  const took = performance.now() - start;
  const [, number = '0'] = /←(\d{8}) /.exec(rowAtTop()) ?? [];
  const visible = log.clientHeight / 25;
  const expected = (total - visible) * part;
  const distance = Math.abs((Number(number) % perLoad) - (expected % perLoad));
  return { took, frames, off: Math.round(Math.min(distance, perLoad - distance)) };
}
