/** Writes all eFuses of a board as text, in the shape of `espefuse summary`. */
import type { Efuses, EfuseValue } from './decode-efuses.ts';
import { type EfuseGroup, efuseGroups } from './efuse-layout.ts';
import { fieldMeaning } from './field-meanings.ts';

const NAME_WIDTH = 50;
const MEANING_WIDTH = 50;

/** @param heading First lines: the board, and the time of reading. */
export function efuseSummary(efuses: Efuses, heading: readonly string[]): string {
  const lines = [...heading, 'EFUSE_NAME (Block) Description = [Value] [Readable/Writeable] (Bits)', '-'.repeat(88)];
  for (const group of efuseGroups) {
    const values = efuses.values.filter(({ field }) => field.group === group);
    if (values.length > 0) {
      lines.push(`${groupTitle(group)} fuses:`, ...values.map(lineOf), '');
    }
  }
  for (const { name, errors, failed } of efuses.errors) {
    lines.push(`${name}: ${errors} coding errors${failed ? ', not corrected' : ''}`);
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

/** Returns what is special about a field: hidden, closed to burning, or damaged. Empty for an ordinary one. */
export function efuseStateWords({ readable, writable, isDamaged }: EfuseValue): string[] {
  return [
    ...(readable ? [] : ['hidden from reading']),
    ...(writable ? [] : ['cannot be burnt any more']),
    ...(isDamaged ? ['coding error'] : []),
  ];
}

/** Returns the name of a group with a capital letter: `Security`, `Spi Pad`. */
export function groupTitle(group: EfuseGroup): string {
  return group.toLowerCase().replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

function lineOf({ field, block, text, raw, readable, writable, isDamaged }: EfuseValue): string {
  const name = `${field.name} (BLOCK${block})${isDamaged ? '[error]' : ''}`.padEnd(NAME_WIDTH);
  const meaning = fieldMeaning(field.name).slice(0, MEANING_WIDTH).padEnd(MEANING_WIDTH);
  const rights = `${readable ? 'R' : '-'}/${writable ? 'W' : '-'}`;
  return `${name} ${meaning} = ${text} ${rights}${raw === null ? '' : ` (${raw})`}`;
}
