import { noActions, nothingUnknown, type Rule } from '@wirebench/serial';
import { beforeEach, expect, it, vi } from 'vitest';
import type { RuleEvent } from '../../../../protocol/rule-protocol.ts';
import { benchStatus } from '../../../../workbench/bench-status.ts';
import { startRecording } from '../../console/recordings.ts';
import { newPanel } from '../../panels/model/device-panel.ts';
import { runAll } from '../../panels/run/runs.ts';
import { changePanels } from '../../panels/store/panels-store.ts';
import { takeRuleEvents } from './rule-effects.ts';

vi.mock('../../console/recordings.ts', () => ({
  startRecording: vi.fn(() => Promise.resolve('1')),
  stopRecordings: vi.fn(),
}));
vi.mock('../../panels/run/runs.ts', () => ({ runAll: vi.fn(), stopRun: vi.fn() }));

const rule: Rule = {
  id: 'boot',
  name: 'Boot',
  isOn: true,
  mayAct: true,
  where: 'all',
  condition: { kind: 'line', find: 'boot', matchCase: false },
  actions: { ...noActions, run: true, record: 'start' },
  others: nothingUnknown,
};
const event: RuleEvent = { id: 'boot', kind: 'hit', port: 2, text: 'boot', value: null, count: 1 };

const keep = (kept: Rule) => changePanels({ panels: [{ ...newPanel('a', 'Board'), rules: [kept] }] });

beforeEach(() => {
  vi.clearAllMocks();
});

it('records a port of another bench in this browser, and starts no run on it', async () => {
  const { tick } = benchStatus;
  const remote = { kind: 'remote' } as (typeof tick.devices)[2];
  benchStatus.accept({ ...tick, devices: { ...tick.devices, 2: remote } });
  keep(rule);
  takeRuleEvents([event]);
  expect(startRecording).toHaveBeenCalledWith({ kind: 'text' });
  expect(runAll).not.toHaveBeenCalled();
  await Promise.resolve();
  benchStatus.accept(tick);
});

it('neither records nor runs for a rule that may not act', () => {
  keep({ ...rule, mayAct: false });
  takeRuleEvents([event]);
  expect(startRecording).not.toHaveBeenCalled();
  expect(runAll).not.toHaveBeenCalled();
});
