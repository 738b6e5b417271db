import { beforeEach, describe, expect, it } from 'vitest';
import { SendHistory } from './send-history.ts';

describe('send history', () => {
  let history: SendHistory;
  beforeEach(() => {
    history = new SendHistory();
    history.add('help');
    history.add('info');
  });

  it('walks back to the oldest message and stays there', () => {
    expect(history.older('')).toBe('info');
    expect(history.older('info')).toBe('help');
    expect(history.older('help')).toBeNull();
  });

  it('gives the draft back after the newest message', () => {
    expect(history.older('ad')).toBe('info');
    expect(history.older('info')).toBe('help');
    expect(history.newer()).toBe('info');
    expect(history.newer()).toBe('ad');
    expect(history.newer()).toBeNull();
  });

  it('starts from the newest again after something was sent', () => {
    history.older('');
    history.older('');
    history.add('adc');
    expect(history.older('')).toBe('adc');
  });

  it('remembers the same message once, and an empty one never', () => {
    history.add('info');
    history.add('');
    expect(history.older('')).toBe('info');
    expect(history.older('')).toBe('help');
  });

  it('has nothing to give before anything was sent', () => {
    const empty = new SendHistory();
    expect(empty.older('x')).toBeNull();
    expect(empty.newer()).toBeNull();
  });

  it('forgets the oldest of very many', () => {
    for (let index = 0; index < 500; index++) {
      history.add(`message ${index}`);
    }
    let steps = 0;
    while (history.older('') !== null) {
      steps++;
    }
    expect(steps).toBe(200);
  });
});
