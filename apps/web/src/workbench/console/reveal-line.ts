/** Asks the logs on the page to show a line, for parts of the page that are not beside them. */
type Reveal = (sequence: number) => void;

const logs = new Set<Reveal>();
/** Line for the next log: there was none yet. */
let waiting: number | null = null;

/** @returns Function that removes the log. */
export function onRevealLine(reveal: Reveal): () => void {
  logs.add(reveal);
  if (waiting !== null) {
    reveal(waiting);
    waiting = null;
  }
  return () => logs.delete(reveal);
}

/** Shows the line, and marks in it, in every log of the page. */
export function revealLine(sequence: number): void {
  waiting = logs.size === 0 ? sequence : null;
  for (const reveal of logs) {
    reveal(sequence);
  }
}
