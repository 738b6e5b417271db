import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef, useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { nextMember, useRovingFocus } from './roving-focus.ts';
import { useFocusKeeper } from './use-focus-keeper.ts';

afterEach(cleanup);

function Toolbar({ names }: { readonly names: readonly string[] }) {
  const group = useRef<HTMLDivElement>(null);
  const walk = useRovingFocus(group);
  return (
    <>
      <div ref={group} role="toolbar" aria-label="Tools" onKeyDown={walk}>
        {names.map((name) => (
          <button key={name} type="button">
            {name}
          </button>
        ))}
      </div>
      <button type="button">After</button>
    </>
  );
}

it('arrow keys lead round the ends, and other keys nowhere', () => {
  expect(nextMember('ArrowRight', 2, 3)).toBe(0);
  expect(nextMember('ArrowLeft', 0, 3)).toBe(2);
  expect(nextMember('Home', 2, 3)).toBe(0);
  expect(nextMember('End', 0, 3)).toBe(2);
  expect(nextMember('Enter', 0, 3)).toBeUndefined();
});

it('a toolbar is one stop of the Tab key, which comes back to the button that was left', async () => {
  render(<Toolbar names={['One', 'Two', 'Three']} />);
  await userEvent.tab();
  expect(screen.getByRole('button', { name: 'One' })).toBe(document.activeElement);
  await userEvent.keyboard('{ArrowRight}');
  expect(screen.getByRole('button', { name: 'Two' })).toBe(document.activeElement);
  await userEvent.tab();
  expect(screen.getByRole('button', { name: 'After' })).toBe(document.activeElement);
  await userEvent.tab({ shift: true });
  expect(screen.getByRole('button', { name: 'Two' })).toBe(document.activeElement);
});

it('a toolbar whose stop goes away has another one', async () => {
  const { rerender } = render(<Toolbar names={['One', 'Two']} />);
  rerender(<Toolbar names={['Two', 'Three']} />);
  await expect.poll(() => screen.getByRole('button', { name: 'Two' }).tabIndex).toBe(0);
  expect(screen.getByRole('button', { name: 'Three' }).tabIndex).toBe(-1);
});

it('a button that comes in front is the stop of a toolbar that no one was in yet', async () => {
  const { rerender } = render(<Toolbar names={['Two']} />);
  rerender(<Toolbar names={['One', 'Two']} />);
  await expect.poll(() => screen.getByRole('button', { name: 'One' }).tabIndex).toBe(0);
  expect(screen.getByRole('button', { name: 'Two' }).tabIndex).toBe(-1);
});

it('a toolbar whose stop cannot be pressed any more is still reached by the Tab key', async () => {
  function Work({ busy }: { readonly busy: boolean }) {
    const group = useRef<HTMLDivElement>(null);
    const walk = useRovingFocus(group);
    return (
      <div ref={group} role="toolbar" aria-label="Actions" onKeyDown={walk}>
        <button type="button" disabled={busy}>
          Write
        </button>
        <button type="button">Stop</button>
      </div>
    );
  }
  const { rerender } = render(<Work busy={false} />);
  expect(screen.getByRole('button', { name: 'Stop' }).tabIndex).toBe(-1);
  rerender(<Work busy />);
  await expect.poll(() => screen.getByRole('button', { name: 'Stop' }).tabIndex).toBe(0);
  rerender(<Work busy={false} />);
  await expect.poll(() => screen.getByRole('button', { name: 'Write' }).tabIndex).toBe(0);
  expect(screen.getByRole('button', { name: 'Stop' }).tabIndex).toBe(-1);
});

function Rows() {
  const root = useRef<HTMLDivElement>(null);
  const [rows, setRows] = useState(['first', 'second', 'third']);
  useFocusKeeper(root);
  return (
    <div ref={root}>
      {rows.map((row) => (
        <div key={row}>
          <button type="button" onClick={() => setRows(rows.filter((other) => other !== row))}>
            {row}
          </button>
        </div>
      ))}
      <input aria-label="Add" />
    </div>
  );
}

/** Simulates a layout, because jsdom has none and all elements would count as hidden. */
async function laidOut(work: () => Promise<void>): Promise<void> {
  const layout = HTMLElement.prototype.getClientRects;
  HTMLElement.prototype.getClientRects = () => [new DOMRect()] as unknown as DOMRectList;
  try {
    await work();
  } finally {
    HTMLElement.prototype.getClientRects = layout;
  }
}

it('the focus of a row that goes away falls to the next one, and to what is left at last, never to the page', () =>
  laidOut(async () => {
    render(<Rows />);
    await userEvent.click(screen.getByRole('button', { name: 'second' }));
    await expect.poll(() => document.activeElement).toBe(screen.getByRole('button', { name: 'third' }));
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => document.activeElement).toBe(screen.getByRole('textbox', { name: 'Add' }));
  }));

interface WorkProps {
  /** Disabled element: the field itself, or the fieldset around it. */
  readonly by: 'itself' | 'fieldset';
}

function Work({ by }: WorkProps) {
  const root = useRef<HTMLDivElement>(null);
  const [busy, setBusy] = useState(false);
  useFocusKeeper(root);
  const begin = () => {
    // A browser removes the focus from a disabled element; jsdom does not.
    (document.activeElement as HTMLElement).blur();
    setBusy(true);
  };
  return (
    <div ref={root}>
      <section aria-label="Reading">
        <fieldset disabled={by === 'fieldset' && busy}>
          <select aria-label="Baud rate" disabled={by === 'itself' && busy} onChange={begin}>
            <option>9600</option>
            <option>115200</option>
          </select>
          <select aria-label="Interval" />
        </fieldset>
        <button type="button">Elsewhere</button>
      </section>
      <button type="button" onMouseEnter={() => setBusy(false)}>
        Answer
      </button>
    </div>
  );
}

describe.each(['itself', 'fieldset'] as const)('a field that its own change disables by %s', (by) => {
  const start = async () => {
    render(<Work by={by} />);
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Baud rate' }), '115200');
    await expect.poll(() => document.activeElement).toBe(screen.getByRole('region', { name: 'Reading' }));
  };
  const answer = () => userEvent.hover(screen.getByRole('button', { name: 'Answer' }));

  it('gets the focus back when it is enabled, which no neighbour has had', () =>
    laidOut(async () => {
      await start();
      await answer();
      await expect.poll(() => document.activeElement).toBe(screen.getByRole('combobox', { name: 'Baud rate' }));
      expect(screen.getByRole('region').hasAttribute('tabindex')).toBe(false);
    }));

  it('leaves the focus where a person has moved it in between', () =>
    laidOut(async () => {
      await start();
      const elsewhere = screen.getByRole('button', { name: 'Elsewhere' });
      elsewhere.focus();
      await answer();
      await new Promise((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      );
      expect(document.activeElement).toBe(elsewhere);
    }));
});

function Links() {
  const group = useRef<HTMLDivElement>(null);
  const walk = useRovingFocus(group);
  return (
    <div ref={group} role="toolbar" aria-label="Actions" onKeyDown={walk}>
      <button type="button">Share</button>
      <a href="/flash">Flash</a>
      <button type="button">Delete</button>
    </div>
  );
}

it('a link in a toolbar is a member like its buttons', async () => {
  render(<Links />);
  await userEvent.tab();
  await userEvent.keyboard('{ArrowRight}');
  expect(screen.getByRole('link')).toBe(document.activeElement);
  expect(screen.getByRole('button', { name: 'Share' }).tabIndex).toBe(-1);
  await userEvent.keyboard('{End}');
  expect(screen.getByRole('button', { name: 'Delete' })).toBe(document.activeElement);
});
