/** Random sentences of all types that the product knows by meaning. */
import { randomNumber } from '@wirebench/test-input';
import { cellReadings } from '../cell-readings.ts';
import { words } from '../cells.ts';
import { sentenceRules } from '../nmea-sentences.ts';

const below = (limit: number) => Math.floor(randomNumber() * limit);
const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
const digits = (value: number, count: number) => String(value).padStart(count, '0');

function decimals(): string {
  const count = below(7);
  return count === 0 ? '' : `.${digits(below(10 ** count), count)}`;
}

const texts: Readonly<Record<string, () => string>> = {
  time: () => `${digits(below(24), 2)}${digits(below(60), 2)}${digits(below(60), 2)}${decimals()}`,
  date: () => `${digits(1 + below(28), 2)}${digits(1 + below(12), 2)}${digits(below(100), 2)}`,
  latitude: () => `${digits(below(90), 2)}${digits(below(60), 2)}${decimals()}`,
  longitude: () => `${digits(below(180), 3)}${digits(below(60), 2)}${decimals()}`,
  side: () => pick(['N', 'S']),
  hex: () => pick([...'0123456789ABCDEF']),
  text: () => pick(['A', 'V', 'T', 'M', 'WPT01', 'Example text', 'x']),
  unit: () => pick(['M', 'N', 'K']),
  modes: () => pick(['A', 'AN', 'DRN', 'NNNN']),
};

function number(): string {
  return pick([
    () => String(below(1_000)),
    () => `${below(2) === 0 ? '-' : ''}${below(5_000)}${decimals()}`,
    () => digits(below(100), 2),
  ])();
}

/** Returns a cell of this name, empty now and then. */
function cell(name: string, before: string): string {
  if (below(8) === 0) {
    return '';
  }
  const reading = cellReadings[name] ?? cellReadings[name.replace(/\d+$/, '')];
  if (reading?.as === 'side') {
    return before.includes('lon') ? pick(['E', 'W']) : pick(['N', 'S']);
  }
  const names = Object.keys(reading?.names ?? {});
  return names.length > 0 && reading?.as !== 'modes' ? pick(names) : (texts[reading?.as ?? ''] ?? number)();
}

/** Returns the content of a random sentence, without start and checksum. */
function content(type: string): string {
  const [before = '', group = '', after = ''] = sentenceRules[type]?.cells.split(/[()]/) ?? [];
  const times = group === '' ? 0 : 1 + below(4);
  const names = [...words(before), ...Array(times).fill(words(group)).flat(), ...words(after)] as string[];
  const cells = names.map((name, index) => cell(name, names[index - 1] ?? ''));
  const [address = '', first] = type.split(',');
  const talker = address.startsWith('P') ? '' : pick(['GP', 'GN', 'GL', 'GA', 'GB', 'II', 'SD']);
  return [`${talker}${address}`, ...(first === undefined ? cells : [first, ...cells.slice(1)])].join(',');
}

export function checksumOf(text: string): string {
  const sum = Buffer.from(text, 'latin1').reduce((all, byte) => all ^ byte, 0);
  return sum.toString(16).padStart(2, '0');
}

/** A sentence, and whether its checksum was damaged. */
export interface RandomSentence {
  readonly text: string;
  readonly isDamaged: boolean;
}

/** Returns a random sentence of one of these types: as it is, without a checksum, or damaged. */
export function randomSentence(types: readonly string[]): RandomSentence {
  const body = content(pick(types));
  const sum = checksumOf(body);
  switch (below(8)) {
    case 0:
      return { text: `$${body}`, isDamaged: false };
    case 1:
      return { text: `$${body}*${sum}`, isDamaged: false };
    case 2: {
      const at = body.indexOf(',') + 1 + below(body.length - body.indexOf(',') - 1);
      const changed = `${body.slice(0, at)}${pick([...'0123456789'])}${body.slice(at + 1)}`;
      return { text: `$${changed}*${sum.toUpperCase()}`, isDamaged: checksumOf(changed) !== sum };
    }
    default:
      return { text: `$${body}*${sum.toUpperCase()}`, isDamaged: false };
  }
}
