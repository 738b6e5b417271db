import { describe, expect, it } from 'vitest';
import { stringsOfHtml } from './html-strings.ts';
import { stringsOfSource } from './source-strings.ts';

const textsOf = (source: string) => stringsOfSource('page.tsx', source).map(({ text }) => text);

describe('strings of a source', () => {
  it('holds a sentence of JSX in one piece, with its links and values', () => {
    const source = `const page = (
      <section>
        <p>
          Read <a href="/docs">the guide</a> of{' '}
          {product}, {count === 1 ? 'one page' : \`\${count} pages\`}.
        </p>
        <ul><li>First</li><li>Second</li></ul>
      </section>
    );`;
    expect(textsOf(source)).toEqual(['Read the guide of {product}, [one page / {count} pages].', 'First', 'Second']);
  });

  it('gives the line on which each text begins', () => {
    expect(stringsOfSource('a.tsx', 'const a = 1;\nconst b = (\n  <p>\n    Two words\n  </p>\n);\n')).toEqual([
      { line: 4, text: 'Two words' },
    ]);
  });

  it('holds attributes that are read or heard, on elements and components', () => {
    const source =
      '<img alt="board" /> ; <Button label={busy ? "Stopping…" : "Stop"} className="Big Button" note="Two words" />;';
    expect(textsOf(source)).toEqual(['board', '[Stopping… / Stop]', 'Two words']);
  });

  it('holds tables of messages, thrown errors and words of a call', () => {
    const source = `
      const texts = { 'port-busy': 'Another tab holds this port.', gone: 'Unplugged', kind: 'plain' } satisfies Texts;
      throw new Error(\`File \${name} is \` + 'too long');
      const line = <p title={count(3, 'board is there')}>{value}</p>;`;
    expect(textsOf(source)).toEqual([
      'Another tab holds this port.',
      'Unplugged',
      'File {name} is too long',
      'board is there',
    ]);
  });

  it('leaves out what machines read', () => {
    const source = `import a from './Some File.ts';
      type Mode = 'Two words';
      const rule = sql\`select two words from here\`;
      if (event.key === 'Escape') { open('/app/uart'); }
      const css = 'p { color: red;\\n two words }';
      const node = <p className="Two words" id="Three more words">{styles.row}</p>;`;
    expect(textsOf(source)).toEqual([]);
  });

  it('reads HTML in a string by its elements', () => {
    const source =
      'const page = `<h1>Sign out</h1><p>Good bye, <b>' + '$' + '{name}</b></p><style>p { margin: 0; }</style>`;';
    expect(textsOf(source)).toEqual(['Sign out', 'Good bye, {name}']);
  });

  it('says which source cannot be read', () => {
    expect(() => textsOf('const = ;')).toThrow('page.tsx cannot be parsed');
  });
});

describe('strings of a document', () => {
  it('holds title, description, text and attributes, and no script', () => {
    const document = `<!doctype html><html lang="en"><head>
      <meta name="viewport" content="width=device-width">
      <meta name="description" content="A bench">
      <title>Bench</title><script>var x = "Two words";</script></head>
      <body><noscript>Needs <b>JavaScript</b>.</noscript><img alt="A board"></body></html>`;
    expect(stringsOfHtml(document).map(({ line, text }) => [line, text])).toEqual([
      [3, 'A bench'],
      [4, 'Bench'],
      [5, 'Needs JavaScript.'],
      [5, 'A board'],
    ]);
  });
});
