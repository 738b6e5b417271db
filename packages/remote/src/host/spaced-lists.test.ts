import { VirtualClock } from '@wirebench/clock';
import { expect, it } from 'vitest';
import { SpacedLists } from './spaced-lists.ts';

it('sends one list for many changes, later the more guests there are', async () => {
  const clock = new VirtualClock(0);
  const sent: number[] = [];
  let guests = 0;
  const lists = new SpacedLists({ clock, guests: () => guests, sendAll: () => sent.push(clock.now()) });
  lists.schedule();
  lists.schedule();
  await clock.advance(1_000);
  expect(sent).toEqual([100]);
  guests = 40;
  lists.schedule();
  await clock.advance(1_000);
  expect(sent).toEqual([100, 1_500]);
  lists.schedule();
  lists.stop();
  await clock.advance(1_000);
  expect(sent).toHaveLength(2);
});
