import { afterEach, beforeEach, expect, it } from 'vitest';
import type { LiveTick, SharedPortFacts } from '../../../protocol/live-protocol.ts';
import { resetStores } from '../../../shared/testing/stores.ts';
import { toasts } from '../../../shared/testing/toasts.ts';
import { takeTick } from '../../../workbench/live/live-store.ts';
import { joinedTick, watchedPort } from '../../../workbench/live/testing/live-tick.ts';
import { announceConnection } from './shared-boards.tsx';

const port: SharedPortFacts = { ...watchedPort, user: 'Grace', isYours: true, right: 'use' };
const joined: LiveTick = { ...joinedTick, ports: [port] };
const shown = () => toasts().current?.text ?? null;

beforeEach(() => {
  resetStores();
  announceConnection();
});

afterEach(() => takeTick({ ...joined, state: 'ended' }));

it('says that the connection is lost, and that it is back', () => {
  takeTick(joined);
  expect(shown()).toBeNull();
  takeTick({ ...joined, state: 'away' });
  expect(shown()).toBe('The connection to the shared bench is lost. Trying again.');
  takeTick(joined);
  expect(shown()).toBe('Connected to the shared bench again.');
  takeTick({ ...joined, isHostAway: true });
  expect(shown()).toBe('The connection to the shared bench is lost. Trying again.');
  expect(toasts().waiting).toEqual([]);
});

it('is silent where no board is used: the list of boards says it', () => {
  const watching = { ...joined, ports: [{ ...port, isYours: false }] };
  takeTick(watching);
  takeTick({ ...watching, state: 'away' });
  expect(shown()).toBeNull();
});

it('takes its news away when the visit ends, and reports the next visit, once', () => {
  takeTick({ ...joined, state: 'away' });
  takeTick({ ...joined, state: 'ended' });
  expect(shown()).toBeNull();
  // The user opens the link again while the page still shows that the visit has ended.
  announceConnection();
  takeTick({ ...joined, state: 'joining' });
  takeTick(joined);
  expect(shown()).toBeNull();
  takeTick({ ...joined, state: 'away' });
  expect(shown()).toBe('The connection to the shared bench is lost. Trying again.');
  expect(toasts().waiting).toEqual([]);
});
