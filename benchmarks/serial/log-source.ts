/** Output of a talkative board: lines of about 40 bytes, the mean of four boards at 921,600 baud. */

const encoder = new TextEncoder();
const tags = ['wifi', 'adc', 'i2c', 'main', 'heap', 'mqtt', 'ota'];

/** Lines from one `needle` to the next. */
const needleEvery = 10_000;

/** Lines with control functions: each kind is a way in which consoles write them. */
export const controlLogs = {
  'colours at both ends': (line: string) => `\x1b[0;32m${line}\x1b[0m`,
  'colours inside words': (line: string) =>
    line.replace(/(n)(nel|eedle)/, '$1\x1b[1m$2\x1b[0m').replace('value', '\x1b[33mval\x1b[0mue'),
  'a line that is erased first': (line: string) => `\r\x1b[2K${line}`,
} satisfies Record<string, (line: string) => string>;

type Decoration = (line: string) => string;

function logLine(number: number): string {
  if (number % needleEvery === needleEvery - 1) {
    return `E (${number * 11}) main: needle in line ${number}`;
  }
  const unit = number % 1_000 === 0 ? '°C' : 'mV';
  return `I (${number * 11}) ${tags[number % tags.length]}: channel 3 value ${(number * 7_919) % 4_096} ${unit}`;
}

/**
 * `lines` lines, cut into reads of `readBytes` bytes wherever that falls.
 * @param decorate Adds control functions to a line, which has no ending.
 */
export function* logReads(
  lines: number,
  readBytes: number,
  decorate: Decoration = (line) => line,
): Generator<Uint8Array<ArrayBuffer>, void> {
  let pending = new Uint8Array(0);
  for (let first = 0; first < lines; first += 10_000) {
    let text = '';
    for (let line = first; line < Math.min(first + 10_000, lines); line++) {
      text += `${decorate(logLine(line))}\r\n`;
    }
    const more = encoder.encode(text);
    const bytes = new Uint8Array(pending.length + more.length);
    bytes.set(pending);
    bytes.set(more, pending.length);
    let from = 0;
    for (; from + readBytes <= bytes.length; from += readBytes) {
      yield bytes.slice(from, from + readBytes);
    }
    pending = bytes.slice(from);
  }
  if (pending.length > 0) {
    yield pending;
  }
}
