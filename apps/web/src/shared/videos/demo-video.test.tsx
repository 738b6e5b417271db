import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type RefObject, useRef } from 'react';
import { afterEach, expect, it } from 'vitest';
import { VideoTranscript } from './demo-video.tsx';

const cues = [
  { startTime: 0, text: 'The Serial Terminal opens four serial ports at once.' },
  { startTime: 7, text: 'Everything they say is in one log.' },
];

function Video({ cue }: { readonly cue: (track: HTMLTrackElement | null) => void }) {
  const video: RefObject<HTMLVideoElement | null> = useRef(null);
  return (
    <>
      <video ref={video}>
        <track kind="captions" ref={cue} />
      </video>
      <VideoTranscript video={video} />
    </>
  );
}

afterEach(cleanup);

it('a time leads to its place, also where the video is gone before it has begun', async () => {
  let plays = 0;
  // Not a mock of Vitest, because a mock would observe the rejection and hide an unhandled one.
  Object.defineProperty(HTMLMediaElement.prototype, 'play', {
    configurable: true,
    value: () => {
      plays++;
      return Promise.reject(new DOMException('The video was removed from the document.', 'AbortError'));
    },
  });
  render(<Video cue={(track) => track !== null && Object.defineProperty(track, 'track', { value: { cues } })} />);
  await userEvent.click(screen.getByText('Transcript'));
  await userEvent.click(screen.getByRole('button', { name: 'Play from 0:07' }));
  expect(plays).toBe(1);
  expect(document.querySelector('video')?.currentTime).toBe(7);
});
