import { newMessage, readJkitFile } from '@wirebench/runs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newPanel } from './device-panel.ts';
import { panelFromJkit } from './jkit-content.ts';
import { writeJkitFile } from './jkit-file.ts';
import { panel as anyPanel } from './testing/arbitrary-panels.ts';

const load = (text: string, name = 'board.json') => panelFromJkit(newPanel('b', 'B'), readJkitFile(text, name));

describe('a JKit file', () => {
  it('gives messages, waits, pauses, repetitions and line ending back', () => {
    fc.assert(
      fc.property(anyPanel, (panel) => {
        const loaded = load(writeJkitFile(panel).text);
        const plain = ({ id: _id, ...message }: (typeof panel.pinnedMessages)[number]) => message;
        expect(loaded.ok && loaded.panel.pinnedMessages.map(plain)).toEqual(panel.pinnedMessages.map(plain));
        expect(loaded.ok && [loaded.panel.lineEnding, loaded.panel.ending]).toEqual([panel.lineEnding, panel.ending]);
      }),
    );
  });

  it('is JSON with a fields array that a person can read', () => {
    const panel = {
      ...newPanel('a', 'GNSS setup'),
      pinnedMessages: [newMessage('m', { content: 'AT', type: 'ascii' })],
    };
    const { name, text } = writeJkitFile(panel);
    expect(name).toBe('GNSS-setup.json');
    expect(text).toContain('\n  "fields": [\n');
    expect(JSON.parse(text)).toEqual({
      name: 'GNSS setup',
      fields: [{ content: 'AT', type: 'ascii' }],
      settings: { lineEnding: false },
    });
  });

  it('is named after the jkit that was loaded, without what a file system does not take', () => {
    const named = (name: string) => writeJkitFile({ ...newPanel('a', 'A'), loadedJkit: { name } }).name;
    expect(named('u-blox M10: polling')).toBe('u-blox-M10-polling.json');
    expect(named('../../Grüße')).toBe('Grüße.json');
    expect(named('//')).toBe('jkit.json');
  });

  it('does not name the owner of the jkit, and does not believe it', () => {
    const loadedJkit = { _id: 'x', name: 'Polls', publisher: 'gnss-hut', rating: 5, tags: ['GNSS'], version: '1.3' };
    const { text } = writeJkitFile({ ...newPanel('a', 'A'), loadedJkit });
    expect(text).not.toContain('gnss-hut');
    const loaded = load(JSON.stringify({ ...JSON.parse(text), publisher: 'somebody' }));
    expect(loaded.ok && loaded.panel.loadedJkit).toEqual({ name: 'Polls', tags: ['GNSS'], version: '1.3' });
  });

  it.each([
    ['a bare content', { fields: ['AT'] }],
    ['a jkit of the server', { name: 'x', content: '{"fields":["AT"]}' }],
    ['an answer of the server', { data: { name: 'x', content: '{"fields":["AT"]}' } }],
    ['a content that is not text', { content: { fields: ['AT'] } }],
  ])('may be %s', (_name, root) => {
    const loaded = load(JSON.stringify(root));
    expect(loaded.ok && loaded.panel.pinnedMessages.map(({ content }) => content)).toEqual(['AT']);
  });

  it('takes the name of the file when it says none', () => {
    const loaded = load('{"fields":[]}', 'modbus.JSON');
    expect(loaded.ok && loaded.panel.loadedJkit).toEqual({ name: 'modbus' });
  });

  it.each([
    ['AT', 'jkit-format'],
    ['[]', 'jkit-format'],
    ['{}', 'jkit-without-fields'],
    ['{"content":"{}"}', 'jkit-without-fields'],
    ['{"content":"AT"}', 'jkit-format'],
  ])('is refused with %s in it', (text, code) => {
    expect(load(text)).toEqual({ ok: false, code });
  });
});
