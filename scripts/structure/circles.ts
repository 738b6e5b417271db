/**
 * Import cycles. Type imports count too, unlike in the linter's rule, because files that need each other's types
 * cannot be read or moved separately. A worker is started, not imported, so it may import types from the file that
 * starts it.
 */
import type { Finding } from './arrows.ts';
import { importsOf, type SourceFile } from './source-files.ts';

/**
 * Places in which cycles are refused. Scripts, end-to-end tests and benchmarks are exempt, because nothing imports
 * them.
 */
const checkedPaths = /^(apps\/(server|web)|packages)\//;

type Graph = ReadonlyMap<string, readonly string[]>;

/** Returns one finding for each cycle, with its whole path. A file that is already in a reported cycle is skipped. */
export function findCircles(files: readonly SourceFile[]): Finding[] {
  const graph = withoutLeaves(graphOf(files));
  const seen = new Set<string>();
  return [...graph.keys()].sort().flatMap((path) => {
    const circle = seen.has(path) ? undefined : wayBack(graph, path);
    for (const member of circle ?? []) {
      seen.add(member);
    }
    return circle === undefined ? [] : [{ path, problem: `circle of imports: ${circle.join(' → ')}` }];
  });
}

function graphOf(files: readonly SourceFile[]): Graph {
  const checked = files.filter(({ path }) => checkedPaths.test(path));
  const paths = new Set(checked.map(({ path }) => path));
  return new Map(checked.map((file) => [file.path, importsOf(file).filter((target) => paths.has(target))]));
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
