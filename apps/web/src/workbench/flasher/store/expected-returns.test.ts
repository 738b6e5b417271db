// @vitest-environment node
import { beforeEach, describe, expect, it } from 'vitest';
import type { FlashPhase } from '../state/flash-state.ts';
import { ExpectedReturns } from './expected-returns.ts';

describe('the return of a board', () => {
  let returns: ExpectedReturns;
  const enter = (...phases: readonly FlashPhase[]) => {
    for (const phase of phases) {
      returns.enter(1, phase);
    }
  };
  beforeEach(() => {
    returns = new ExpectedReturns();
  });

  it('is expected while it is connected and while it starts its program', () => {
    expect(returns.has(1)).toBe(false);
    enter('connecting');
    expect([returns.has(1), returns.has(2)]).toEqual([true, false]);
    enter('detected', 'planning', 'planned', 'writing');
    expect(returns.has(1)).toBe(false);
    enter('restarting');
    expect(returns.has(1)).toBe(true);
    enter('done');
    expect(returns.has(1)).toBe(false);
  });

  it('is not expected twice, whoever hears of it first', () => {
    enter('connecting');
    returns.seen(1);
    returns.told(1);
    enter('detected', 'planning', 'planned', 'writing', 'restarting');
    returns.told(1);
    returns.seen(1);
    enter('done');
    expect(returns.has(1)).toBe(false);
  });

  it('is expected as often as the worker has seen it, however late the page hears of it', () => {
    enter('connecting');
    returns.told(1);
    enter('detected', 'planning', 'planned', 'writing', 'restarting');
    returns.told(1);
    enter('done');
    expect(returns.has(1)).toBe(true);
    returns.seen(1);
    expect(returns.has(1)).toBe(true);
    returns.seen(1);
    expect(returns.has(1)).toBe(false);
  });

  it('of a board that was here before is none of the next one', () => {
    enter('connecting');
    returns.told(1);
    enter('failed', 'connecting', 'detected');
    expect(returns.has(1)).toBe(false);
  });
});
