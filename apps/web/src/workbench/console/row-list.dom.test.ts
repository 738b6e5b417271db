import { beforeEach, describe, expect, it } from 'vitest';
import type { PaintedRow } from '../../protocol/rows/painted-row.ts';
import type { NoticeIcons } from './row-element.ts';
import { RowList } from './row-list.ts';

const icon = () => document.createElementNS('http://www.w3.org/2000/svg', 'svg');
const icons: NoticeIcons = { info: icon(), success: icon(), warning: icon(), error: icon() };

function row(sequence: number, more: Partial<PaintedRow> = {}): PaintedRow {
  return {
    sequence,
    part: 0,
    port: 1,
    direction: 'received',
    level: null,
    at: 0,
    lineLength: 10,
    open: false,
    text: `line ${sequence}`,
    runs: [],
    offset: null,
    characters: null,
    characterRuns: [],
    cut: false,
    ending: '',
    ...more,
  };
}

const rows = (from: number, count: number) => Array.from({ length: count }, (_, index) => row(from + index));

describe('row list', () => {
  let list: RowList;
  const show = (shown: readonly PaintedRow[]) => list.show({ first: 0, total: 1_000, rows: shown });
  const texts = () => [...list.root.children].map((child) => child.textContent?.replace(/^.*[←→]/, ''));
  beforeEach(() => {
    list = new RowList(icons);
    show(rows(100, 10));
  });

  it('has its rows in the order in which they are read', () => {
    for (const from of [100, 103, 101, 97, 300, 300, 295]) {
      show(rows(from, 10));
      expect(texts()).toEqual(rows(from, 10).map(({ text }) => text));
    }
  });

  it('writes only rows that are new, and says how many', () => {
    const kept = list.root.children[4];
    expect(show(rows(103, 10))).toBe(3);
    expect(list.root.children[1]).toBe(kept);
    expect(show(rows(99, 10))).toBe(4);
    expect(list.root.children[5]).toBe(kept);
    expect(show(rows(500, 10))).toBe(10);
  });

  it('updates a line that has grown', () => {
    show([...rows(100, 9), row(109, { lineLength: 20, text: 'line 109 goes on', open: true })]);
    expect(texts().at(-1)).toBe('line 109 goes on');
  });

  it('shows fewer rows when there are fewer', () => {
    show(rows(100, 2));
    expect(texts()).toEqual(['line 100', 'line 101']);
    show([]);
    expect(texts()).toEqual([]);
  });

  it('never takes what a device says for markup', () => {
    show([row(1, { text: '<img src=x onerror=alert(1)>', runs: [{ start: 0, end: 4, style: 1 }] })]);
    expect(list.root.querySelector('img')).toBeNull();
    expect(texts()).toEqual(['<img src=x onerror=alert(1)>']);
  });

  it('marks port, direction and level of each row, and forgets them with the row', () => {
    show([row(1, { direction: 'notice', level: 'error', port: null }), row(2, { direction: 'sent', port: 3 })]);
    const [notice, sent] = list.root.children;
    expect(notice).toMatchObject({ dataset: { direction: 'notice', level: 'error' } });
    expect(notice?.querySelector('svg')).not.toBeNull();
    expect(sent).toMatchObject({ dataset: { direction: 'sent', port: '3' } });
    show([row(5), row(6)]);
    expect(notice).not.toHaveProperty('dataset.level');
    expect(notice?.querySelector('svg')).toBeNull();
  });

  it('says beside a row what is wrong with its frame, and where a frame begins in the hex layout', () => {
    const hex = { fault: 'Invalid frame', offset: '0000', characters: 'ab' } as const;
    show([row(1, { fault: 'Incomplete frame' }), row(2, hex), row(2, { ...hex, part: 1 }), row(3)]);
    const faults = [...list.root.children].map(
      (child) => child.querySelector<HTMLElement>('[data-fault]')?.dataset['fault'],
    );
    expect(faults).toEqual(['Incomplete frame', 'Invalid frame', 'Invalid frame', undefined]);
    expect([...list.root.querySelectorAll('[data-hex=first]')]).toHaveLength(1);
    show([row(4), row(5)]);
    expect(list.root.querySelector('[data-fault]')).toBeNull();
  });

  it('gives the colour of its port to the cells of a row that have it, and takes it back', () => {
    const coloured = () => [...list.root.querySelectorAll('[data-port-colour]')].map(({ tagName }) => tagName);
    show([row(1, { port: 2 })]);
    expect(coloured()).toEqual(['I', 'B']);
    expect(list.root.querySelectorAll('[data-port-colour="2"]')).toHaveLength(2);
    show([row(2, { direction: 'notice', level: 'info', port: null })]);
    expect(coloured()).toEqual([]);
  });

  it('knows the longest row seen until there are none', () => {
    show([row(1, { text: 'x'.repeat(300) })]);
    show(rows(2, 3));
    expect(list.columns).toBe(302);
    list.show({ first: 0, total: 0, rows: [] });
    expect(list.columns).toBe(0);
  });

  it('finds the row that an element belongs to', () => {
    expect(list.rowOf(list.root.children[3]?.firstElementChild ?? list.root)?.sequence).toBe(103);
    expect(list.rowOf(document.body)).toBeUndefined();
  });
});
