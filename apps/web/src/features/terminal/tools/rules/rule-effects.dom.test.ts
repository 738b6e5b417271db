import { newRule, type Rule } from '@wirebench/serial';
import { beforeEach, expect, it, vi } from 'vitest';
import type { RuleEvent } from '../../../../protocol/bench/rule-part.ts';
import { benchStatus } from '../../../../workbench/bench-status.ts';
import { fakeBench } from '../../../../workbench/testing/fake-bench.ts';
// Preloaded, so that a recording begins at once.
import '../../console/recording-shelf.ts';
import { newMessage } from '@wirebench/runs';
import { newPanel } from '../../panels/model/device-panel.ts';
import { changePanels } from '../../panels/store/panels-store.ts';
import { takeRuleEvents } from './rule-effects.ts';

const call = fakeBench(async (name) => (name === 'exchange' ? { kind: 'sent', at: 0 } : undefined));
const named = (wanted: string) => call.mock.calls.filter(([name]) => name === wanted);
const recordings = () => named('startRecording').map(([, choice]) => choice);
/** Sendings of runs. */
const exchanges = () => named('exchange').length;

const rule = newRule({
  id: 'boot',
  name: 'Boot',
  condition: { kind: 'line', find: 'boot', matchCase: false },
  actions: { run: true, record: 'start' },
});
const event: RuleEvent = { id: 'boot', kind: 'hit', port: 2, text: 'boot', value: null, count: 1 };

/** Keeps a rule in a panel with one message for port 1, so that a run sends something. */
const keep = (kept: Rule) =>
  changePanels({
    panels: [
      {
        ...newPanel('a', 'Board'),
        pinnedTargetPort: 1,
        pinnedMessages: [newMessage('a0', { content: 'help', type: 'ascii' })],
        rules: [kept],
      },
    ],
  });

/** Waits until everything that an event has begun is at the bench. */
const settle = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => {
  call.mockClear();
  const { tick } = benchStatus;
  const connected = { ...tick.status.ports[1], state: 'connected' } as const;
  benchStatus.accept({ ...tick, status: { ...tick.status, ports: { ...tick.status.ports, 1: connected } } });
});

it('records, and starts a run, when a rule that may act is met', async () => {
  keep(rule);
  takeRuleEvents([event]);
  await vi.waitFor(() => expect(exchanges()).toBe(1));
  await vi.waitFor(() => expect(recordings()).toMatchObject([{ kind: 'text' }]));
  await settle();
});

it('records a port of another bench in this browser, and starts no run on it', async () => {
  const { tick } = benchStatus;
  const remote = { kind: 'remote' } as (typeof tick.devices)[2];
  benchStatus.accept({ ...tick, devices: { ...tick.devices, 2: remote } });
  keep(rule);
  takeRuleEvents([event]);
  await vi.waitFor(() => expect(recordings()).toMatchObject([{ kind: 'text' }]));
  await settle();
  expect(exchanges()).toBe(0);
  benchStatus.accept(tick);
});

it('neither records nor runs for a rule that may not act', async () => {
  keep({ ...rule, mayAct: false });
  takeRuleEvents([event]);
  await settle();
  expect(recordings()).toEqual([]);
  expect(exchanges()).toBe(0);
});
