import { systemClock } from '@wirebench/clock';
import { useEffect, useState } from 'react';
import { benchStatus } from '../bench-status.ts';
import { NoticeSpeaker } from './notice-speaker.ts';

/** Reads notices out: connect, disconnect and errors, never the lines themselves. */
export function NoticeRegion() {
  const [text, setText] = useState('');
  useEffect(() => {
    const speaker = new NoticeSpeaker(systemClock, setText);
    const end = benchStatus.onTick(({ notices }) => speaker.add(notices.map((notice) => notice.text)));
    return () => {
      end();
      speaker.dispose();
    };
  }, []);
  return (
    <div className="visually-hidden" role="status" aria-live="polite">
      {text}
    </div>
  );
}
