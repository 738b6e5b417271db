/** A line as a frame in words: who, what, and the time since its question. */
import type { DecodedFrame } from '@wirebench/frames';
import { isTextByte } from '@wirebench/frames/latin-text';
import type { FramedLine } from '../framing/channel-decoder.ts';
import { hexText } from '../hex-text.ts';
import { lineText } from '../line-text.ts';

export interface WordsOfFrame {
  /** Words of the frame, without who and time. Bytes that are no whole frame stand behind their fault. */
  readonly text: string;
  /** Device, unit or talker; empty if the protocol has none. */
  readonly who: string;
  /** Time since the question, or how long no answer came; empty for neither. */
  readonly aside: string;
  /** `silent`: a question whose answer did not come in time. */
  readonly state: DecodedFrame['kind'] | 'silent';
}

/** Bytes of a line that no decoder takes for a frame that a row shows. */
const MAX_BYTES = 48;

/**
 * Puts a line into words.
 *
 * @param bytes Line without its ending.
 */
export function wordsOfFrame(framed: FramedLine, bytes: Uint8Array): WordsOfFrame {
  const { frame, kind, askedOn, unanswered } = framed;
  const delay = delayOf(framed);
  const after = [
    framed.isLate && askedOn === null ? `after ${delay}` : delay,
    askedOn === null ? '' : `after Port ${askedOn}`,
  ].filter((words) => words !== '');
  return {
    text: kind === 'frame' ? frame.sentence : `${frame.sentence}: ${plainBytes(bytes)}`,
    who: frame.who ?? '',
    aside: [after.join(' '), ...missingOf(framed)].filter((words) => words !== '').join(' · '),
    state: frame.kind === 'right' && unanswered !== null ? 'silent' : frame.kind,
  };
}

/** Says of an opened frame when it came: `18 ms after the question on Port 2`. Empty if nothing is known. */
export function timingOfFrame(framed: FramedLine): string {
  const { ms, askedOn } = framed;
  const question = `after the question${askedOn === null ? '' : ` on Port ${askedOn}`}`;
  const isAnswer = ms !== null || askedOn !== null;
  const late = framed.isLate ? ', after the time for it' : '';
  return [isAnswer ? `${delayOf(framed)} ${question}${late}`.trim() : '', ...missingOf(framed)]
    .filter((words) => words !== '')
    .join(', ');
}

/** A late answer has seconds: its limit is among the longest of the answers that came in time. */
const delayOf = ({ ms, isLate }: FramedLine): string =>
  ms === null ? '' : isLate && ms >= 1_000 ? `${Math.round(ms / 100) / 10} s` : `${milliseconds(ms)} ms`;

const missingOf = ({ unanswered, missing }: FramedLine): readonly string[] => [
  unanswered === null ? '' : `no answer in ${milliseconds(unanswered)} ms`,
  missing === 0 ? '' : `${missing} missing before`,
];

const milliseconds = (ms: number): string => String(ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms));

/** Bytes as text if they are printable, else as hex digits. */
function plainBytes(bytes: Uint8Array): string {
  const isText = bytes.every(isTextByte);
  const shown = bytes.subarray(0, MAX_BYTES);
  const words = isText ? lineText(shown) : hexText(shown);
  return bytes.length > MAX_BYTES ? `${words} …` : words;
}
