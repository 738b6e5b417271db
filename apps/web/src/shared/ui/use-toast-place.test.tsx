import { cleanup, render } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { useToastPlace } from './use-toast-place.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

function Area() {
  const area = useRef<HTMLDivElement>(null);
  useToastPlace(area);
  return <div ref={area} />;
}

/** Replaces the observer, which jsdom lacks. Returns the calls that report a changed size. */
function watchSizes(): readonly (() => void)[] {
  const changes: (() => void)[] = [];
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(onChange: () => void) {
        changes.push(onChange);
      }
      observe = () => undefined;
      disconnect = () => undefined;
    },
  );
  return changes;
}

it('reserves as much room as the message covers, and none without one', () => {
  const changes = watchSizes();
  const toasts = document.body.appendChild(document.createElement('div'));
  toasts.id = 'toasts';
  let height = 0;
  Object.defineProperty(toasts, 'offsetHeight', { get: () => height });
  const room = () => document.documentElement.style.getPropertyValue('--toast-room');
  const { unmount } = render(<Area />);
  expect(room()).toBe('0px');
  height = 48;
  for (const change of changes) {
    change();
  }
  expect(room()).toContain('48px');
  unmount();
  expect(room()).toBe('');
});

it('keeps a message inside the width of the area, whatever stands beside it', () => {
  watchSizes();
  vi.spyOn(HTMLDivElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 352, 26));
  const { unmount } = render(<Area />);
  const area = () => document.documentElement.style.getPropertyValue('--toast-area');
  expect(area()).toBe('352px');
  unmount();
  vi.restoreAllMocks();
  expect(area()).toBe('');
});
