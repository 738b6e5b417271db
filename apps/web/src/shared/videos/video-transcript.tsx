import { type RefObject, useEffect, useState } from 'react';
import styles from './demo-video.module.css';
import { textOf } from './words-below.tsx';

interface Passage {
  /** In seconds. */
  readonly from: number;
  readonly text: string;
}

export interface VideoTranscriptProps {
  readonly video: RefObject<HTMLVideoElement | null>;
}

/** Shows the text of the captions, readable without the video. A click on a time seeks to it. */
export function VideoTranscript({ video }: VideoTranscriptProps) {
  const [passages, setPassages] = useState<readonly Passage[]>([]);
  useEffect(() => {
    const track = video.current?.querySelector('track') ?? null;
    const take = () => setPassages(passagesOf(track?.track ?? null));
    take();
    track?.addEventListener('load', take);
    return () => track?.removeEventListener('load', take);
  }, [video]);
  if (passages.length === 0) {
    return null;
  }
  const show = (from: number) => {
    if (video.current !== null) {
      video.current.currentTime = from;
      // The window may close before playback begins. An unavailable video shows its own error.
      video.current.play().catch(() => undefined);
    }
  };
  return (
    <details className={styles['transcript']}>
      <summary>Transcript</summary>
      <ol>
        {passages.map(({ from, text }) => (
          <li key={from}>
            <button
              type="button"
              className="link mono"
              aria-label={`Play from ${clock(from)}`}
              onClick={() => show(from)}
            >
              {clock(from)}
            </button>
            <span>{text}</span>
          </li>
        ))}
      </ol>
    </details>
  );
}

function passagesOf(track: TextTrack | null): Passage[] {
  return Array.from(track?.cues ?? [], (cue) => ({ from: cue.startTime, text: textOf(cue) }));
}

/** `0:07` */
function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
