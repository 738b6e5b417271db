import { lazy, Suspense, useState } from 'react';
import { openFeedback } from '../../features/feedback/feedback-state.ts';
import { AppCards } from '../../features/home/app-cards.tsx';
import { BetaNotice } from '../../features/home/beta-notice.tsx';
import { Readout } from '../../features/home/card-readout.tsx';
import type { ToolId } from '../../features/home/cards.ts';
import { FlasherChooser } from '../../features/home/flasher-chooser.tsx';
import { LearnMore } from '../../features/home/learn-more.tsx';
import { SectionTitle } from '../../features/home/section-title.tsx';
import { SerialStatus } from '../../features/home/serial-status.tsx';
import { ToolCards } from '../../features/home/tool-cards.tsx';
import { useCardSelection } from '../../features/home/use-card-selection.ts';
import { VideoDialog } from '../../features/home/video-dialog.tsx';
import { Watermark } from '../../features/home/watermark.tsx';
import { hasServer } from '../../shared/edition.ts';
import { useSession } from '../../shared/session/use-session.ts';
import styles from './home-page.module.css';

/** Null with a server: its releases have a page of their own. */
const FirmwareList = hasServer
  ? null
  : lazy(async () => ({ default: (await import('../../features/firmware-list/firmware-list.tsx')).FirmwareList }));

export function HomePage() {
  const { user } = useSession();
  const selection = useCardSelection();
  const [video, setVideo] = useState<ToolId | null>(null);
  const [choosing, setChoosing] = useState(false);
  return (
    <>
      <BetaNotice onSendFeedback={user === null ? null : openFeedback} />
      <div className={`page-width ${styles['wrap']}`}>
        <div className={styles['intro']}>
          <div>
            <h1>Your bench, in a browser tab</h1>
            <p>
              {hasServer
                ? 'Talk to four serial ports, flash firmware and share releases. There is nothing to install, and nothing leaves this computer unless you save or share it.'
                : 'Talk to four serial ports, flash firmware, and measure with a spare ESP32. There is nothing to install and no account. Everything happens on this computer, and works without a network after the first visit.'}
            </p>
          </div>
          <SerialStatus />
        </div>
        <SectionTitle>Tools</SectionTitle>
        <ToolCards selection={selection} onWatch={setVideo} onChooseFamily={() => setChoosing(true)} />
        <Readout card={selection.selected} />
        <SectionTitle>Apps</SectionTitle>
        <AppCards selection={selection} />
        {FirmwareList === null ? null : (
          <Suspense>
            <FirmwareList title={<SectionTitle>Firmware</SectionTitle>} />
          </Suspense>
        )}
        <LearnMore />
      </div>
      <Watermark />
      <FlasherChooser open={choosing} onClose={() => setChoosing(false)} />
      <VideoDialog tool={video} onClose={() => setVideo(null)} onChooseFamily={() => setChoosing(true)} />
    </>
  );
}
