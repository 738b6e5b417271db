import { describe, expect, it } from 'vitest';
import { commentsOf, findUnclearComments, findUnclearNames } from './comments.ts';

const problemsIn = (text: string) => findUnclearComments([{ path: 'a.ts', text }]).map(({ problem }) => problem);

/** Comments are put together here, because the check reads this file too. */
const doc = (text: string) => `/** ${text} */\nexport const a = 1;\n`;
const line = (text: string) => `  // ${text}\n  run();\n`;

describe('the wording of comments', () => {
  it.each(['What', 'Which', 'Whose', 'Whoever', 'How', 'Why', 'Where', 'Whether', 'Of', 'That', 'Those', 'So', 'As'])(
    'refuses a comment that opens with %s',
    (opener) => {
      for (const text of [doc(`${opener} rows are shown.`), line(`${opener} rows are shown.`)]) {
        expect(problemsIn(text)).toContainEqual(expect.stringContaining(`opens with "${opener}"`));
      }
    },
  );

  it.each([
    'Repaints: the content of the rows has changed.',
    'Offset of the first row, in pixels.',
    'Whole lines only.',
    'Assumes little endian.',
  ])('accepts a comment that opens with a verb or with the thing: %s', (text) => {
    expect(problemsIn(doc(text) + line(text))).toEqual([]);
  });

  it.each(['anew', 'as ever', 'at hand', 'meanwhile', 'whoever', 'nobody', 'is none', 'are told', 'let go of'])(
    'refuses "%s" anywhere in a comment, and says what to write instead',
    (word) => {
      expect(problemsIn(doc(`Reads the row and the port ${word} the caller.`))).toEqual([
        expect.stringMatching(/^line 1: ".*": /),
      ]);
    },
  );

  it('reads the first line of a block and of a run of line comments', () => {
    const block = `/**\n * ${'Whose'} port.\n */\n`;
    const run = `// Keeps the port.\n// ${'Whose'} port it is follows from the first line.\n`;
    expect(problemsIn(block)).toHaveLength(1);
    expect(problemsIn(run)).toEqual([]);
  });

  it('leaves code and strings alone', () => {
    expect(problemsIn(`const text = 'nobody'; // trailing\nconst url = "${'http:'}//meanwhile";\n`)).toEqual([]);
  });

  it('names the line on which a comment begins', () => {
    expect(commentsOf('a();\n\n/**\n * One.\n * Two.\n */\nb();\n// Three.\n// Four.\n')).toEqual([
      { line: 3, text: 'One.\nTwo.' },
      { line: 8, text: 'Three.\n Four.' },
    ]);
  });
});

describe('the wording of test names', () => {
  const problemsOf = (text: string) => findUnclearNames([{ path: 'a.test.ts', text }]).map(({ problem }) => problem);
  /** Calls are put together here, because the check reads this file too. */
  const call = (start: string, name: string) => `${start}('${name}', () => {});`;

  it.each(['of', 'that', 'who', 'whose', 'what', 'Where'])('refuses a name that opens with %s', (opener) => {
    expect(problemsOf(call('it', `${opener} a port is open`))).toEqual([
      expect.stringContaining(`opens with "${opener.toLowerCase()}"`),
    ]);
  });

  it('refuses banned wording in every kind of call', () => {
    const name = 'an answer is none';
    const starts = [
      'describe',
      'test',
      'it.skip',
      "it.each([[1, f('x')], [2, g(h(3))]])",
      'describe.each<[number]>([[1]])',
    ];
    expect(starts.map((start) => problemsOf(call(start, name)).length)).toEqual([1, 1, 1, 1, 1]);
    expect(problemsOf(`it(\n  \`${'an answer'} is none\`,\n  f,\n)`)).toHaveLength(1);
  });

  it('accepts full statements and calls of other names', () => {
    const name = 'rejects an undefined escape and reads the next frame';
    expect(problemsOf(`${call('it', name)}${call('split', 'of none')}${call('a.edit', 'that')}`)).toEqual([]);
  });
});
