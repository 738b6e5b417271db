/** Overview of a port's frames, prepared for the page. Loaded with the first one that is shown. */
import { compileQuery, type DecodedFrame, type Overview, type OverviewRow } from '@wirebench/frames';
import { hexText, lineText, parseFilterField } from '@wirebench/serial';
import type { ChangedBytes, FrameOverview, FrameOverviewRow } from '../../protocol/bench/frame-part.ts';

/** Rows, devices, bytes of a row, characters of a text frame and of the words of a row that a page shows. */
const MAX_ROWS = 256;
const MAX_DEVICES = 64;
const MAX_BYTES = 64;
const MAX_CHARACTERS = 160;
const MAX_WORDS = 300;

export function overviewFor(overview: Overview, missed: number, isBehind: boolean): FrameOverview {
  const rows = overview.rows();
  const devices = overview.devices().filter(({ questions }) => questions > 0);
  return {
    totals: overview.totals,
    rows: rows.slice(0, MAX_ROWS).map(rowFor),
    moreRows: Math.max(0, rows.length - MAX_ROWS),
    devices: devices.slice(0, MAX_DEVICES),
    moreDevices: Math.max(0, devices.length - MAX_DEVICES),
    omitted: overview.omitted,
    missed,
    isBehind,
  };
}

function rowFor(row: OverviewRow): FrameOverviewRow {
  const { newest, who, message, count, cycle, lost, exceptions, bytes, changed } = row;
  const isBroken = newest.kind === 'broken';
  return {
    key: `${row.decoder} ${isBroken ? `broken ${who ?? ''}` : row.key}`,
    who: who ?? '',
    // A broken frame has a message only as far as it can be believed.
    message: isBroken ? 'broken frames' : message,
    count,
    cycle,
    words: wordsOf(newest),
    ...changedBytes(bytes, new Set(changed)),
    lost,
    exceptions,
    isBroken,
    find: findingText(newest),
  };
}

/** The sentence without the message, which the row has already. */
function wordsOf({ sentence, message }: DecodedFrame): string {
  const rest = sentence.startsWith(message) ? sentence.slice(message.length).replace(/^[:,]?\s+/, '') : sentence;
  return rest.length > MAX_WORDS ? `${rest.slice(0, MAX_WORDS)}…` : rest;
}

function changedBytes(
  bytes: Uint8Array,
  changed: ReadonlySet<number>,
): Pick<FrameOverviewRow, 'bytes' | 'isText' | 'moreBytes'> {
  const isText = bytes.every((byte) => (byte >= 0x20 && byte < 0x7f) || byte === 0x0d || byte === 0x0a);
  const ending = isText ? bytes.length - 1 - bytes.findLastIndex((byte) => byte >= 0x20) : 0;
  const length = bytes.length - ending;
  const end = Math.min(length, isText ? MAX_CHARACTERS : MAX_BYTES);
  const stretches: ChangedBytes[] = [];
  for (let from = 0; from < end; ) {
    const isChanged = changed.has(from);
    let to = from + 1;
    while (to < end && changed.has(to) === isChanged) {
      to++;
    }
    const part = bytes.subarray(from, to);
    stretches.push({ text: isText ? lineText(part) : hexText(part), isChanged });
    from = to;
  }
  return { bytes: stretches, isText, moreBytes: length - end };
}

/** Returns the comparisons that find the frames of a row: by unit and function, else by its key. */
function findingText(frame: DecodedFrame): string {
  const { decoder, who, message, kind, key, fields } = frame;
  const numberOf = (wanted: string) => fields.find(({ name }) => name === wanted)?.value;
  const [unit, code] = [numberOf('unit'), numberOf('function')];
  const ofDecoder = decoder === '' ? '' : `${decoder}.`;
  const sender = who === null ? [] : [`${ofDecoder}who="${who}"`];
  const ways =
    kind === 'broken'
      ? [[`${ofDecoder}kind:broken`, ...sender]]
      : [
          ...(typeof unit === 'number' && typeof code === 'number' ? [[`unit:${unit}`, `function:${code}`]] : []),
          [`${ofDecoder}key="${key}"`],
          [...sender, `${ofDecoder}message="${message}"`, `${ofDecoder}kind!=broken`],
        ];
  const texts = ways.map((way) => way.join(' '));
  // A frame may have a field of its own with one of these names, and a key may have quotes.
  return texts.find((text) => finds(text, frame)) ?? texts[0] ?? '';
}

function finds(text: string, frame: DecodedFrame): boolean {
  const field = parseFilterField(text);
  const terms = field.ok ? field.query.terms : [];
  const comparisons = terms.flatMap((term) =>
    term.kind === 'text' && term.comparison !== undefined ? [term.comparison] : [],
  );
  return comparisons.length > 0 && comparisons.length === terms.length && compileQuery(comparisons)(frame);
}
