import { newMessage, readRules, writeRules } from '@wirebench/runs';
import { newRule, noActions, type Rule } from '@wirebench/serial';
import { describe, expect, it } from 'vitest';
import { lastPortsOf, logRules, runningRules, waitingRules } from '../../tools/rules/running-rules.ts';
import { type DevicePanel, newPanel } from './device-panel.ts';
import { jkitFromPanel, panelFromJkit } from './jkit-content.ts';
import { readPanel, writePanel } from './panel-record.ts';

const login = newRule({
  id: 'login',
  name: 'Login',
  where: 'panel',
  condition: { kind: 'line', find: 'login:', matchCase: false },
  actions: { colour: 'blue', answer: { kind: 'text', content: 'root' }, run: true },
});
const panel: DevicePanel = { ...newPanel('a', 'Board'), pinnedTargetPort: 2, rules: [login] };

function load(content: unknown, into = newPanel('b', 'Other')): DevicePanel {
  const loaded = panelFromJkit(into, { name: 'kit', content: JSON.stringify(content) });
  return loaded.ok ? loaded.panel : expect.unreachable(loaded.code);
}

describe('rules of a panel', () => {
  it('come back from the storage of this browser, with the permission to act', () => {
    expect(readPanel(writePanel(panel))?.rules).toEqual([login]);
  });

  it('travel in a JKit, and may not act where it is loaded', () => {
    const [rule] = load(JSON.parse(jkitFromPanel(panel))).rules;
    expect(rule).toEqual({ ...login, id: rule?.id, mayAct: false });
    const there: DevicePanel = { ...panel, rules: rule === undefined ? [] : [rule] };
    expect(runningRules([there])).toMatchObject([{ colour: 'blue', answer: null, isReported: false }]);
    expect(waitingRules([there])).toEqual([rule]);
  });

  it('stay when a JKit without rules is loaded, and must be allowed again to send its messages', () => {
    const text: Rule = { ...login, id: 'text', actions: { ...login.actions, run: false } };
    const pinned: Rule = {
      ...text,
      id: 'pinned',
      actions: { ...text.actions, answer: { kind: 'pinned', content: 'a' } },
    };
    const { rules } = load({ fields: ['rm -r /'] }, { ...panel, rules: [login, text, pinned] });
    expect(rules).toEqual([{ ...login, mayAct: false }, text, { ...pinned, mayAct: false }]);
  });

  it('leave the permission to act out of a JKit and a file, and do not take it from one', () => {
    expect(jkitFromPanel(panel)).not.toContain('mayAct');
    expect(JSON.stringify(writeRules(panel.rules))).not.toContain('mayAct');
    const forged = { id: 'login', mayAct: true, when: { line: 'login:' }, do: { answer: 'root' } };
    const loaded = load({ fields: [], rules: [forged] });
    expect(loaded.rules).toMatchObject([{ mayAct: false }]);
    expect(readPanel(writePanel(loaded))?.rules).toMatchObject([{ mayAct: false }]);
    expect(readRules([forged]).read).toMatchObject([{ mayAct: false }]);
  });

  it('are written back as they came if this version cannot read them', () => {
    const content = {
      rules: [{ name: 'Red', when: { line: 'a' }, do: { colour: 'red' } }, { when: { moon: 'full' } }],
      fields: [],
      settings: { lineEnding: false },
    };
    expect(JSON.parse(jkitFromPanel(load(content)))).toEqual(content);
    const odd = { fields: [], rules: 'none', settings: { lineEnding: false } };
    expect(JSON.parse(jkitFromPanel(load(odd)))).toEqual(odd);
  });
});

describe('the running rules', () => {
  it('are those that are on, about the port of their panel', () => {
    const off = { ...login, id: 'off', isOn: false };
    const everywhere: Rule = { ...login, id: 'all', where: 'all' };
    expect(runningRules([{ ...panel, rules: [off, login, everywhere] }])).toMatchObject([
      { id: 'login', ports: [2], answer: new TextEncoder().encode('root\n') },
      { id: 'all', ports: null },
    ]);
  });

  it('rest while their panel has no target, so that no other board gets an answer', () => {
    const untargeted: DevicePanel = { ...panel, pinnedTargetPort: -1 };
    expect(runningRules([untargeted])).toMatchObject([{ ports: [], answer: null, isReported: false }]);
    const everywhere: Rule = { ...login, where: 'all' };
    expect(runningRules([{ ...untargeted, rules: [everywhere] }])).toMatchObject([{ ports: null, isReported: true }]);
  });

  it('keep their look of the lines of a port that is gone, until another board is there', () => {
    const untargeted: DevicePanel = { ...panel, pinnedTargetPort: -1 };
    const had = lastPortsOf(new Map(), [panel], () => true);
    const gone = lastPortsOf(had, [untargeted], () => false);
    expect(runningRules([untargeted], gone)).toMatchObject([{ ports: [2], answer: null, isReported: false }]);
    const other = lastPortsOf(gone, [untargeted], (port) => port === 2);
    expect(runningRules([untargeted], other)).toMatchObject([{ ports: [] }]);
  });

  it('answer with a pinned message by its label or content, and with nothing once it is gone', () => {
    const pinned = { ...newMessage('m', { content: 'B5 62', type: 'hex' }), label: 'Poll' };
    const answering = (content: string): DevicePanel => ({
      ...panel,
      pinnedMessages: [pinned],
      rules: [{ ...login, actions: { ...noActions, answer: { kind: 'pinned', content } } }],
    });
    expect(runningRules([answering('Poll')])[0]?.answer).toEqual(Uint8Array.of(0xb5, 0x62));
    expect(runningRules([answering('B5 62')])[0]?.answer).toEqual(Uint8Array.of(0xb5, 0x62));
    expect(runningRules([answering('Gone')])[0]?.answer).toBeNull();
  });
});

it('gives opened logs the look of the rules that are on, for every log and without an action', () => {
  const silence: Rule = { ...login, id: 'silence', condition: { kind: 'silence', seconds: 5, find: '' } };
  const coloured: Rule = {
    ...login,
    mayAct: true,
    actions: { ...login.actions, colour: 'red', mark: true, run: true },
  };
  const rules = [coloured, silence, { ...login, id: 'off', isOn: false }];
  expect(logRules([{ ...panel, pinnedTargetPort: -1, rules }])).toEqual([
    {
      id: 'login',
      name: login.name,
      condition: login.condition,
      ports: null,
      colour: 'red',
      colours: 'line',
      mark: true,
      answer: null,
      answerName: null,
      isReported: false,
    },
  ]);
});
