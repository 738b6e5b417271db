import { useRef } from 'react';
import styles from './demo-video.module.css';
import { type DemoVideoId, demoVideoFiles, demoVideoLabel, demoVideoSize } from './demo-videos.ts';
import { VideoTranscript } from './video-transcript.tsx';
import { WordsBelow } from './words-below.tsx';

export interface DemoVideoProps {
  readonly video: DemoVideoId;
  /** It could not be loaded: without a network, for one, because videos are not kept for later. */
  readonly onMissing: () => void;
}

/**
 * A demo video that was asked for: it plays at once, unless its person wants less motion. It has no sound; the captions say what
 * happens.
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
