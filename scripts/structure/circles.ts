/**
 * Import cycles. Type imports count too, unlike in the linter's rule, because files that need each other's types
 * cannot be read or moved separately. A worker is started, not imported, so it may import types from the file that
 * starts it.
 */
import type { Finding } from './arrows.ts';
import { importsOf, isTest, type SourceFile } from './source-files.ts';

/**
 * Places in which cycles are refused. Scripts, end-to-end tests and benchmarks are exempt, because nothing imports
 * them.
 */
const checkedPaths = /^(apps|packages)\//;

type Graph = ReadonlyMap<string, readonly string[]>;

/** Returns one finding for each cycle, with its whole path. A file that is already in a reported cycle is skipped. */
export function findCircles(files: readonly SourceFile[]): Finding[] {
  return circlesOf(withoutLeaves(graphOf(files))).map((circle) => ({
    path: circle[0] ?? '',
    problem: `circle of imports: ${circle.join(' → ')}`,
  }));
}

const serverFeature = /^apps\/server\/src\/features\/([^/]+)\//;

/**
 * Returns one finding for each circle of the server's features: `accounts → releases → accounts`, whichever of their files
 * import each other. Tests may combine features.
 */
export function findFeatureCircles(files: readonly SourceFile[]): Finding[] {
  const features = new Map<string, Set<string>>();
  const examples = new Map<string, string>();
  for (const file of files.filter(({ path }) => serverFeature.test(path) && !isTest(path))) {
    const from = featureOf(file.path);
    for (const to of importsOf(file).map(featureOf)) {
      if (from !== undefined && to !== undefined && from !== to) {
        features.set(from, (features.get(from) ?? new Set()).add(to));
        examples.set(`${from} → ${to}`, file.path);
      }
    }
  }
  const graph = new Map([...features].map(([feature, targets]) => [feature, [...targets].sort()]));
  return circlesOf(withoutLeaves(graph)).map((circle) => ({
    path: examples.get(circle.slice(0, 2).join(' → ')) ?? '',
    problem: `circle of the server's features: ${circle.join(' → ')}`,
  }));
}

function featureOf(path: string): string | undefined {
  return serverFeature.exec(path)?.[1];
}

function graphOf(files: readonly SourceFile[]): Graph {
  const checked = files.filter(({ path }) => checkedPaths.test(path));
  const paths = new Set(checked.map(({ path }) => path));
  return new Map(checked.map((file) => [file.path, importsOf(file).filter((target) => paths.has(target))]));
}

/** Returns circles that together contain every node on a circle. Both ends of each are the same node. */
function circlesOf(graph: Graph): (readonly string[])[] {
  const seen = new Set<string>();
  return [...graph.keys()].sort().flatMap((start) => {
    const circle = seen.has(start) ? undefined : wayBack(graph, start);
    for (const member of circle ?? []) {
      seen.add(member);
    }
    return circle === undefined ? [] : [circle];
  });
}

/** Removes files without remaining imports, repeatedly: no cycle contains them. */
function withoutLeaves(graph: Graph): Graph {
  let left = graph;
  for (;;) {
    const kept = [...left]
      .map(([path, targets]) => [path, targets.filter((target) => left.has(target))] as const)
      .filter(([, targets]) => targets.length > 0);
    if (kept.length === left.size) {
      return left;
    }
    left = new Map(kept);
  }
}

/** Returns the shortest cycle through `start`, with `start` at both ends. */
function wayBack(graph: Graph, start: string): readonly string[] | undefined {
  const ways: (readonly string[])[] = [[start]];
  const reached = new Set<string>();
  for (const way of ways) {
    for (const target of graph.get(way.at(-1) ?? '') ?? []) {
      if (target === start) {
        return [...way, target];
      }
      if (!reached.has(target)) {
        reached.add(target);
        ways.push([...way, target]);
      }
    }
  }
  return undefined;
}
