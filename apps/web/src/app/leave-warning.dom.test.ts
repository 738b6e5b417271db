import { describe, expect, it } from 'vitest';
import { warnBeforeLeaving } from './leave-warning.ts';

/** Ports of which the test says how many are open. */
function ports() {
  let open = 0;
  let tell: () => void = () => undefined;
  return {
    set(count: number) {
      open = count;
      tell();
    },
    source: {
      count: () => open,
      subscribe: (listener: () => void) => {
        tell = listener;
        return () => undefined;
      },
    },
  };
}

const leave = () => {
  const event = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(event);
  return event.defaultPrevented ? 'warned' : 'left';
};

describe('leaving the document', () => {
  it('warns while a port is open, and only then', () => {
    const { set, source } = ports();
    warnBeforeLeaving(source);
    expect(leave()).toBe('left');
    set(1);
    expect(leave()).toBe('warned');
    set(2);
    set(1);
    expect(leave()).toBe('warned');
    set(0);
    expect(leave()).toBe('left');
  });
});
