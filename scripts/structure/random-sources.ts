/**
 * Rule for random inputs of tests: each follows from the seed of `packages/test-input` and the test's own name. Ports,
 * names, ids and keys stay with the system: `randomUUID`, and `randomBytes` whose result is only written as a text.
 */
import { type Node, parseSync, Visitor } from 'oxc-parser';
import type { Finding } from './arrows.ts';
import { isTest, type SourceFile } from './source-files.ts';

const REMEDY = 'draw it from @wirebench/test-input';

/** Files with a source of their own, each with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  'apps/server/src/testing/free-port.ts': 'A free port is no input: the system decides which ones there are.',
  'packages/devices/src/rp/testing/pattern.ts': 'Repeats the bytes that recorded sessions name by their seed.',
  'packages/devices/src/cpu/testing/answers.ts': 'Repeats the generator of a C program, whose output it predicts.',
  'packages/flasher/src/rp/files/testing/recorded-pattern.ts': 'Repeats what flash held when sessions were recorded.',
};

const systemSources = ['randomInt', 'randomFill', 'randomFillSync', 'getRandomValues'];

/**
 * Multipliers and increments of known generators: Numerical Recipes, glibc, MINSTD (both), VAX, Visual C++, Knuth,
 * mulberry32, Weyl steps of splitmix32, and the multiplicative hash of Knuth.
 */
const knownConstants = new Set([
  1_664_525, 1_013_904_223, 1_103_515_245, 16_807, 48_271, 69_069, 22_695_477, 214_013, 0x6d2b79f5, 0x9e3779b9,
  2_654_435_761,
]);

const changingTexts = /\b(Date\.now|performance\.now|process\.(pid|ppid|hrtime|uptime))\b/;

const isRandomName = (name: string) => /^(random|createRandom|seed|\w*Seed)$/.test(name);

/** Returns the name behind a dot or in brackets; empty if it is calculated. */
function propertyOf(node: Node): string {
  if (node.type !== 'MemberExpression') {
    return '';
  }
  if (node.property.type === 'Identifier' && !node.computed) {
    return node.property.name;
  }
  return node.property.type === 'Literal' ? String(node.property.value) : '';
}

const nameOf = (node: Node): string => (node.type === 'Identifier' ? node.name : propertyOf(node));

function keysOf(node: Node): string[] {
  return node.type === 'ObjectExpression'
    ? node.properties.flatMap((property) => (property.type === 'Property' ? [nameOf(property.key)] : []))
    : [];
}

/** Finds random sources in one test. */
function sourcesIn({ path, text }: SourceFile): string[] {
  const found: string[] = [];
  /** Calls of `randomBytes` whose result is written as a text. */
  const written = new Set<Node>();
  let hasSystemBytes = false;
  const isChanging = ({ start, end }: Node) => changingTexts.test(text.slice(start, end));
  new Visitor({
    ImportDeclaration(node) {
      if (/^(node:)?crypto$/.test(node.source.value)) {
        const names = node.specifiers.map((specifier) =>
          specifier.type === 'ImportSpecifier' ? nameOf(specifier.imported) : '*',
        );
        hasSystemBytes ||= names.includes('randomBytes') || names.includes('*');
        found.push(...names.filter((name) => systemSources.includes(name)));
      }
    },
    VariableDeclarator(node) {
      if (node.init?.type === 'Identifier' && node.init.name === 'Math' && node.id.type === 'ObjectPattern') {
        const names = node.id.properties.map((property) => (property.type === 'Property' ? nameOf(property.key) : ''));
        found.push(...names.filter((name) => name === 'random').map(() => 'Math.random'));
      }
      if (node.id.type === 'Identifier' && node.init && isRandomName(node.id.name) && isChanging(node.init)) {
        found.push(`${node.id.name} from the time or the process`);
      }
    },
    Property(node) {
      if (nameOf(node.key) === 'seed' && isChanging(node.value)) {
        found.push('seed from the time or the process');
      }
    },
    MemberExpression(node) {
      const name = propertyOf(node);
      if (name === 'random' && nameOf(node.object) === 'Math') {
        found.push('Math.random');
      }
      if (name === 'getRandomValues') {
        found.push(name);
      }
      if (name === 'toString' && node.object.type === 'CallExpression') {
        written.add(node.object);
      }
    },
    CallExpression(node) {
      const name = nameOf(node.callee);
      const settings = node.arguments.at(-1);
      const isSystemBytes = node.callee.type === 'Identifier' ? hasSystemBytes : /crypto/i.test(objectOf(node.callee));
      if (name === 'randomBytes' && isSystemBytes && !written.has(node)) {
        found.push('randomBytes of the system');
      }
      if (name === 'configureGlobal') {
        found.push('settings of fast-check');
      }
      if (['assert', 'check', 'sample', 'statistics'].includes(name) && settings && keysOf(settings).includes('seed')) {
        found.push('seed of fast-check');
      }
      if (isRandomName(name) && node.arguments.some(isChanging)) {
        found.push(`${name} from the time or the process`);
      }
    },
    ObjectExpression(node) {
      const keys = keysOf(node);
      if (keys.includes('numRuns') && keys.includes('seed')) {
        found.push('seed of fast-check');
      }
    },
    AssignmentExpression(node) {
      const { left, right } = node;
      const isShift = right.type === 'BinaryExpression' && /^(<<|>>>?)$/.test(right.operator);
      if (node.operator === '^=' && isShift && nameOf(left) === nameOf(right.left) && right.right.type === 'Literal') {
        found.push('generator of its own (xorshift)');
      }
    },
    Literal(node) {
      if (typeof node.value === 'number' && knownConstants.has(node.value)) {
        found.push(`generator of its own (${node.value})`);
      }
    },
  }).visit(parseSync(path, text).program);
  return [...new Set(found)];
}

const objectOf = (node: Node): string => (node.type === 'MemberExpression' ? nameOf(node.object) : '');

/** Finds tests, their tools and browser tests with random sources of their own. */
export function findRandomSources(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) => {
    const { path } = file;
    const isConcerned = (isTest(path) || path.startsWith('e2e/')) && !path.startsWith('packages/test-input/');
    if (!isConcerned || !/\.tsx?$/.test(path)) {
      return [];
    }
    const found = sourcesIn(file);
    if (exceptions[path] !== undefined) {
      return found.length > 0 ? [] : [{ path, problem: 'has no random source: take it out of random-sources.ts' }];
    }
    return found.length === 0
      ? []
      : [{ path, problem: `random input that no seed decides (${found.join(', ')}): ${REMEDY}` }];
  });
}
