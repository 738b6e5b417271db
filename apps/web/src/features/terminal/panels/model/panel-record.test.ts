import { newMessage } from '@wirebench/runs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newPanel } from './device-panel.ts';
import { readPanel, writePanel } from './panel-record.ts';
import { panel } from './testing/arbitrary-panels.ts';

const stored = (change: object) => JSON.stringify({ ...JSON.parse(writePanel(newPanel('a', 'Panel 1'))), ...change });
const read = (change: object) => readPanel(stored(change)) ?? expect.unreachable();

describe('stored panel', () => {
  it('comes back as it was, whatever it holds', () => {
    fc.assert(
      fc.property(panel, (any) => {
        expect(readPanel(writePanel(any))).toEqual(any);
      }),
    );
  });

  it('is written with the field names that JKits and earlier versions use', () => {
    const text = { content: 'help', type: 'ascii' as const };
    const whole = {
      ...newPanel('a', 'Panel 1'),
      pinnedTargetPort: 2 as const,
      pinnedMessages: [newMessage('m', text)],
    };
    expect(JSON.parse(writePanel(whole))).toMatchObject({
      version: 1,
      id: 'a',
      pinnedTargetPort: 2,
      pinnedMessages: [text],
      collapsed: false,
      lineEnding: false,
      loadedJkit: null,
      isStarred: false,
      userId: null,
    });
  });

  it.each([[null], [''], ['{'], ['[]'], ['null'], ['{"version":2}'], ['"panel"']])('is null for %s', (text) => {
    expect(readPanel(text)).toBeNull();
  });

  it('loses one value for one that is wrong', () => {
    const panelRead = read({ pinnedTargetPort: 5, collapsed: 'yes', ending: 'tab', name: 7, lineEnding: true });
    expect(panelRead).toMatchObject({
      pinnedTargetPort: -1,
      collapsed: false,
      ending: null,
      lineEnding: true,
      id: 'a',
    });
    expect(panelRead.name).toBe('Panel');
  });

  it('never holds more than its limits', () => {
    const many = Array.from({ length: 60 }, (_, index) => `${index}`);
    const { pinnedMessages, name } = read({
      name: 'x'.repeat(99),
      pinnedMessages: ['y'.repeat(999), ...many],
      messageIds: [],
    });
    expect(pinnedMessages).toHaveLength(50);
    expect(pinnedMessages[0]?.content).toHaveLength(256);
    expect(name).toHaveLength(32);
  });

  it('gives ids to messages that have none, or the same', () => {
    const { pinnedMessages } = read({ pinnedMessages: ['a', 'b', 5, 'c', 'd'], messageIds: ['m', 'm', 'x', 1] });
    const ids = pinnedMessages.map(({ id }) => id);
    expect(ids[0]).toBe('m');
    expect(new Set(ids).size).toBe(4);
    expect(ids.every((id) => id.length > 0)).toBe(true);
  });

  it('is read, whatever stands in the storage', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...Object.keys(newPanel('', '')), 'messageIds'), fc.jsonValue()),
        (any) => {
          const { pinnedMessages, pinnedTargetPort } = read(any);
          expect(pinnedMessages.length).toBeLessThanOrEqual(50);
          expect([-1, 1, 2, 3, 4]).toContain(pinnedTargetPort);
        },
      ),
    );
  });
});
