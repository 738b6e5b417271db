import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { MapRegion } from './map-segments.ts';
import styles from './memory-map.module.css';
import { MemoryMap } from './memory-map.tsx';

afterEach(cleanup);

/** Renders the map with one file at 0x10000, and returns its box and the fill of the box. */
function drawn(state: MapRegion['state'], done: number) {
  cleanup();
  render(
    <MemoryMap
      regions={[{ label: 'app.bin', start: 0x1_0000, end: 0x2_0000, state, done }]}
      areas={[]}
      flash={{ start: 0, size: 0x2_0000 }}
    />,
  );
  const box = screen.getByTitle(/^app\.bin /);
  return { box, fill: box.querySelector(`.${styles['fill']}`) };
}

it('a region that was already there is not drawn like one that was written and verified', () => {
  expect(drawn('verified', 1).fill).not.toBeNull();
  const before = drawn('unchanged', 0);
  const after = drawn('unchanged', 1);
  expect(after.fill).toBeNull();
  expect(after.box.className).toBe(before.box.className);
});

it('a region that was written and not verified is not drawn like one that is verified', () => {
  const { box, fill } = drawn('written', 1);
  expect(fill).toBeNull();
  expect(box.classList).toContain(styles['written']);
});

it('the part of a planned file that is already there has the look of what is already there', () => {
  expect(drawn('planned', 0.5).fill?.classList).toContain(styles['there']);
  expect(drawn('writing', 0.5).fill?.classList).not.toContain(styles['there']);
});
