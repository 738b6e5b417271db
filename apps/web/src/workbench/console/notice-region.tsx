import { systemClock } from '@wirebench/clock';
import { useEffect, useState } from 'react';
import { benchStatus } from '../bench-status.ts';
import { NoticeSpeaker } from './notice-speaker.ts';

/** Live region that announces notices: connect, disconnect and errors. Received lines are never announced. */
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
