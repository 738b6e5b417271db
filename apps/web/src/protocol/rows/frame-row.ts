/** A line as a frame, prepared for painting: who, its words, and the time since its question. */
import { type DecodedField, type DecodedFrame, labelOf, valueText } from '@wirebench/frames';
import {
  type FramedLine,
  hexText,
  seriesOfField,
  timingOfFrame,
  type WordsOfFrame,
  wordsOfFrame,
} from '@wirebench/serial';
import type { FrameBox, FrameDetail, FrameFieldRow } from '../bench/frame-part.ts';
import { type StyleRun, subtle } from './styled-text.ts';

export interface RowFrame extends Omit<WordsOfFrame, 'text'> {
  /** Present for the frame that is opened below its row. */
  readonly detail?: FrameDetail;
}

/** Text of a row that shows a frame. */
export interface FrameWords {
  readonly text: string;
  /** Names of fields in the text, dimmed. */
  readonly runs: readonly StyleRun[];
  readonly frame: RowFrame;
}

/**
 * Puts a line into words.
 *
 * @param bytes Line without its ending.
 * @param isOpened True: with its fields and the bytes that they come from.
 * @param note Word beside it: `poll`. Null: none.
 */
export function frameWords(
  framed: FramedLine,
  bytes: Uint8Array,
  isOpened: boolean,
  note: string | null = null,
): FrameWords {
  const { frame, kind } = framed;
  const { text, who, aside, state } = wordsOfFrame(framed, bytes);
  return {
    text,
    runs: kind === 'frame' ? namesIn(text, frame.fields) : [],
    frame: {
      who,
      aside: [note ?? '', aside].filter(Boolean).join(' · '),
      state,
      ...(isOpened && { detail: detailOf(framed, bytes) }),
    },
  };
}

/** Returns the names of fields in front of their values, dimmed. */
function namesIn(text: string, fields: readonly DecodedField[]): readonly StyleRun[] {
  const runs: StyleRun[] = [];
  let from = 0;
  for (const field of fields) {
    const name = labelOf(field);
    const words = name.replaceAll('_', ' ');
    const at = [`${name} `, `${words} `].map((word) => text.indexOf(word, from)).find((found) => found !== -1);
    if (at !== undefined && (at === 0 || /\W/.test(text[at - 1] ?? ''))) {
      runs.push({ start: at, end: at + name.length, style: subtle });
      from = at + name.length;
    }
  }
  return runs;
}

/** Describes an opened frame: what it is, its bytes by field, and each field with its raw value. */
function detailOf(framed: FramedLine, bytes: Uint8Array): FrameDetail {
  const { frame } = framed;
  const { fields, message, who, kind, checksum } = frame;
  const isRight = kind === 'right' || kind === 'exception';
  const rows = fields.map((field): FrameFieldRow => {
    const value = valueText(field);
    const raw = field.raw === undefined ? '' : String(field.raw);
    return {
      name: labelOf(field),
      place: field.place ?? '',
      bytes: field.to > field.from ? hexText(bytes.subarray(field.from, field.to)) : '',
      raw: raw === value ? '' : raw,
      value,
      how: field.how ?? '',
      series: seriesOfField(frame, field),
    };
  });
  const length = `${bytes.length} ${bytes.length === 1 ? 'byte' : 'bytes'}`;
  return {
    title: [who, message].filter(Boolean).join(', '),
    facts: [isRight ? length : frame.sentence, checksum === undefined ? '' : 'checksum right', timingOfFrame(framed)]
      .filter(Boolean)
      .join(', '),
    boxes: boxesOf(frame, bytes),
    rows,
  };
}

/** In place of the row of a byte that no field has. */
const NO_FIELD = -1;
const CHECKSUM = -2;

/** Divides a frame into the stretches of its fields, each byte once: the shortest field of a byte has it. */
function boxesOf({ fields, checksum }: DecodedFrame, bytes: Uint8Array): readonly FrameBox[] {
  const owner = new Int32Array(bytes.length).fill(NO_FIELD);
  if (checksum !== undefined) {
    owner.fill(CHECKSUM, checksum.from, checksum.to);
  }
  const bySize = fields.map((field, row) => ({ ...field, row })).sort((a, b) => b.to - b.from - (a.to - a.from));
  for (const { from, to, row } of bySize) {
    owner.fill(row, from, to);
  }
  const boxes: FrameBox[] = [];
  for (let at = 0; at < bytes.length; ) {
    const row = owner[at] as number;
    let end = at + 1;
    while (end < bytes.length && owner[end] === row) {
      end++;
    }
    boxes.push({
      bytes: hexText(bytes.subarray(at, end)),
      row: row < 0 ? null : row,
      name: fields[row] === undefined ? (row === CHECKSUM ? 'checksum' : '') : labelOf(fields[row]),
    });
    at = end;
  }
  return boxes;
}
