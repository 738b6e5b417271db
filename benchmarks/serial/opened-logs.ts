/** Opening and searching a log of 1 GB, whose bytes are made while they are read. */
import { systemClock } from '@wirebench/clock';
import { Bench } from '@wirebench/serial';
import { findInLog, HEAD_BYTES, inTurn, type LogSource, LogStream, recogniseLog } from '@wirebench/serial/opened-log';
import { orShortest } from '../shortest.ts';
import type { Result } from './measure.ts';

/** Bytes of the log: more than the bench holds. */
const SIZE = orShortest(1_000_000_000, 100_000_000);
const sizeText = orShortest('1 GB', '100 MB');
/** Lines of tio, each of 50 bytes: `[14:03:05.120] sensor 3: temp=21.5 hum=40 ok ....\n`. */
const lineBytes = 50;

function tioLog(size: number): LogSource {
  const line = '[14:03:05.120] sensor 3: temp=21.5 hum=40 ok .....\n'.slice(0, lineBytes - 1);
  const block = new TextEncoder().encode(`${line}\n`.repeat(1 << 15));
  return {
    size,
    read: async (from, to) => {
      const bytes = new Uint8Array(to - from);
      for (let at = 0; at < bytes.length; ) {
        const start = (from + at) % block.length;
        const piece = block.subarray(start, start + Math.min(block.length - start, bytes.length - at));
        bytes.set(piece, at);
        at += piece.length;
      }
      return bytes;
    },
  };
}

export async function measureOpenedLogs(): Promise<Result[]> {
  const source = tioLog(SIZE);
  const bench = new Bench({ clock: systemClock });
  const began = performance.now();
  const form = recogniseLog(await source.read(0, HEAD_BYTES));
  const stream = new LogStream(source, form, { most: bench.ringBytes(1) });
  let first: number | null = null;
  for await (const { pieces } of inTurn([stream])) {
    bench.load(1, pieces);
    first ??= performance.now() - began;
  }
  bench.endLoad(1);
  const opened = performance.now() - began;
  const query = { terms: [{ kind: 'text', text: 'hum=40', ignoreCase: true }] } as const;
  const searchBegan = performance.now();
  const search = bench.search(query);
  while (search.count === 0 && search.step()) {
    // Searches on until the first hit.
  }
  const firstHit = performance.now() - searchBegan;
  const nowhere = { terms: [{ kind: 'text', text: 'hum=41', ignoreCase: true }] } as const;
  const restBegan = performance.now();
  const options = { from: stream.at, to: source.size, onProgress: () => undefined };
  await findInLog(source, form, () => bench.sieve(nowhere), options);
  const rest = performance.now() - restBegan;
  const hitBegan = performance.now();
  await findInLog(source, form, () => bench.sieve(query), options);
  const restHit = performance.now() - hitBegan;
  const megabytes = (bytes: number) => `${Math.round(bytes / 1_000_000)} MB`;
  await bench.dispose();
  return [
    {
      what: `open a log of ${sizeText}: first lines, and the whole part that is held`,
      measured: `${(first ?? 0).toFixed(0)} ms, ${opened.toFixed(0)} ms for ${megabytes(stream.at)} of the file`,
      target: '',
      reached: null,
    },
    {
      what: 'first hit in the held part',
      measured: `${firstHit.toFixed(1)} ms`,
      target: '50 ms',
      reached: firstHit < 50,
    },
    {
      what: 'first hit in the rest, right behind the part',
      measured: `${restHit.toFixed(1)} ms`,
      target: '50 ms',
      reached: restHit < 50,
    },
    {
      what: `search the rest of ${sizeText} without a hit`,
      measured: `${(rest / 1_000).toFixed(1)} s, ${((SIZE - stream.at) / 1_000 / rest).toFixed(0)} MB/s`,
      target: '',
      reached: null,
    },
  ];
}
