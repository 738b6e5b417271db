import { describe, expect, it } from 'vitest';
import { type DocsPassage, passagesIn, searchDocs } from './docs-search.ts';

const passages: DocsPassage[] = [
  { id: 'a', heading: 'Connecting', section: 'Connecting', text: 'Press Connect and pick the board. '.repeat(5) },
  { id: 'b', heading: 'Baud rate', section: 'Settings', text: 'Both sides must agree.' },
  { id: 'c', heading: 'Other', section: 'Other', text: 'What the baud rate of a board is.' },
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
      { id: 'd', heading: 'Typing', section: 'Typing', text: 'Control characters are sent as keys.' },
      { id: 'e', heading: 'Screen', section: 'Screen', text: 'A board with a prompt.' },
      { id: 'f', heading: 'Looks', section: 'Looks', text: 'ANSI sequences are shown as a terminal does.' },
    ];
    expect(searchDocs([...passages, ...more], query).map(({ passage }) => passage.id)).toContain(id);
  });

  it('shows what was typed before what is only called alike', () => {
    const alike = { id: 'g', heading: 'Bit rate', section: 'Settings', text: 'Set the speed first.' };
    expect(searchDocs([alike, ...passages], 'baud rate').map(({ passage }) => passage.id)).toEqual(['b', 'c', 'g']);
    expect(searchDocs([alike, ...passages], 'baudrate').map(({ passage }) => passage.id)).toEqual(['g', 'b', 'c']);
  });

  it('shows whole words around what was found', () => {
    const [hit] = searchDocs(passages, 'pick');
    expect(hit?.excerpt).toMatch(/pick the board/);
    expect(hit?.excerpt.length).toBeLessThan(110);
  });

  it('reads an article by its headings', () => {
    const article = document.createElement('article');
    article.innerHTML =
      '<section id="one"><h2 data-title="One">One #</h2><p>First <b>text</b></p><ul><li>a</li><li>b</li></ul>' +
      '<h3 id="one-more" data-title="More">More #</h3><p>Second</p></section>';
    expect(passagesIn(article)).toEqual([
      { id: 'one', heading: 'One', section: 'One', text: 'First text a b' },
      { id: 'one-more', heading: 'More', section: 'One', text: 'Second' },
    ]);
  });
});
