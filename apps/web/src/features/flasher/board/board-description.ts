/** A board as its card shows it. The board's family decides which facts are listed. */
export interface BoardDescription {
  /** Shown below the name; null for no subtitle. */
  readonly subtitle: string | null;
  /** Two short lines, as they would be printed on the package. */
  readonly print: readonly [top: string, bottom: string];
  readonly facts: readonly BoardFact[];
}

export interface BoardFact {
  readonly name: string;
  readonly value: string;
  readonly tone?: 'warning';
}
