import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ImprovAnswer, ImprovJob } from '../../protocol/bench/improv-part.ts';
import { fakeBench } from '../testing/fake-bench.ts';
import { connectInSeries, hasSeriesNetwork, isInSeries, setSeriesNetwork } from './series.ts';

const improvJob = vi.fn();
fakeBench(async (name, ...args) => (name === 'improvJob' ? improvJob(...args) : undefined));

const utf8 = (text: string) => new TextEncoder().encode(text);
const nothing: ImprovAnswer = {
  information: null,
  state: null,
  address: '',
  networks: [],
  isWhole: true,
  failure: null,
};
const silent: ImprovAnswer = { ...nothing, failure: { code: 'no-answer', message: 'No answer.' } };
const never = new AbortController().signal;
const open = async () => undefined;

describe('a series of boards', () => {
  let answers: ImprovAnswer[];
  const jobs: ImprovJob[] = [];
  beforeEach(() => {
    jobs.length = 0;
    improvJob.mockImplementation(async (port: 1, job: ImprovJob) => {
      expect(isInSeries(port)).toBe(true);
      jobs.push(job);
      return answers.shift() ?? nothing;
    });
    setSeriesNetwork({ name: utf8('lab'), label: 'lab', password: utf8('correct horse') });
  });
  afterEach(() => {
    setSeriesNetwork(null);
    localStorage.clear();
  });

  it('is put on one network, with an outcome for each board, and waits for a board that starts', async () => {
    answers = [
      silent,
      nothing,
      { ...nothing, address: 'http://10.0.0.2/' },
      nothing,
      { ...silent, failure: { code: 'unable-to-connect', message: 'Not reached.' } },
    ];
    expect(await connectInSeries(1, open, never)).toEqual({
      kind: 'connected',
      network: 'lab',
      address: 'http://10.0.0.2/',
    });
    expect(await connectInSeries(2, open, never)).toEqual({ kind: 'failed', network: 'lab', reason: 'Not reached.' });
    expect(jobs.map(({ kind }) => kind)).toEqual(['ask', 'ask', 'connect', 'ask', 'connect']);
    expect(isInSeries(1)).toBe(false);
  });

  it('gives up a board without Improv, and one whose port cannot be used', async () => {
    answers = [silent, silent, silent];
    expect(await connectInSeries(1, open, never)).toMatchObject({ kind: 'failed', reason: 'No answer.' });
    expect(jobs).toHaveLength(3);
    improvJob.mockRejectedValue(new Error('Port 1 is not connected'));
    expect(await connectInSeries(1, open, never)).toMatchObject({ kind: 'failed', reason: 'Port 1 is not connected' });
    expect(isInSeries(1)).toBe(false);
  });

  it('does nothing without a network, and stores none in the browser', async () => {
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain('correct');
    setSeriesNetwork(null);
    expect(hasSeriesNetwork()).toBe(false);
    expect(await connectInSeries(1, open, never)).toBeNull();
    expect(jobs).toHaveLength(0);
  });
});
