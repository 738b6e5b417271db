/**
 * `npm run test:mutants -- <folder or file> [--tests <filter>]`: plants one fault at a time in sources, and names those
 * that no test notices. Tests are those of the folder unless `--tests` names others. The last line is the score.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { parseSync, Visitor } from 'oxc-parser';
import { root } from './build/web.ts';
import { compileModulesOnce } from './test/compile-cache.ts';

interface Mutant {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Operators with one that a mistake would put in their place. */
const swapped: Readonly<Record<string, string>> = {
  ...{ '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===' },
  ...{ '+': '-', '-': '+', '*': '/', '/': '*', '%': '*', '&&': '||', '||': '&&', '??': '&&' },
  ...{ '<<': '>>', '>>': '<<', '>>>': '<<', '&': '|', '|': '&', '+=': '-=', '-=': '+=' },
};

/** Returns the faults that can be planted in a source: another operator, number or truth, a condition that always holds. */
function mutantsOf(path: string, source: string): readonly Mutant[] {
  const mutants: Mutant[] = [];
  const swapOperator = (operator: string, from: number, to: number) => {
    const at = source.indexOf(operator, from);
    const text = swapped[operator];
    if (text !== undefined && at !== -1 && at < to) {
      mutants.push({ start: at, end: at + operator.length, text });
    }
  };
  const fix = ({ start, end }: { readonly start: number; readonly end: number }) =>
    mutants.push({ start, end, text: 'true' }, { start, end, text: 'false' });
  new Visitor({
    BinaryExpression: ({ operator, left, right }) => swapOperator(operator, left.end, right.start),
    LogicalExpression: ({ operator, left, right }) => swapOperator(operator, left.end, right.start),
    AssignmentExpression: ({ operator, left, right }) => swapOperator(operator, left.end, right.start),
    IfStatement: ({ test }) => fix(test),
    ConditionalExpression: ({ test }) => fix(test),
    Literal: ({ value, start, end }) => {
      if (typeof value === 'boolean') {
        mutants.push({ start, end, text: String(!value) });
      } else if (typeof value === 'number') {
        mutants.push({ start, end, text: String(value === 0 ? 1 : value * 2) });
      }
    },
  }).visit(parseSync(path, source).program);
  return mutants.sort((one, other) => one.start - other.start);
}

const { values, positionals } = parseArgs({ options: { tests: { type: 'string' } }, allowPositionals: true });
const [target] = positionals;
if (target === undefined) {
  console.error('Usage: npm run test:mutants -- <folder or file> [--tests <filter>]');
  process.exit(2);
}
const isFolder = statSync(join(root, target)).isDirectory();
const filter = values.tests ?? (isFolder ? target : dirname(target));
const files = (isFolder ? globSync(join(root, target, '**/*.ts')) : [join(root, target)])
  .filter((path) => !/\.test\.ts$|\/testing\//.test(path))
  .sort();

/** Runs the tests. Resolves with true if all pass. A fault that never ends counts as noticed after a minute. */
async function passes(): Promise<boolean> {
  const args = [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--bail', '1', filter];
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'ignore', timeout: 60_000 });
  const [code] = await once(child, 'close');
  return code === 0;
}

compileModulesOnce();
if (!(await passes())) {
  console.error(`The tests of ${filter} fail without a fault.`);
  process.exit(1);
}

/** The file in which a fault is planted now, as it was. */
let planted: { readonly path: string; readonly source: string } | null = null;
const restore = () => {
  if (planted !== null) {
    writeFileSync(planted.path, planted.source);
  }
};
process.once('exit', restore);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => process.exit(130));
}

let count = 0;
let survived = 0;
for (const path of files) {
  const source = readFileSync(path, 'utf8');
  planted = { path, source };
  for (const { start, end, text } of mutantsOf(path, source)) {
    count++;
    writeFileSync(path, `${source.slice(0, start)}${text}${source.slice(end)}`);
    if (await passes()) {
      survived++;
      const line = source.slice(0, start).split('\n').length;
      console.log(`${relative(root, path)}:${line}: ${source.slice(start, end)} → ${text} is not noticed`);
    }
  }
  restore();
  planted = null;
}
console.log(
  `${count - survived} of ${count} faults are noticed (${Math.round((100 * (count - survived)) / Math.max(1, count))} %)`,
);
