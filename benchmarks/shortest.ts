/**
 * `--shortest`: the least work with which a benchmark still reaches its table. The tests start every benchmark this
 * way. Its figures mean nothing, and the line above the table says so.
 */
const SHORTEST_FLAG = '--shortest';

const at = process.argv.indexOf(SHORTEST_FLAG);
if (at !== -1) {
  // Removes the flag, so that no parser of options refuses it.
  process.argv.splice(at, 1);
}

/** True: this is the shortest run. */
export const isShortest = at !== -1;

/** Returns `usual`, or `shortest` in the shortest run. */
export const orShortest = <Value>(usual: Value, shortest: Value): Value => (isShortest ? shortest : usual);

/** Exit code of a benchmark that lacks a program to measure with. */
const MISSING = 4;

/** Names a missing program and ends the process with status 4, which the tests report as skipped. */
export function endWithout(missing: string): never {
  console.error(missing);
  process.exit(MISSING);
}
