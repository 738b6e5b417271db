/** What a board says about itself, as its card shows it. Which lines there are is known to its family. */
export interface BoardDescription {
  /** Under its name; null for nothing. */
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
