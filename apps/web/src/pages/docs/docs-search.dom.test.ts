import { describe, expect, it } from 'vitest';
import type { DocsDocument } from './docs-model.ts';
import { type DocsPassage, passagesOf, searchDocs } from './docs-search.ts';

const place = { guide: 'terminal', page: '' } as const;

const passages: DocsPassage[] = [
  {
    ...place,
    id: 'a',
    heading: 'Connecting',
    section: 'Connecting',
    text: 'Press Connect and pick the board. '.repeat(5),
  },
  { ...place, id: 'b', heading: 'Baud rate', section: 'Settings', text: 'Both sides must agree.' },
  { ...place, id: 'c', heading: 'Other', section: 'Other', text: 'What the baud rate of a board is.' },
];

const found = (query: string) => searchDocs(passages, query).map(({ passage }) => passage.id);

describe('search in the documentation', () => {
  it('wants all words, in part and in any case, headings first', () => {
    expect(found('BAUD')).toEqual(['b', 'c']);
    expect(found('boa bau')).toEqual(['c']);
    expect(found('nothing here')).toEqual([]);
    expect(found('  ')).toEqual([]);
  });

  it.each([
    ['ctrl-c', 'd'],
    ['Ctrl+C', 'd'],
    ['micropython', 'e'],
    ['repl', 'e'],
    ['vt100', 'f'],
  ])('finds what the guides call otherwise: %s', (query, id) => {
    const more: DocsPassage[] = [
      { ...place, id: 'd', heading: 'Typing', section: 'Typing', text: 'Control characters are sent as keys.' },
      { ...place, id: 'e', heading: 'Screen', section: 'Screen', text: 'A board with a prompt.' },
      { ...place, id: 'f', heading: 'Looks', section: 'Looks', text: 'ANSI sequences are shown as a terminal does.' },
    ];
    expect(searchDocs([...passages, ...more], query).map(({ passage }) => passage.id)).toContain(id);
  });

  it('shows what was typed before what is only called alike', () => {
    const alike = { ...place, id: 'g', heading: 'Bit rate', section: 'Settings', text: 'Set the speed first.' };
    expect(searchDocs([alike, ...passages], 'baud rate').map(({ passage }) => passage.id)).toEqual(['b', 'c', 'g']);
    expect(searchDocs([alike, ...passages], 'baudrate').map(({ passage }) => passage.id)).toEqual(['g', 'b', 'c']);
  });

  it('shows whole words around what was found', () => {
    const [hit] = searchDocs(passages, 'pick');
    expect(hit?.excerpt).toMatch(/pick the board/);
    expect(hit?.excerpt.length).toBeLessThan(110);
  });

  it('reads a guide by its headings, with values, tables from code, and the page of each', () => {
    const document: DocsDocument = {
      title: 'Guide',
      lead: 'Lead.',
      values: { n: 3 },
      rows: { more: [['E1', 'What']] },
      groups: [
        {
          name: 'Chapter',
          pages: [
            {
              title: 'start',
              lead: '',
              sections: [
                {
                  id: 'one',
                  title: 'One',
                  body: [
                    ['p', 'First ', ['b', 'text'], ' of {{n}}.'],
                    ['ul', ['li', 'a'], ['li', 'b']],
                    ['h3', 'one-more', 'More'],
                    ['p', 'See ', ['a', '#two', 'there'], '.'],
                  ],
                },
              ],
            },
            {
              title: 'Task',
              lead: 'Sentence.',
              sections: [{ id: 'two', title: 'Two', body: [['table', 'T', false, 'more', ['Code', 'Means']]] }],
            },
          ],
        },
      ],
    };
    expect(passagesOf('flasher', document)).toEqual([
      { guide: 'flasher', page: '', id: 'one', heading: 'One', section: 'One', text: 'First text of 3. a b' },
      { guide: 'flasher', page: '', id: 'one-more', heading: 'More', section: 'One', text: 'See there.' },
      { guide: 'flasher', page: 'Task', id: 'two', heading: 'Two', section: 'Two', text: 'Code Means E1 What' },
    ]);
  });
});
