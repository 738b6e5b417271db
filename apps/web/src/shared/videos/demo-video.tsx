import { type RefObject, useEffect, useRef, useState } from 'react';
import styles from './demo-video.module.css';
import { type DemoVideoId, demoVideoFiles, demoVideoLabel, demoVideoSize } from './demo-videos.ts';

export interface DemoVideoProps {
  readonly video: DemoVideoId;
  /** Called if the video could not be loaded, for example offline, because videos are not cached. */
  readonly onMissing: () => void;
}

interface Passage {
  /** In seconds. */
  readonly from: number;
  readonly text: string;
}

interface VideoTranscriptProps {
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

/** Captions below a small video, where the player's controls cannot cover them. */

/** Below this width the controls cover a third of the picture. */
const small = '(max-width: 600px)';

interface WordsBelowProps {
  readonly video: RefObject<HTMLVideoElement | null>;
}

/** Shows the current caption. On large screens and in full screen, the player draws it into the picture. */
function WordsBelow({ video }: WordsBelowProps) {
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
const textOf = (cue: TextTrackCue): string =>
  'text' in cue && typeof cue.text === 'string' ? cue.text.replaceAll('\n', ' ') : '';

function passagesOf(track: TextTrack | null): Passage[] {
  return Array.from(track?.cues ?? [], (cue) => ({ from: cue.startTime, text: textOf(cue) }));
}

/** `0:07` */
function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/**
 * A demo video that the user has requested. It plays at once, unless the user prefers reduced motion. It has no
 * sound; its captions describe the actions.
 */
export function DemoVideo({ video, onMissing }: DemoVideoProps) {
  const player = useRef<HTMLVideoElement>(null);
  const files = demoVideoFiles(video);
  return (
    <div className={styles['demo']}>
      <video
        ref={player}
        className={styles['video']}
        aria-label={demoVideoLabel[video]}
        src={files.video}
        poster={files.still}
        {...demoVideoSize}
        controls
        playsInline
        preload="none"
        autoPlay={!wantsLessMotion()}
        onError={onMissing}
      >
        <track kind="captions" src={files.captions} srcLang="en" label="English" default />
      </video>
      <WordsBelow video={player} />
      <VideoTranscript video={player} />
    </div>
  );
}

function wantsLessMotion(): boolean {
  return globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false;
}
