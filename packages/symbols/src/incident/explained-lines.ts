/** Sentences that say more about a crash than its title. Apart from the title, which lists of crashes also need. */
import { missingIn, titleOf } from './crash-text.ts';
import type { Incident, IncidentLine } from './incident.ts';

/** Sentences about the state that a panic prints say the same for every crash. */
const silentKinds = new Set<IncidentLine['kind']>(['backtrace', 'stack', 'elf-hash']);

/** A sentence about a line. */
export interface ExplainedLine extends Pick<IncidentLine, 'sequence' | 'kind' | 'text'> {
  readonly sentence: string;
  /** True: the sentence says what may be missing in the report. */
  readonly isMissing: boolean;
}

/** Returns the sentences that say more about a crash than its title, each with its line. What may be missing comes last. */
export function explainedLines(incident: Incident): readonly ExplainedLine[] {
  const title = titleOf(incident);
  const said = incident.lines.flatMap(({ sequence, kind, text, sentence }): ExplainedLine[] =>
    sentence === undefined || sentence === title || silentKinds.has(kind)
      ? []
      : [{ sequence, kind, text, sentence, isMissing: false }],
  );
  const missing = missingIn(incident).map(({ sequence, text, missing: sentence }): ExplainedLine => {
    return { sequence, kind: 'registers', text, sentence, isMissing: true };
  });
  return [...said, ...missing];
}

/** Returns the part `rst:0xc (SW_CPU_RESET)` of a ROM's line. */
export const resetName = (text: string): string => /\brst[:\s][^,]*/.exec(text)?.[0] ?? '';
