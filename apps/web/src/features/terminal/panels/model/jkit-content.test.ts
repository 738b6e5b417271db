import type { Jkit } from '@wirebench/runs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DevicePanel, newPanel } from './device-panel.ts';
import { jkitFromPanel, panelFromJkit } from './jkit-content.ts';
import { panelFailureText } from './panel-failure.ts';
import { panel } from './testing/arbitrary-panels.ts';

const blank: DevicePanel = { ...newPanel('a', 'Gateway'), pinnedTargetPort: 3, collapsed: true };
const jkit = (content: unknown): Jkit => ({
  _id: 'jkit',
  name: 'esp-at-console',
  publisher: 'maker',
  content: typeof content === 'string' ? content : JSON.stringify(content),
});

function load(content: unknown, into: DevicePanel | undefined = blank) {
  const loaded = panelFromJkit(into, jkit(content));
  return loaded.ok ? loaded : expect.unreachable(loaded.code);
}

function failure(content: unknown, into: DevicePanel | undefined = blank) {
  const loaded = panelFromJkit(into, jkit(content));
  return loaded.ok ? expect.unreachable() : panelFailureText[loaded.code];
}

describe('loading a jkit', () => {
  it('takes the place of the messages and the line ending, and of nothing else', () => {
    const { panel: loaded, warnings } = load({
      fields: ['AT', { content: 'B5 62', type: 'hex' }],
      settings: { lineEnding: true },
    });
    expect(loaded.pinnedMessages.map(({ content, type }) => [content, type])).toEqual([
      ['AT', 'ascii'],
      ['B5 62', 'hex'],
    ]);
    expect(loaded).toMatchObject({ id: 'a', name: 'Gateway', pinnedTargetPort: 3, collapsed: true, lineEnding: true });
    expect(loaded.loadedJkit).toEqual({ _id: 'jkit', name: 'esp-at-console', publisher: 'maker' });
    expect(new Set(loaded.pinnedMessages.map(({ id }) => id)).size).toBe(2);
    expect(warnings).toEqual([]);
  });

  it('knows the endings that the boolean cannot say', () => {
    expect(load({ fields: [], settings: { lineEnding: true, ending: 'cr' } }).panel).toMatchObject({ ending: 'cr' });
    expect(load({ fields: [] }).panel).toMatchObject({ lineEnding: false, ending: null });
  });

  it('refuses what is no jkit', () => {
    for (const content of ['', '{', '7', '[]', 'null', '"AT"']) {
      expect(failure(content)).toBe('Invalid jkit format');
    }
    for (const content of [{}, { fields: 'AT' }, { fields: { 0: 'AT' } }, { settings: {} }]) {
      expect(failure(content)).toBe('Invalid jkit format - no fields array found');
    }
  });

  it('needs a panel', () => {
    const loaded = panelFromJkit(undefined, jkit({ fields: [] }));
    expect(loaded).toEqual({ ok: false, code: 'no-panel-for-jkit' });
    expect(panelFailureText['no-panel-for-jkit']).toBe('No device instance available to load jkit');
  });

  it('cuts messages of more than 256 characters, and says so', () => {
    const { panel: loaded, warnings } = load({ fields: ['x'.repeat(257), 'y'.repeat(256), 'z'.repeat(1_000)] });
    expect(loaded.pinnedMessages.map(({ content }) => content.length)).toEqual([256, 256, 256]);
    expect(warnings).toEqual(['2 messages were longer than 256 characters and were truncated.']);
  });

  it('takes the first 50 messages, and says so', () => {
    const { panel: loaded, warnings } = load({ fields: Array.from({ length: 63 }, (_, index) => `${index}`) });
    expect(loaded.pinnedMessages).toHaveLength(50);
    expect(loaded.pinnedMessages[49]?.content).toBe('49');
    expect(warnings).toEqual(['This JKit has 63 messages. Only the first 50 were loaded.']);
  });

  it('leaves out what is no message, and says so', () => {
    const { panel: loaded, warnings } = load({ fields: ['AT', 5, null] });
    expect(loaded.pinnedMessages).toHaveLength(1);
    expect(warnings).toEqual(['2 entries of this JKit are not messages and were left out.']);
  });
});

describe('a jkit', () => {
  it('is saved without loss after it was loaded', () => {
    const content = {
      fields: [
        { content: 'AT', type: 'ascii', expect: 'OK', timeoutMs: 300, delayMs: 10, repeat: 2, colour: 'red' },
        { content: 'B5', type: 'hex', expect: { content: 'AB', type: 'ascii' }, timeoutMs: 1_000 },
        { content: 'AT', type: 'ascii' },
      ],
      settings: { lineEnding: true, ending: 'none', baudRate: 9_600 },
      comment: 'from the field',
    };
    expect(JSON.parse(jkitFromPanel(load(content).panel))).toEqual(content);
  });

  it('keeps a setting that it does not understand', () => {
    const content = { fields: [], settings: { lineEnding: false, ending: 'tab' } };
    expect(JSON.parse(jkitFromPanel(load(content).panel))).toEqual(content);
  });

  it('gives any panel back', () => {
    fc.assert(
      fc.property(panel, (any) => {
        const { panel: loaded, warnings } = load(jkitFromPanel(any));
        const bare = ({ pinnedMessages, lineEnding, ending, jkitKept }: DevicePanel) => ({
          lineEnding,
          ending,
          jkitKept,
          messages: pinnedMessages.map(({ id, ...message }) => message),
        });
        expect(bare(loaded)).toEqual(bare(any));
        expect(warnings).toEqual([]);
      }),
    );
  });
});
