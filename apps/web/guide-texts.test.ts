import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type CompiledGuide, compileGuide, type Edition, guideFolders } from './guide-texts.ts';
import { serverNames } from './src/pages/docs/docs-links.ts';

const folder = mkdtempSync(join(tmpdir(), 'guide-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Compiles a guide with one chapter. */
function compile(chapter: string, edition: Edition = 'server'): CompiledGuide {
  writeFileSync(join(folder, 'guide.md'), '# Guide\n\nLead.\n\n## Chapter\n\n- [start](start.md)\n');
  writeFileSync(join(folder, 'start.md'), chapter);
  return compileGuide(folder, edition);
}

const section = (text: string) => `## Section {#section}\n\n${text}\n`;
const bodyOf = (text: string, edition?: Edition) =>
  compile(section(text), edition).texts.groups[0]?.pages[0]?.sections[0]?.body;

/** Faults without the folder: `start.md:3: …`. */
const faultsOf = (chapter: string, edition?: Edition) =>
  compile(chapter, edition).faults.map((fault) => fault.replace(/^[^:]*\//, ''));

describe('the guides of the product', () => {
  it.each(Object.entries(guideFolders))('compile without a fault in each edition that has them: %s', (name, path) => {
    const editions: readonly Edition[] = serverNames.includes(name) ? ['server'] : ['server', 'static'];
    for (const edition of editions) {
      const { faults, texts } = compileGuide(path, edition);
      expect(faults).toEqual([]);
      expect(texts.groups.length).toBeGreaterThan(2);
    }
  });
});

describe('Markdown of a guide', () => {
  it('becomes the parts that pages draw', () => {
    expect(bodyOf('Press **Connect**, *then* <kbd>Esc</kbd>\nor `x_{{limit}}`.')).toEqual([
      [
        'p',
        'Press ',
        ['b', 'Connect'],
        ', ',
        ['em', 'then'],
        ' ',
        ['kbd', 'Esc'],
        ' or ',
        ['code', 'x_{{limit}}'],
        '.',
      ],
    ]);
    expect(bodyOf('- one\n- [two](page:uart#a)\n\n1. first')).toEqual([
      ['ul', ['li', 'one'], ['li', ['a', 'page:uart#a', 'two']]],
      ['ol', ['li', 'first']],
    ]);
    expect(bodyOf('### More {#more}\n\n```json a.json\n{}\n```\n\n<steps>\n\n1. Stop.\n\n</steps>')).toEqual([
      ['h3', 'more', 'More'],
      ['pre', 'a.json', '{}'],
      ['steps', ['li', 'Stop.']],
    ]);
    expect(bodyOf('![Text](picture:lab "Caption")\n\n[Watch](video:lab)')).toEqual([
      ['img', 'lab', 'Text', 'Caption'],
      ['p', ['video', 'lab', 'Watch']],
    ]);
    expect(
      bodyOf('<table label="Limits" rows="limits" mono>\n\n| a | b |\n| - | - |\n| 1 | 2 `x` |\n\n</table>'),
    ).toEqual([['table', 'Limits', true, 'limits', ['a', 'b'], ['1', ['', '2 ', ['code', 'x']]]]]);
  });

  it('keeps what its edition has', () => {
    const text =
      'Both<server> one</server><static> other</static>.\n\n<server>\n\nMore.\n\n</server>\n\n' +
      '<table label="T">\n\n| a | b |\n| - | - |\n| <server>1</server> | 2 |\n\n</table>';
    expect(bodyOf(text)).toEqual([
      ['p', 'Both one.'],
      ['p', 'More.'],
      ['table', 'T', false, '', ['a', 'b'], ['1', '2']],
    ]);
    expect(bodyOf(text, 'static')).toEqual([
      ['p', 'Both other.'],
      ['table', 'T', false, '', ['a', 'b']],
    ]);
    expect(compile('## Server {#server server}\n', 'static').texts.groups).toEqual([]);
  });

  it.each([
    ['![Text](picture:nothing "Caption")', 'there is no picture picture:nothing in both themes'],
    ['![Text](picture:lab)', 'a picture needs a text for screen readers and a caption'],
    ['Before ![Text](picture:lab "Caption")', 'this part is not possible here: image'],
    ['[Watch](video:nothing)', 'there is no video nothing'],
    ['[x](#nothing)', 'the link leads to no anchor: #nothing'],
    ['[x](guide:flasher#nothing)', 'the link leads to no anchor: guide:flasher#nothing'],
    ['[x](guide:nothing)', 'the link leads nowhere: guide:nothing'],
    ['[x](page:nothing)', 'the link leads nowhere: page:nothing'],
    ['[x](http://example.org)', 'the link leads nowhere: http://example.org'],
    ['<blink>x</blink>', 'this part is not possible here: blink'],
    ['<kbd>x', 'this is no part, or has no end'],
    ['<steps>\n1. Stop.\n</steps>', 'this is no part, or has no end, or needs an empty line around it'],
    ['> quoted', 'this part is not possible here: blockquote'],
    ['- one\n\n  two', 'an item of a list is one paragraph'],
    ['### More', 'the heading needs an anchor'],
    ['### More {#section}', 'the guide has two anchors section'],
    ['### More {#more server}', 'only a section can be for one edition'],
    ['```\nx\n```', 'a sample of code needs a language and a name'],
    ['<table>\n\n| a |\n| - |\n\n</table>', 'a table is <table label="…">'],
    ['| a |\n| - |', 'this part is not possible here: table'],
  ])('refuses a mistake with its file and line: %j', (text, fault) => {
    expect(faultsOf(section(text))).toEqual([expect.stringContaining(`start.md:3: ${fault}`)]);
  });

  it('refuses text before the first section, and a chapter that is missing', () => {
    expect(faultsOf('Text.')).toEqual(['start.md:1: a file begins with the heading of a section: ## Title {#anchor}']);
    writeFileSync(join(folder, 'guide.md'), '# Guide\n\n## Chapter\n\n- [x](nothing.md)\n');
    expect(compileGuide(folder, 'server').faults).toEqual([
      expect.stringMatching(/nothing\.md:1: there is no such file$/),
    ]);
  });

  it('has pages of their own for files with a sentence, and refuses one without its full stop', () => {
    writeFileSync(join(folder, 'guide.md'), '# Guide\n\n## Chapter\n\n- [part](start.md)\n- [Task](task.md): Do it.\n');
    writeFileSync(join(folder, 'start.md'), '## One {#one}\n');
    writeFileSync(join(folder, 'task.md'), '## Two {#two}\n');
    expect(compileGuide(folder, 'server').texts.groups[0]?.pages).toEqual([
      { title: 'part', lead: '', sections: [{ id: 'one', title: 'One', body: [] }] },
      { title: 'Task', lead: 'Do it.', sections: [{ id: 'two', title: 'Two', body: [] }] },
    ]);
    writeFileSync(join(folder, 'guide.md'), '# Guide\n\n## Chapter\n\n- [Task](task.md) Do it\n');
    expect(compileGuide(folder, 'server').faults).toEqual([
      expect.stringMatching(/guide\.md:5: behind the link to a page are a colon and a sentence/),
    ]);
  });

  it('refuses a link to a guide that the static edition lacks', () => {
    expect(faultsOf(section('[x](guide:releases#overview)'))).toEqual([]);
    expect(faultsOf(section('[x](guide:releases#overview)'), 'static')).toEqual([
      'start.md:3: the link leads nowhere: guide:releases#overview',
    ]);
  });

  it('names its values and the rows of its tables with their places', () => {
    const { values, rows } = compile(
      section('{{a}} and {{b.c}}\n\n<table label="T" rows="r">\n\n| a |\n| - |\n\n</table>'),
    );
    const short = ({ name, place }: { name: string; place: string }) => `${name} ${place.replace(/^[^:]*\//, '')}`;
    expect(values.map(short)).toEqual(['a start.md:3', 'b.c start.md:3']);
    expect(rows.map(short)).toEqual(['r start.md:5']);
  });
});
