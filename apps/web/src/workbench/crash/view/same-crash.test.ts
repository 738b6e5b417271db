import { describe, expect, it } from 'vitest';
import type { ListedDump } from '../symbol-files.ts';
import { sameCrash, sameCrashText } from './same-crash.ts';

const dump = (id: number): ListedDump => ({
  id,
  name: 'from the log',
  size: 1,
  at: 1_000 * id,
  port: 1,
  state: { kind: 'open' },
});
const dumps = [dump(4), dump(3), dump(2), dump(1)];
const [newest = dump(0), third = dump(0), second = dump(0), first = dump(0)] = dumps;
const fingerprints = new Map([
  [1, 'read < run'],
  [2, 'wait < run'],
  [4, 'read < run'],
]);

describe('the same crash again', () => {
  it('is detected by fingerprint, with its number and its first time', () => {
    const same = sameCrash(newest, dumps, fingerprints);
    expect(same).toEqual({ number: 2, count: 2, first });
    expect(same && sameCrashText(same, 'Port 1')).toMatch(
      /^The same crash again: 2 of 2 in this session, first at .* on Port 1\.$/,
    );
  });

  it('is reported for the first one too', () => {
    const same = sameCrash(first, dumps, fingerprints);
    expect(same && sameCrashText(same, 'Port 1')).toBe(
      'The same crash happened 2 times in this session; this is the first.',
    );
  });

  it('is not reported for a single crash or one with unknown functions', () => {
    expect(sameCrash(second, dumps, fingerprints)).toBeNull();
    expect(sameCrash(third, dumps, fingerprints)).toBeNull();
  });
});
