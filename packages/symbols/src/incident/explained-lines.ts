/** Sentences that say more about a crash than its title. Apart from the title, which lists of crashes also need. */
import { titleOf } from './crash-text.ts';
import type { Incident, IncidentLine } from './incident.ts';

/** Sentences about the state that a panic prints say the same for every crash. */
const silentKinds = new Set<IncidentLine['kind']>(['backtrace', 'stack', 'elf-hash']);

/** Returns the lines whose sentences say more about a crash than its title. */
export const explainedLines = (incident: Incident): readonly IncidentLine[] => {
  const title = titleOf(incident);
  return incident.lines.filter(
    ({ kind, sentence }) => sentence !== undefined && sentence !== title && !silentKinds.has(kind),
  );
};

/** Returns the part `rst:0xc (SW_CPU_RESET)` of a ROM's line. */
export const resetName = (text: string): string => /\brst[:\s][^,]*/.exec(text)?.[0] ?? '';
