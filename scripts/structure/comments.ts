/**
 * Wording of comments and of test names (CONTRIBUTING.md, "Words"). Both open with a verb or with the thing itself, and use the field's
 * words. The check reads whole-line comments (doc comments, blocks and runs of line comments), and the names that are
 * given to `describe`, `it` and `test`.
 */
import { type Expression, parseSync, Visitor } from 'oxc-parser';
import type { Finding } from './arrows.ts';
import type { SourceFile } from './source-files.ts';

/** Words that open a clause without a verb of its own. A reader learns the subject only at its end, or never. */
const clauseOpeners =
  /^(What|Which|Whose|Who|Whom|Whoever|Whatever|Whichever|How|Why|Where|Wherever|Whether|Of|That|Those|So|As)\b/;

/** Banned wording, each with what to write instead. */
const bannedWords: readonly (readonly [RegExp, string])[] = [
  [/\banew\b/i, '"anew": write again, or name the action (retry, restart)'],
  [/\bas ever\b/i, '"as ever": write unchanged, or say what stays'],
  [/\bat hand\b/i, '"at hand": write current or available'],
  [/\bmeanwhile\b/i, '"meanwhile": name the action during which it happens'],
  [
    /\b(whoever|nobody|somebody)\b/i,
    '"whoever", "nobody", "somebody": name the subject (the caller, the guest, the chip, the user)',
  ],
  [/\bfor who\b/i, '"for who": write for the user who, or name the role'],
  [/(?<!\bthere )\b(is|are) none\b/i, '"is none": say what it is, or use not'],
  [/\b(is|are|be|was) told\b(?! apart)/i, '"is told": write receives or is informed'],
  [/\bcomes? to nothing\b/i, '"comes to nothing": write fails, or is empty'],
  [/\b(let|lets|letting) go of\b/i, '"let go of": write release'],
  [/\bgone on with\b/i, '"gone on with": write continued'],
];

interface Comment {
  /** 1-based line of the source. */
  readonly line: number;
  readonly text: string;
}

/** Returns the whole-line comments of a source. Consecutive line comments are one comment. */
export function commentsOf(text: string): Comment[] {
  const comments: { line: number; text: string }[] = [];
  let block: { line: number; text: string } | null = null;
  let isRun = false;
  for (const [index, source] of text.split('\n').entries()) {
    const line = source.trim();
    if (block !== null) {
      block.text += `\n${line.replace(/\*\/.*$/, '').replace(/^\*\s?/, '')}`;
      block = line.includes('*/') ? null : block;
      continue;
    }
    const start = /^\{?\/\*+(.*)$/.exec(line);
    if (start !== null) {
      const comment = { line: index + 1, text: (start[1] ?? '').replace(/\*\/.*$/, '') };
      comments.push(comment);
      block = line.includes('*/') ? null : comment;
      isRun = false;
      continue;
    }
    const run = /^\/\/+(.*)$/.exec(line);
    const last = comments.at(-1);
    if (run !== null && isRun && last !== undefined) {
      last.text += `\n${run[1] ?? ''}`;
    } else if (run !== null) {
      comments.push({ line: index + 1, text: run[1] ?? '' });
    }
    isRun = run !== null;
  }
  return comments.map(({ line, text: said }) => ({ line, text: said.trim() }));
}

/** Returns comments that open with a clause, and comments with banned wording. */
export function findUnclearComments(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path, text }) =>
    commentsOf(text).flatMap((comment) => {
      const at = `line ${comment.line}`;
      const opener = clauseOpeners.exec(comment.text)?.[0];
      const opened =
        opener === undefined
          ? []
          : [`${at}: the comment opens with "${opener}": start with a verb or with the thing itself`];
      const banned = bannedWords.filter(([word]) => word.test(comment.text)).map(([, advice]) => `${at}: ${advice}`);
      return [...opened, ...banned].map((problem) => ({ path, problem }));
    }),
  );
}

/** Returns true for what a test calls: `it`, `test.skip`, `describe.each(table)`. */
function isTestCall(callee: Expression): boolean {
  if (callee.type === 'Identifier') {
    return ['describe', 'it', 'test'].includes(callee.name);
  }
  if (callee.type === 'MemberExpression' && !callee.computed) {
    return modifiers.has(callee.property.name) && isTestCall(callee.object);
  }
  return callee.type === 'CallExpression' && callee.callee.type === 'MemberExpression' && isTestCall(callee.callee);
}

const modifiers = new Set([
  'only',
  'skip',
  'concurrent',
  'sequential',
  'fails',
  'each',
  'for',
  'skipIf',
  'runIf',
  'describe',
  'step',
]);

/** Returns the literal names that a source gives to its tests. */
function testNamesOf({ path, text }: SourceFile): readonly string[] {
  const names: string[] = [];
  const visitor = new Visitor({
    CallExpression({ callee, arguments: [first] }) {
      const isName =
        first?.type === 'TemplateLiteral' || (first?.type === 'Literal' && typeof first.value === 'string');
      if (isName && isTestCall(callee)) {
        names.push(text.slice(first.start + 1, first.end - 1));
      }
    },
  });
  visitor.visit(parseSync(path, text).program);
  return names;
}

/** Returns names of tests that open with a clause, and names with banned wording. */
export function findUnclearNames(tests: readonly SourceFile[]): Finding[] {
  return tests.flatMap(({ path, text }) =>
    testNamesOf({ path, text }).flatMap((name) => {
      const opener = clauseOpeners.exec(`${name.charAt(0).toUpperCase()}${name.slice(1)}`)?.[0];
      const problems = bannedWords.filter(([word]) => word.test(name)).map(([, advice]) => advice);
      if (opener !== undefined) {
        problems.unshift(`it opens with "${opener.toLowerCase()}": start with a verb or with the thing itself`);
      }
      return problems.map((problem) => ({ path, problem: `the test name "${name}": ${problem}` }));
    }),
  );
}
