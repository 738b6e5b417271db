/**
 * Captured levels as a value change dump, which waveform viewers open (IEEE Std 1364-2005, section 18.2, "Format of four-state VCD
 * file"). Times are whole nanoseconds.
 */
import { changesOf, isHighAt, type Wave } from './wave.ts';

export interface NamedWave {
  /** As it is to be called in a viewer. Characters that an identifier cannot have become `_`. */
  readonly name: string;
  readonly wave: Wave;
}

/** First and last printable character that an identifier code may have (section 18.2.1), and how many there are. */
const firstCode = 33;
const codes = 94;

/** @param date as it shall stand in the file; it is text for people */
export function vcdOf(waves: readonly NamedWave[], date: string): string {
  const lines = waves.map(({ name, wave }, index) => ({ name: identifier(name), code: codeOf(index), wave }));
  const values = (at: number, chosen: typeof lines) =>
    chosen.map(({ code, wave }) => `${isHighAt(wave, at) ? 1 : 0}${code}`);
  const changes = changesOf(...waves.map(({ wave }) => wave)).flatMap((at) => {
    const changed = lines.filter(({ wave }) => isHighAt(wave, at) !== isHighAt(wave, at - 0.001));
    return changed.length > 0 ? [`#${Math.round(at)}`, ...values(at, changed)] : [];
  });
  const end = Math.round(Math.max(0, ...waves.map(({ wave }) => wave.end)));
  return [
    `$date ${date.replaceAll('$', '')} $end`,
    '$version Wirebench $end',
    '$timescale 1 ns $end',
    '$scope module capture $end',
    ...lines.map(({ name, code }) => `$var wire 1 ${code} ${name} $end`),
    '$upscope $end',
    '$enddefinitions $end',
    '#0',
    '$dumpvars',
    ...values(0, lines),
    '$end',
    ...changes,
    `#${end}`,
    '',
  ].join('\n');
}

function codeOf(index: number): string {
  const last = String.fromCharCode(firstCode + (index % codes));
  return index < codes ? last : codeOf(Math.floor(index / codes) - 1) + last;
}

/** A simple identifier (section 3.7): letters, digits, `_` and `$`, not a digit or `$` at first. */
function identifier(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_]/g, '_').replace(/^(?=\d|$)/, '_');
}
