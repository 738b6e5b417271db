/** `/live.html?id=<room>#<key>`: the terminal on a shared bench, in the frame of a visit. */
import { portNumbers } from '@wirebench/serial';
import { useEffect } from 'react';
import { Live } from '../../features/live/live.tsx';
import { LiveBanner } from '../../features/live/live-banner.tsx';
import { RightButton } from '../../features/live/right-button.tsx';
import styles from '../../features/terminal/empty-states.module.css';
import { PanelSlotsContext } from '../../features/terminal/panels/panel-slots-context.ts';
import { borrowPort } from '../../features/terminal/settings/settings-store.ts';
import { Terminal } from '../../features/terminal/terminal.tsx';
import { useTerminalSession } from '../../features/terminal/terminal-session.ts';
import { noSlots, type TerminalSlots, TerminalSlotsContext } from '../../features/terminal/terminal-slots.ts';
import { Trace } from '../../features/terminal/trace.tsx';
import { sharedSettings } from '../../protocol/shared-settings.ts';
import { media } from '../../shared/styles/media.ts';
import { Led } from '../../shared/ui/led.tsx';
import { useMediaQuery } from '../../shared/ui/use-media-query.ts';
import { currentVisit, onVisitChange, useLive } from '../../workbench/live/live-store.ts';
import { standingText } from '../../workbench/live/live-words.ts';
import { panelSlots } from '../terminal/page-panel-slots.tsx';
import { LivePortPane } from './live-port-pane.tsx';

/** Ports that require a question before leaving: a guest that only watches would lose its log. */
export const portsInUse = {
  count: () => currentVisit().tick?.using.length ?? 0,
  subscribe: (listener: () => void) => onVisitChange(listener),
};

function Banner() {
  const port = useTerminalSession((session) => session.selectedPort);
  return <LiveBanner port={port} />;
}

function Ask() {
  const port = useTerminalSession((session) => session.selectedPort);
  const onPhone = useMediaQuery(media.phone);
  // The banner, which asks, has no button on a phone.
  return <RightButton port={port} asks={onPhone} variant={onPhone ? 'primary' : 'default'} />;
}

const slots: TerminalSlots = {
  ...noSlots,
  banner: <Banner />,
  ask: <Ask />,
  empty: NothingYet,
  pane: LivePortPane,
  standing: LiveStanding,
};

export function LivePage() {
  useBorrowedPorts();
  return (
    <Live>
      <TerminalSlotsContext value={slots}>
        <PanelSlotsContext value={panelSlots}>
          <Terminal />
        </PanelSlotsContext>
      </TerminalSlotsContext>
    </Live>
  );
}

/** Ports are called as they are there, and opened as they are open there, until a person here says otherwise. */
function useBorrowedPorts(): void {
  const ports = useLive(({ tick }) => tick?.ports ?? null);
  const facts = JSON.stringify((ports ?? []).map(({ port, name, settings }) => ({ port, name, settings })));
  useEffect(() => {
    const shared = currentVisit().tick?.ports ?? [];
    for (const { port, name, settings } of facts === '[]' ? [] : shared) {
      const number = portNumbers.find((one) => one === port);
      if (number !== undefined) {
        borrowPort(number, { name, settings: sharedSettings({ settings }) });
      }
    }
  }, [facts]);
}

/** State of the connection to the shared bench, and its round trip. */
function LiveStanding() {
  const standing = useLive(({ tick }) => (tick === null ? 'Not connected' : standingText(tick)));
  const live = useLive(({ tick }) => tick?.state === 'joined' && !tick.isHostAway);
  const roundTrip = useLive(({ tick }) => tick?.roundTrip ?? null);
  return (
    <>
      <Led tone={live ? 'success' : 'danger'} />
      <span>{standing}</span>
      <span>Round trip {roundTrip === null || !live ? '–' : `${Math.round(roundTrip)} ms`}</span>
    </>
  );
}

/** Nothing has come yet, and no port is open there. */
function NothingYet() {
  const host = useLive(({ tick }) => tick?.host ?? '');
  return (
    <div className={styles['state']}>
      <Trace />
      <h2 className={styles['title']}>Nothing has come yet</h2>
      <p className={styles['text']}>
        No port of {host} is open. What it receives and sends from now on is shown here as soon as one is.
      </p>
    </div>
  );
}
