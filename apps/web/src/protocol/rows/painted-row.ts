/**
 * A row prepared for painting: text with styled runs. It is created in the bench's thread, so that the page neither
 * decodes nor parses. The row of an echoed command looks like a sent row, behind the prompt.
 */
import {
  escapeBytes,
  type FramedLine,
  frameFaultText,
  type LineSearch,
  lineText,
  type Row,
  type RowLayout,
  type RuleColour,
  type RuleLook,
} from '@wirebench/serial';
import type { PanicSeverity } from '@wirebench/symbols';
import { hexDigits } from '../../shared/format/hex.ts';
import type { DumpStrip } from './dump-folds.ts';
import { frameWords, type RowFrame } from './frame-row.ts';
import { linksIn } from './links.ts';
import { hexSpan, markedRuns } from './marked-runs.ts';
import { attributes, plain, type StyleRun, styledText, subtle } from './styled-text.ts';

export interface PaintedRow
  extends Omit<Row, 'bytes' | 'marks' | 'ending' | 'fault' | 'stringTail' | 'echo' | 'isPiece'> {
  /** Severity if the line belongs to a crash or a restart. Null or missing otherwise. */
  readonly crash?: PanicSeverity | null;
  /** Null or missing for rows that no rule matches. */
  readonly rule?: RowRule | null;
  /** The core dump that the row represents, or whose lines start at this row. Null or missing for other rows. */
  readonly dump?: DumpStrip | null;
  /** Name of the guest of the shared bench who sent the line. Null or missing for the user's own lines. */
  readonly author?: string | null;
  /** Fault of the line's frame, as text. Only on the first and the last row of a line. Missing for intact frames. */
  readonly fault?: string;
  /** Present for a line that is shown as a frame: its text is the words of the frame. */
  readonly frame?: RowFrame;
  /** Text of the row. Hex layout: its bytes as `1B 5B 30 …`. */
  readonly text: string;
  /** Styled ranges of `text`, sorted. The text between them is plain. */
  readonly runs: readonly StyleRun[];
  /** Hex layout: offset in the line, four or more hexadecimal digits. Null in the text layout and for notices. */
  readonly offset: string | null;
  /** Hex layout: the bytes as ASCII characters. A middle dot replaces non-printable bytes. */
  readonly characters: string | null;
  /** Ranges of `characters` that match the search. */
  readonly characterRuns: readonly StyleRun[];
  /** True: the line is longer than its shown text. */
  readonly cut: boolean;
  /** Text layout: number of the line's bytes behind the shown ones. Missing: none. */
  readonly rest?: number;
  /** Text layout: the line ending, escaped. Empty if the line has no ending. */
  readonly ending: string;
}

/** Look of a row by rules. */
interface RowRule {
  /** Colour of the line; null for none. */
  readonly line: RuleColour | null;
  /** Colour of the runs with the attribute `ruled`. */
  readonly match: RuleColour | null;
  readonly isMarked: boolean;
}

export interface PaintedPage {
  readonly first: number;
  readonly total: number;
  readonly rows: readonly PaintedRow[];
  /** True: there are rows, and a filter hides all of them. */
  readonly isHidden?: boolean;
}

/** Answer of the bench to a request for rows. */
export interface AnsweredPage extends PaintedPage {
  /** Arrival of the first line since the log was cleared, in milliseconds since the Unix epoch. Null: no line yet. */
  readonly startedAt: number | null;
  /** False: the filter has not checked all lines yet, so request again. */
  readonly complete: boolean;
}

const bytesPerHexRow = 16;

type Marker = LineSearch['marker'];

export interface PaintOptions {
  /** Marks matches in the text layout. In the hex layout, the row contains its marks. */
  readonly marker?: Marker | undefined;
  /** True: the text layout shows each control byte, including colour sequences and overwritten text. */
  readonly controls?: boolean;
  /** Shows the line as this frame. */
  readonly framed?: FramedLine | null;
  /** True: the frame is opened below its row. */
  readonly isOpened?: boolean;
  /** Word about a frame that this side sent by itself: `poll`. */
  readonly note?: string | null;
  /** Look by rules. In the hex layout, the colour of a match is that of the line. */
  readonly rule?: RuleLook | null;
}

export function paintRow(
  { bytes, marks, ending, fault, stringTail = 0, echo, isPiece = false, ...row }: Row,
  layout: RowLayout,
  options: PaintOptions = {},
): PaintedRow {
  const { marker, controls = false, rule = null, framed = null, isOpened = false, note = null } = options;
  const atEdge = row.part === 0 || (row.part + 1) * bytesPerHexRow >= row.lineLength;
  const words = fault === undefined || !atEdge ? {} : { fault: frameFaultText[fault] };
  const isText = layout === 'text' || row.direction === 'notice';
  const ruled = rule === null ? {} : { rule: ruleOf(rule, isText) };
  const facts = {
    ...row,
    ...(echo !== undefined && { direction: 'sent' as const, at: echo.at }),
    ...words,
    ...ruled,
    offset: null,
    characters: null,
    characterRuns: [],
    cut: false,
    ending: '',
  };
  if (row.direction === 'notice') {
    return { ...facts, ...marked({ text: lineText(bytes), runs: [] }, marker, rule) };
  }
  if (framed !== null) {
    const { text, runs, frame } = frameWords(framed, bytes, isOpened, note);
    const { fault: _, ...plain } = facts;
    return { ...plain, frame, ...marked({ text, runs }, marker, rule) };
  }
  if (layout === 'text') {
    const cut = !isPiece && row.lineLength - ending.length > bytes.length;
    const text = controls ? bytes : bytes.subarray(stringTail);
    const how = { open: row.open || cut, showControls: controls, sent: row.direction === 'sent' };
    return {
      ...facts,
      cut,
      ...(cut && { rest: row.lineLength - ending.length - bytes.length }),
      ending: cut ? '' : escapeBytes(ending),
      ...marked(withEcho(styledText(lineText(text, how)), echo), marker, rule),
    };
  }
  const offset = hexDigits(row.part * bytesPerHexRow, 4);
  const { text, runs } = hexOf(bytes);
  return {
    ...facts,
    offset,
    text,
    runs: markedRuns(runs, (marks ?? []).map(hexSpan)),
    characters: charactersOf(bytes),
    characterRuns: (marks ?? []).map((span) => ({ ...span, style: attributes.found })),
  };
}

interface StyledText {
  readonly text: string;
  readonly runs: readonly StyleRun[];
}

/** Paints the prompt before an echoed command grey, and the command in the row's own colour. */
function withEcho(styled: StyledText, echo: Row['echo']): StyledText {
  return echo === undefined ? styled : { text: styled.text, runs: [{ start: 0, end: echo.prompt, style: subtle }] };
}

function marked({ text, runs }: StyledText, marker: Marker | undefined, rule: RuleLook | null): StyledText {
  const linked = markedRuns(runs, linksIn(text), attributes.link);
  const matches = rule?.match?.marker.inText(text) ?? [];
  const ruled = markedRuns(linked, matches, attributes.ruled);
  return { text, runs: marker === undefined ? ruled : markedRuns(ruled, marker.inText(text)) };
}

function ruleOf({ line, match, isMarked }: RuleLook, isText: boolean): RowRule {
  const colour = match?.colour ?? null;
  return isText ? { line, match: colour, isMarked } : { line: line ?? colour, match: null, isMarked };
}

/** Digits of each byte. A table, because the console paints thousands of bytes a second. */
const byteDigits = Array.from({ length: 256 }, (_, byte) => hexDigits(byte));

/** Formats bytes as `B5 62 0A 04 00 00 0E 34  4D …`. 00 and FF are dimmed, because they are mostly filler. */
function hexOf(bytes: Uint8Array): { text: string; runs: readonly StyleRun[] } {
  let text = '';
  const runs: StyleRun[] = [];
  for (const [index, byte] of bytes.entries()) {
    text += index === 0 ? '' : index === 8 ? '  ' : ' ';
    const last = runs.at(-1);
    const style = byte === 0x00 || byte === 0xff ? subtle : plain;
    if (style !== plain) {
      const joins = last !== undefined && text.slice(last.end).trim() === '';
      runs.splice(joins ? -1 : runs.length, 1, {
        start: joins ? last.start : text.length,
        end: text.length + 2,
        style,
      });
    }
    text += byteDigits[byte];
  }
  return { text, runs };
}

function charactersOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) {
    text += byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·';
  }
  return text;
}
