import { useRef } from 'react';
import styles from './demo-video.module.css';
import { type DemoVideoId, demoVideoFiles, demoVideoLabel, demoVideoSize } from './demo-videos.ts';
import { VideoTranscript } from './video-transcript.tsx';
import { WordsBelow } from './words-below.tsx';

export interface DemoVideoProps {
  readonly video: DemoVideoId;
  /** Called if the video could not be loaded, for example offline, because videos are not cached. */
  readonly onMissing: () => void;
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
