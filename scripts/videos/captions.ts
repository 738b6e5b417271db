/** Captions of a recording: their times and their WebVTT file (W3C, "WebVTT: The Web Video Text Tracks Format"). */

export interface Caption {
  /** Seconds from the start of the video, like `to`. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** Place where the caption does not cover its subject. */
  readonly place: CaptionPlace;
}

export type CaptionPlace = 'top' | 'bottom';

/** Characters read in a second, by the usual rule for subtitles, and minimum seconds of a caption. */
const readingSpeed = 17;
const shortest = 2;

/** Returns the seconds needed to read `text`. */
export function readingTime(text: string): number {
  return Math.max(shortest, text.length / readingSpeed);
}

/** Position as part of the picture's height. A cue at the bottom does not cover the input line. */
const lines = { top: '12%', bottom: '80%' } satisfies Record<CaptionPlace, string>;

/** Maximum characters of a line: fits a phone's width at the players' caption size. */
const lineLength = 40;

/** Splits `text` into lines of at most 40 characters, as even as possible. A longer word gets its own line. */
export function captionLines(text: string): string[] {
  const { length: count } = linesOf(text, lineLength);
  for (let length = Math.ceil(text.length / count); length < lineLength; length++) {
    const lines = linesOf(text, length);
    if (lines.length === count) {
      return lines;
    }
  }
  return linesOf(text, lineLength);
}

function linesOf(text: string, length: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= length) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(word);
    }
  }
  return lines;
}

export function webVtt(captions: readonly Caption[]): string {
  const cues = captions.map(
    ({ from, to, text, place }) =>
      `${timestamp(from)} --> ${timestamp(to)} line:${lines[place]}\n${captionLines(text).join('\n')}\n`,
  );
  return `WEBVTT\n\n${cues.join('\n')}`;
}

/** Formats `mm:ss.mmm`; the videos are shorter than an hour. */
function timestamp(seconds: number): string {
  const whole = Math.round(seconds * 1_000);
  const part = (value: number, digits: number) => String(value).padStart(digits, '0');
  return `${part(Math.floor(whole / 60_000), 2)}:${part(Math.floor(whole / 1_000) % 60, 2)}.${part(whole % 1_000, 3)}`;
}
