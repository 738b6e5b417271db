import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { begin, random, randomBytes, randomNumber } from './random.ts';
import { readSeed, SEED_VARIABLE } from './seed.ts';

const draw = () => ({ number: randomNumber(), bytes: [...randomBytes(4)], labelled: random('label').next() });
const sample = () => fc.sample(fc.nat(), 3);

const outside = { ...draw(), sample: sample() };

describe('inputs of a test', () => {
  let inHook: typeof outside | undefined;
  beforeAll(() => {
    inHook = { ...draw(), sample: sample() };
  });
  const samples: number[][] = [];

  it('are those of the file in hooks and tables of cases', () => {
    expect(inHook?.sample).toEqual(outside.sample);
    expect(inHook?.labelled).toBe(outside.labelled);
    samples.push(sample());
  });

  it('are others in each test', () => {
    samples.push(sample(), outside.sample);
    expect(new Set(samples.map(String)).size).toBe(3);
    expect(sample()).toEqual(samples[1]);
  });

  it('do not depend on what was drawn before', () => {
    begin('a test');
    const first = draw();
    randomBytes(1_000);
    begin('a test');
    expect(draw()).toEqual(first);
    begin('another test');
    expect(draw()).not.toEqual(first);
    expect(random('label').next()).not.toBe(first.labelled);
  });
});

describe.concurrent('inputs of concurrent tests', () => {
  it('are those of the file', () => {
    expect(sample()).toEqual(outside.sample);
    expect(random('label').next()).toBe(outside.labelled);
  });
});

describe('the seed', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('gives the same inputs on every machine', () => {
    vi.stubEnv(SEED_VARIABLE, undefined);
    const seed = begin('packages/a.test.ts › a test');
    // Recorded: other numbers here are other inputs in all random tests.
    expect({ seed, ...draw() }).toEqual({
      seed: 1_724_033_429,
      number: 0.5198458530940115,
      bytes: [1, 64, 224, 113],
      labelled: 0.9619919506367296,
    });
  });

  it('gives other inputs if it is another', () => {
    const seed = begin('a test');
    const inputs = draw();
    vi.stubEnv(SEED_VARIABLE, '4294967295');
    expect(begin('a test')).not.toBe(seed);
    expect(draw()).not.toEqual(inputs);
  });

  it.each(['', '-1', '1.5', '0x10', '4294967296', 'x'])('is not "%s"', (text) => {
    expect(() => readSeed(text)).toThrow('whole number below 4294967296');
  });
});
