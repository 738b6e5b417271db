import { cleanup, fireEvent, render } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { QUIET_MS, useBringIntoView } from './bring-into-view.ts';

const scrollIntoView = vi.fn();
let now = 1_000_000;
let box = { top: 2_000, height: 100 };

beforeEach(() => {
  now += 10 * QUIET_MS;
  box = { top: 2_000, height: 100 };
  scrollIntoView.mockReset();
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  Element.prototype.scrollIntoView = scrollIntoView;
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(
    () => new DOMRect(0, box.top, 300, box.height),
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function Result({ answer, atMount = false }: { readonly answer: unknown; readonly atMount?: boolean }) {
  const place = useRef<HTMLElement>(null);
  useBringIntoView(place, answer, atMount);
  return (
    <>
      <section ref={place}>{String(answer)}</section>
      <input aria-label="Name" />
      <input type="checkbox" aria-label="Verify" />
    </>
  );
}

const field = () => document.querySelector('input') as HTMLInputElement;

describe('an answer outside of the window', () => {
  it('is scrolled into view when it appears with its card', () => {
    render(<Result answer="written" atMount />);
    expect(scrollIntoView).toHaveBeenCalledExactlyOnceWith({ block: 'nearest', behavior: 'smooth' });
  });

  it('is scrolled into view each time that it changes', () => {
    const { rerender } = render(<Result answer="first" />);
    expect(scrollIntoView).not.toHaveBeenCalled();
    rerender(<Result answer="second" />);
    rerender(<Result answer="second" />);
    rerender(<Result answer={null} />);
    rerender(<Result answer="second" />);
    expect(scrollIntoView).toHaveBeenCalledTimes(2);
  });

  it('jumps where the system asks for reduced motion', () => {
    vi.stubGlobal('matchMedia', () => ({ matches: true }));
    render(<Result answer="written" atMount />);
    expect(scrollIntoView).toHaveBeenCalledWith({ block: 'nearest', behavior: 'auto' });
  });

  it('shows its beginning where it is higher than the window', () => {
    box.height = innerHeight + 1;
    render(<Result answer="written" atMount />);
    expect(scrollIntoView).toHaveBeenCalledWith({ block: 'start', behavior: 'smooth' });
  });

  it.each([
    ['turns the wheel', () => fireEvent.wheel(document.body)],
    ['swipes', () => fireEvent.touchMove(document.body)],
    ['presses a key that scrolls', () => fireEvent.keyDown(document.body, { key: 'PageDown' })],
    ['types', () => fireEvent.input(field(), { target: { value: 'a' } })],
  ])('does not take the page away from a person who %s', (_what, act) => {
    const { rerender } = render(<Result answer="first" />);
    act();
    now += QUIET_MS - 1;
    rerender(<Result answer="second" />);
    expect(scrollIntoView).not.toHaveBeenCalled();
    now += 1;
    rerender(<Result answer="third" />);
    expect(scrollIntoView).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['taps', () => fireEvent.touchStart(document.body) && fireEvent.touchEnd(document.body)],
    ['presses Enter on the button', () => fireEvent.keyDown(document.body, { key: 'Enter' })],
    ['ticks a box', () => fireEvent.input(document.querySelectorAll('input')[1] as HTMLInputElement)],
  ])('comes to a person who %s', (_what, act) => {
    const { rerender } = render(<Result answer="first" />);
    act();
    rerender(<Result answer="second" />);
    expect(scrollIntoView).toHaveBeenCalledTimes(1);
  });
});

it('an answer that is visible moves nothing', () => {
  box.top = 100;
  render(<Result answer="written" atMount />);
  expect(scrollIntoView).not.toHaveBeenCalled();
});
