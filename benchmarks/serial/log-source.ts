/** Output of a talkative board: lines of about 40 bytes, the mean of four boards at 921,600 baud. */

const encoder = new TextEncoder();
const tags = ['wifi', 'adc', 'i2c', 'main', 'heap', 'mqtt', 'ota'];

/** Lines from one `needle` to the next. */
const needleEvery = 10_000;

function logLine(number: number): string {
  if (number % needleEvery === needleEvery - 1) {
    return `E (${number * 11}) main: needle in line ${number}\r\n`;
  }
  const unit = number % 1_000 === 0 ? '°C' : 'mV';
  return `I (${number * 11}) ${tags[number % tags.length]}: channel 3 value ${(number * 7_919) % 4_096} ${unit}\r\n`;
}

/** Yields `lines` lines in reads of `readBytes` bytes, cut at any position. */
export function* logReads(lines: number, readBytes: number): Generator<Uint8Array<ArrayBuffer>, void> {
  let pending = new Uint8Array(0);
  for (let first = 0; first < lines; first += 10_000) {
    let text = '';
    for (let line = first; line < Math.min(first + 10_000, lines); line++) {
      text += logLine(line);
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
