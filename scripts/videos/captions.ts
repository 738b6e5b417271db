/** Captions of a recording: when each is shown, and as a WebVTT file (W3C, "WebVTT: The Web Video Text Tracks Format"). */

export interface Caption {
  /** Seconds from the start of the video. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** Where it covers nothing that is talked about. */
  readonly place: CaptionPlace;
}

export type CaptionPlace = 'top' | 'bottom';

/** Characters that one reads in a second, by the usual rule for subtitles, and the least that any needs. */
const readingSpeed = 17;
const shortest = 2;

/** Seconds that `text` has to be seen. */
export function readingTime(text: string): number {
  return Math.max(shortest, text.length / readingSpeed);
}

/** Parts of the picture's height; a cue at the bottom stays clear of the line that is typed into. */
const lines = { top: '12%', bottom: '80%' } satisfies Record<CaptionPlace, string>;

/** Characters of a line that fit a phone's width at the size in which players draw captions. */
const lineLength = 40;

/** `text` in lines of at most 40 characters, as even as they can be. A longer word has a line of its own. */
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

/** `mm:ss.mmm`; videos here are shorter than an hour. */
function timestamp(seconds: number): string {
  const whole = Math.round(seconds * 1_000);
  const part = (value: number, digits: number) => String(value).padStart(digits, '0');
  return `${part(Math.floor(whole / 60_000), 2)}:${part(Math.floor(whole / 1_000) % 60, 2)}.${part(whole % 1_000, 3)}`;
}
