/**
 * Captured levels as a value change dump for waveform viewers (IEEE Std 1364-2005, section 18.2, "Format of
 * four-state VCD file"). Times are whole nanoseconds.
 */
import { changesOf, isHighAt, type Wave } from './wave.ts';

export interface NamedWave {
  /** Name in the viewer. Characters that are invalid in an identifier become `_`. */
  readonly name: string;
  readonly wave: Wave;
}

/** First printable character allowed in an identifier code (section 18.2.1), and the number of allowed characters. */
const firstCode = 33;
const codes = 94;

/**
 * Writes waves as a VCD file.
 *
 * @param date Free text for the file's date.
 */
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

/** Makes a simple identifier (section 3.7): letters, digits, `_` and `$`, and neither a digit nor `$` first. */
function identifier(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_]/g, '_').replace(/^(?=\d|$)/, '_');
}
