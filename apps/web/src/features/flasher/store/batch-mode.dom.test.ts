import { expect, it } from 'vitest';
import type { FlashPhase } from '../state/flash-state.ts';
import { freePort } from './batch-mode.ts';

const boards = (...phases: [FlashPhase, FlashPhase, FlashPhase, FlashPhase]) => {
  const [one, two, three, four] = phases.map((phase) => ({ phase }));
  return { 1: one, 2: two, 3: three, 4: four } as Parameters<typeof freePort>[0];
};

it.each([
  [boards('writing', 'none', 'none', 'none'), 2],
  [boards('done', 'none', 'none', 'none'), 2],
  [boards('failed', 'writing', 'done', 'planned'), 3],
  [boards('failed', 'writing', 'writing', 'planned'), 1],
  [boards('writing', 'connecting', 'restarting', 'planned'), null],
])('a board that is plugged in takes no place that is in use', (flashes, port) => {
  expect(freePort(flashes, () => false)).toBe(port);
});

it.each([
  [boards('none', 'none', 'none', 'none'), 2],
  [boards('running', 'writing', 'writing', 'planned'), null],
])('a board that is plugged in does not take the place of one that a guest uses', (flashes, port) => {
  expect(freePort(flashes, (place) => place === 1)).toBe(port);
});
