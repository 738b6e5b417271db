import {
  type MessageFlow,
  type MessageText,
  newMessage,
  type PinnedMessage,
  plainFlow,
  sendsTheSame,
} from '@wirebench/runs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DevicePanel, newPanel } from './device-panel.ts';
import { addMessage, editMessage, removeMessage, reorderMessage, type Transfer, transferMessage } from './messages.ts';
import { maxPanels, maxPinnedMessages, panelFailureText } from './panel-failure.ts';
import { addPanel, movePanel, type Panels, type PanelsChange, removePanel } from './panels.ts';

const ascii = (content: string): MessageText => ({ content, type: 'ascii' });
const hex = (content: string): MessageText => ({ content, type: 'hex' });

function panelWith(id: string, ...texts: readonly MessageText[]): DevicePanel {
  return { ...newPanel(id, id), pinnedMessages: texts.map((text, index) => newMessage(`${id}${index}`, text)) };
}

const done = (change: PanelsChange): Panels => (change.ok ? change.panels : expect.unreachable(change.code));
const contents = (panels: Panels, id: string) =>
  panels.find((panel) => panel.id === id)?.pinnedMessages.map(({ content }) => content);
const refusal = (change: PanelsChange) => (change.ok ? expect.unreachable() : change);
const words = (change: PanelsChange) => panelFailureText[refusal(change).code];
const add = (panels: Panels, text: MessageText) => addMessage(panels, 'a', text, 'new');

describe('pinning', () => {
  const panels: Panels = [panelWith('a', ascii('help'), hex('B5 62'))];

  it('adds at the end', () => {
    expect(contents(done(add(panels, ascii('info'))), 'a')).toEqual(['help', 'B5 62', 'info']);
  });

  it('keeps the blanks of a text, and drops those around hex', () => {
    expect(contents(done(add(panels, ascii(' info '))), 'a')?.[2]).toBe(' info ');
    expect(contents(done(add(panels, hex(' 01 02 '))), 'a')?.[2]).toBe('01 02');
  });

  it('refuses what is there already, and says where', () => {
    const refused = refusal(add(panels, ascii('help')));
    expect(refused).toEqual({ ok: false, code: 'command-exists', existing: { panelId: 'a', messageId: 'a0' } });
    expect(panelFailureText[refused.code]).toBe('Command already exists in this panel');
  });

  it('knows the same hex in another writing, and distinguishes text from hex', () => {
    expect(refusal(add(panels, hex('b562'))).existing).toEqual({ panelId: 'a', messageId: 'a1' });
    expect(add(panels, ascii('B5 62')).ok).toBe(true);
    expect(add(panels, ascii('HELP')).ok).toBe(true);
  });

  it('refuses what cannot be sent', () => {
    expect(words(add(panels, ascii('x'.repeat(257))))).toBe(
      'Command exceeds maximum length of 256 characters. Please shorten your command.',
    );
    expect(words(add(panels, hex('1 23')))).toBe('Hex string must have even number of characters');
    expect(words(add(panels, hex('B5 6X')))).toBe('Invalid hex characters detected');
    expect(words(add(panels, ascii('  ')))).toBe('Type a command first.');
    expect(words(add(panels, hex('')))).toBe('Type a command first.');
    expect(add(panels, ascii('x'.repeat(256))).ok).toBe(true);
  });

  it('refuses the fifty-first', () => {
    const full = [panelWith('a', ...Array.from({ length: 50 }, (_, index) => ascii(`${index}`)))];
    expect(words(add(full, ascii('one more')))).toMatch(/^Maximum of 50 pinned messages reached/);
    expect(refusal(add(full, ascii('7'))).code).toBe('command-exists');
  });

  it('needs a panel', () => {
    expect(words(addMessage(panels, 'x', ascii('info'), 'new'))).toBe('Device panel not found');
  });
});

describe('editing', () => {
  const panels: Panels = [panelWith('a', ascii('help'), ascii('info'))];
  const draft = { ...newMessage('', ascii('help')), timeoutMs: 500, expect: ascii('demo>') };

  it('changes the message in its place', () => {
    const after = done(editMessage(panels, 'a', 'a1', { ...draft, content: 'adc' }));
    expect(after[0]?.pinnedMessages[1]).toMatchObject({ id: 'a1', content: 'adc', timeoutMs: 500 });
  });

  it('does not take the message for a duplicate of itself', () => {
    expect(editMessage(panels, 'a', 'a0', draft).ok).toBe(true);
  });

  it('refuses what another message is already', () => {
    expect(refusal(editMessage(panels, 'a', 'a1', draft))).toEqual({
      ok: false,
      code: 'command-exists',
      existing: { panelId: 'a', messageId: 'a0' },
    });
  });

  it('refuses what cannot be sent, and a message that is gone', () => {
    expect(words(editMessage(panels, 'a', 'a1', { ...draft, content: '123', type: 'hex' }))).toBe(
      'Hex string must have even number of characters',
    );
    expect(refusal(editMessage(panels, 'a', 'x', draft)).code).toBe('message-not-found');
    expect(refusal(editMessage(panels, 'x', 'a1', draft)).code).toBe('panel-not-found');
  });

  it('leaves a message that is there twice as it is, and lets everything else of it be changed', () => {
    const twice: Panels = [panelWith('a', ascii('AT'), ascii('AT'))];
    expect(editMessage(twice, 'a', 'a1', { ...draft, content: 'AT' }).ok).toBe(true);
  });
});

describe('branches to a label that changes', () => {
  const to = (label: string) => ({ kind: 'goto', to: label }) as const;
  const flow: MessageFlow = {
    ...plainFlow,
    answers: [{ form: 'text', content: 'ERROR', go: to('Reset') }],
    otherwise: to('Reset'),
    spent: to('Other'),
  };
  const [branching, reset, other] = [ascii('AT'), ascii('reset'), ascii('other')].map((text, index) =>
    newMessage(`a${index}`, text),
  ) as [PinnedMessage, PinnedMessage, PinnedMessage];
  const panelOfThree = (label: string): Panels => [
    {
      ...newPanel('a', 'a'),
      pinnedMessages: [
        { ...branching, flow },
        { ...reset, label: 'Reset' },
        { ...other, label },
      ],
    },
  ];
  const flowAfter = (panels: Panels, label: string) =>
    done(editMessage(panels, 'a', 'a1', { ...reset, label }))[0]?.pinnedMessages[0]?.flow;

  it('lead to the new label', () => {
    expect(flowAfter(panelOfThree('Other'), ' Restart ')).toEqual({
      ...flow,
      answers: [{ form: 'text', content: 'ERROR', go: to('Restart') }],
      otherwise: to('Restart'),
    });
  });

  it.each([
    ['the label is removed', 'Other', ''],
    ['another message has the new label', 'Other', 'Other'],
    ['another message has the old label', 'Reset', 'Restart'],
  ])('stay when %s', (_when, label, renamed) => {
    expect(flowAfter(panelOfThree(label), renamed)).toBe(flow);
  });
});

describe('moving and copying', () => {
  const panels: Panels = [panelWith('a', ascii('one'), ascii('two'), ascii('three')), panelWith('b', ascii('two'))];
  const transfer = (change: Partial<Transfer>) =>
    transferMessage(panels, { from: 'a', messageId: 'a0', to: 'b', kind: 'move', copyId: 'copy', ...change });

  it('changes the order within a panel', () => {
    expect(contents(done(reorderMessage(panels, 'a', 'a2', 0)), 'a')).toEqual(['three', 'one', 'two']);
    expect(contents(done(reorderMessage(panels, 'a', 'a0', 9)), 'a')).toEqual(['two', 'three', 'one']);
    expect(contents(done(transfer({ to: 'a', index: 1 })), 'a')).toEqual(['two', 'one', 'three']);
  });

  it('takes a message to another panel', () => {
    const after = done(transfer({}));
    expect(contents(after, 'a')).toEqual(['two', 'three']);
    expect(contents(after, 'b')).toEqual(['two', 'one']);
    expect(contents(done(transfer({ index: 0 })), 'b')).toEqual(['one', 'two']);
  });

  it('copies with an id of its own', () => {
    const after = done(transfer({ kind: 'copy' }));
    expect(contents(after, 'a')).toEqual(['one', 'two', 'three']);
    expect(after[1]?.pinnedMessages.map(({ id }) => id)).toEqual(['b0', 'copy']);
  });

  it('refuses what the target panel has already, and moves nothing', () => {
    for (const kind of ['move', 'copy'] as const) {
      const refused = transfer({ messageId: 'a1', kind });
      expect(words(refused)).toBe('Message already exists in target panel');
      expect(refusal(refused).existing).toEqual({ panelId: 'b', messageId: 'b0' });
    }
  });

  it('refuses a copy into the same panel', () => {
    const refused = transfer({ to: 'a', kind: 'copy' });
    expect(words(refused)).toBe('Message already exists in this panel');
    expect(refusal(refused).existing).toEqual({ panelId: 'a', messageId: 'a0' });
  });

  it('refuses a panel that is gone or full', () => {
    expect(words(transfer({ to: 'x' }))).toBe('Device panel not found');
    expect(words(transfer({ from: 'x' }))).toBe('Device panel not found');
    expect(refusal(transfer({ messageId: 'x' })).code).toBe('message-not-found');
    const full = panelWith('b', ...Array.from({ length: 50 }, (_, index) => ascii(`${index}`)));
    const refused = transferMessage([panels[0] ?? full, full], {
      from: 'a',
      messageId: 'a0',
      to: 'b',
      kind: 'move',
      copyId: 'copy',
    });
    expect(refusal(refused).code).toBe('message-limit');
  });
});

/** A random user action. Few panels and few texts make collisions likely. */
type Act = (panels: Panels, newId: () => string) => PanelsChange;

const panelAt = (panels: Panels, place: number) => panels[place % (panels.length + 1)];
const messageAt = (panel: DevicePanel | undefined, place: number) =>
  panel?.pinnedMessages[place % (panel.pinnedMessages.length + 1)]?.id ?? 'gone';
const place = fc.nat({ max: 60 });
const text = fc.oneof(
  fc.nat({ max: 70 }).map((n) => ascii(`text ${n}`)),
  fc.nat({ max: 9 }).map((n) => hex(`0${n}`)),
);

const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Act>((panels, newId) => addPanel(panels, newId())) },
  {
    weight: 1,
    arbitrary: place.map(
      (at): Act =>
        (panels) =>
          removePanel(panels, panelAt(panels, at)?.id ?? 'gone'),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(place, place).map(
      ([at, to]): Act =>
        (panels) =>
          movePanel(panels, panelAt(panels, at)?.id ?? 'gone', to),
    ),
  },
  {
    weight: 30,
    arbitrary: fc.tuple(place, text).map(
      ([at, what]): Act =>
        (panels, newId) =>
          addMessage(panels, panelAt(panels, at)?.id ?? 'gone', what, newId()),
    ),
  },
  {
    weight: 5,
    arbitrary: fc.tuple(place, place, text).map(
      ([at, which, what]): Act =>
        (panels) => {
          const panel = panelAt(panels, at);
          return editMessage(panels, panel?.id ?? 'gone', messageAt(panel, which), { ...newMessage('', what) });
        },
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(place, place).map(
      ([at, which]): Act =>
        (panels) => {
          const panel = panelAt(panels, at);
          return removeMessage(panels, panel?.id ?? 'gone', messageAt(panel, which));
        },
    ),
  },
  {
    weight: 10,
    arbitrary: fc.tuple(place, place, place, place, fc.constantFrom('move' as const, 'copy' as const)).map(
      ([at, which, other, index, kind]): Act =>
        (panels, newId) => {
          const from = panelAt(panels, at);
          const to = panelAt(panels, other)?.id ?? 'gone';
          const messageId = messageAt(from, which);
          return transferMessage(panels, { from: from?.id ?? 'gone', messageId, to, kind, index, copyId: newId() });
        },
    ),
  },
);

describe('any sequence of changes', () => {
  it('keeps limits and unique ids, adds no duplicates, and changes nothing when refused', () => {
    fc.assert(
      fc.property(fc.array(acts, { maxLength: 150, size: 'max' }), fc.nat({ max: 50 }), (list, held) => {
        let ids = 0;
        const newId = () => `${ids++}`;
        let panels: Panels = [panelWith('a', ...Array.from({ length: held }, (_, index) => ascii(`held ${index}`)))];
        for (const act of list) {
          const before = structuredClone(panels);
          const change = act(panels, newId);
          expect(panels).toEqual(before);
          panels = change.ok ? change.panels : panels;
          checkRules(panels);
        }
      }),
      { numRuns: 40 },
    );
  });
});

function checkRules(panels: Panels): void {
  const messages = panels.flatMap(({ pinnedMessages }) => pinnedMessages);
  const ids = [...panels, ...messages].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(panels.length).toBeLessThanOrEqual(maxPanels);
  for (const { pinnedMessages } of panels) {
    expect(pinnedMessages.length).toBeLessThanOrEqual(maxPinnedMessages);
    const twice = pinnedMessages.filter((a) => pinnedMessages.some((b) => a !== b && sendsTheSame(a, b)));
    expect(twice).toEqual([]);
  }
}
