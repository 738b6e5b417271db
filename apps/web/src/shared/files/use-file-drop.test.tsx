import { cleanup, createEvent, fireEvent, render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type FileDrop, useFileDrop } from './use-file-drop.ts';

function Page({ take, part = false }: Pick<FileDrop, 'take'> & { readonly part?: boolean }) {
  const place = useRef<HTMLElement>(null);
  const over = useFileDrop(part ? { take, within: place } : { take });
  return (
    <main>
      <section ref={place} aria-label="Place">
        {over ? 'over' : 'idle'} <button type="button">Choose</button>
      </section>
      <p>Beside it</p>
    </main>
  );
}

/** @returns True: the browser's default action applies, which shows the file in place of the page. */
function drag(type: 'dragOver' | 'drop' | 'dragLeave', target: Element, to: Element | null = null): boolean {
  const event = createEvent[type](target, { dataTransfer: { types: ['Files'], dropEffect: 'none' } });
  // The simulated document has no DragEvent.
  Object.defineProperty(event, 'relatedTarget', { value: to });
  return fireEvent(target, event);
}

afterEach(cleanup);

const place = () => screen.getByRole('region', { name: 'Place' });

describe('files dragged over the page', () => {
  it('are taken wherever they are released', () => {
    const take = vi.fn();
    render(<Page take={take} />);
    expect(drag('dragOver', screen.getByText('Beside it'))).toBe(false);
    expect(place().textContent).toContain('over');
    expect(drag('drop', screen.getByText('Beside it'))).toBe(false);
    expect(take).toHaveBeenCalledOnce();
    expect(place().textContent).toContain('idle');
  });

  it('do not take the page away where they are refused', () => {
    render(<Page take={null} />);
    expect(drag('dragOver', place())).toBe(false);
    expect(place().textContent).toContain('idle');
    expect(drag('drop', place())).toBe(false);
  });

  it('are taken by their place alone, and refused beside it', () => {
    const take = vi.fn();
    render(<Page take={take} part />);
    drag('dragOver', screen.getByText('Beside it'));
    expect(place().textContent).toContain('idle');
    expect(drag('drop', screen.getByText('Beside it'))).toBe(false);
    expect(take).not.toHaveBeenCalled();
    drag('drop', screen.getByRole('button'));
    expect(take).toHaveBeenCalledOnce();
  });

  it('are taken by the place that they are over before the whole page, which was there first', () => {
    const page = vi.fn();
    const part = vi.fn();
    render(
      <>
        <Page take={page} />
        <Page take={part} part />
      </>,
    );
    const [first, second] = screen.getAllByRole('button');
    drag('drop', second as Element);
    expect([page.mock.calls.length, part.mock.calls.length]).toEqual([0, 1]);
    drag('drop', first as Element);
    expect([page.mock.calls.length, part.mock.calls.length]).toEqual([1, 1]);
  });

  it('are taken by the place that they are over, whatever else on the page takes or refuses files', () => {
    const first = vi.fn();
    const second = vi.fn();
    render(
      <>
        <Page take={null} />
        <Page take={first} part />
        <Page take={second} part />
        <Page take={null} />
      </>,
    );
    const [, one, two] = screen.getAllByRole('button');
    for (const [target, taking] of [
      [one, first],
      [two, second],
    ] as const) {
      drag('dragOver', target as Element);
      expect((target as Element).parentElement?.textContent).toContain('over');
      expect(drag('drop', target as Element)).toBe(false);
      expect(taking).toHaveBeenCalledOnce();
    }
    expect(drag('drop', screen.getAllByText('Beside it')[0] as Element)).toBe(false);
    expect([first, second].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  });

  it('stay over the page while they move from one element to the next, and leave it with the pointer', () => {
    render(<Page take={vi.fn()} />);
    drag('dragOver', place());
    drag('dragLeave', place(), screen.getByRole('button'));
    expect(place().textContent).toContain('over');
    drag('dragLeave', place());
    expect(place().textContent).toContain('idle');
  });

  it('and not other things that are dragged are meant', () => {
    render(<Page take={vi.fn()} />);
    expect(fireEvent.dragOver(place(), { dataTransfer: { types: ['text/plain'] } })).toBe(true);
    expect(place().textContent).toContain('idle');
  });
});
