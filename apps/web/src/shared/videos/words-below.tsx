/** Captions below a small video, where the player's controls cannot cover them. */
import { type RefObject, useEffect, useState } from 'react';
import styles from './demo-video.module.css';

/** Below this width the controls cover a third of the picture. */
const small = '(max-width: 600px)';

export interface WordsBelowProps {
  readonly video: RefObject<HTMLVideoElement | null>;
}

/** Shows the current caption. On large screens and in full screen, the player draws it into the picture. */
export function WordsBelow({ video }: WordsBelowProps) {
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    const track = video.current?.textTracks?.[0];
    const width = globalThis.matchMedia?.(small);
    if (track === undefined || width === undefined) {
      return;
    }
    const listening = new AbortController();
    const show = () => {
      const below = width.matches && document.fullscreenElement === null;
      track.mode = below ? 'hidden' : 'showing';
      setText(below ? Array.from(track.activeCues ?? [], textOf).join(' ') : null);
    };
    show();
    width.addEventListener('change', show, listening);
    document.addEventListener('fullscreenchange', show, listening);
    track.addEventListener('cuechange', show, listening);
    return () => listening.abort();
  }, [video]);
  return text === null ? null : <p className={styles['words']}>{text}</p>;
}

/** Returns the text of a cue in one line. */
export const textOf = (cue: TextTrackCue): string =>
  'text' in cue && typeof cue.text === 'string' ? cue.text.replaceAll('\n', ' ') : '';
