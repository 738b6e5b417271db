/** Beside the log of a shared bench: the port, which can be set up while it is used, the link, and who is here. */
import { FlashMenu } from '../../features/live/flash-menu.tsx';
import { HereNow, LinkFacts, PortFacts } from '../../features/live/live-sections.tsx';
import { RightButton } from '../../features/live/right-button.tsx';
import { ControlLines } from '../../features/terminal/settings/control-lines.tsx';
import { PortForm } from '../../features/terminal/settings/port-form.tsx';
import styles from '../../features/terminal/settings/port-pane.module.css';
import { PaneButtons } from '../../features/terminal/settings/port-pane.tsx';
import type { PortPaneProps } from '../../features/terminal/terminal-slots.ts';
import { media } from '../../shared/styles/media.ts';
import { PortFlag } from '../../shared/ui/port-flag.tsx';
import { useMediaQuery } from '../../shared/ui/use-media-query.ts';
import { useLive } from '../../workbench/live/live-store.ts';

export function LivePortPane({ port, ...ways }: PortPaneProps) {
  const shared = useLive(({ tick }) => tick?.ports.some((one) => one.port === port && one.present) ?? false);
  // The banner, which asks, has no button on a phone.
  const onPhone = useMediaQuery(media.phone);
  const using = useLive(({ tick }) => tick?.using.includes(port) ?? false);
  return (
    <aside className={styles['pane']} aria-label={`Port ${port}, remote`} data-port={port}>
      <section className={styles['section']}>
        <h2 className={styles['title']}>
          <PortFlag port={port} />
          Port {port}, remote
          <PaneButtons {...ways} />
        </h2>
        <RightButton port={port} size="sm" asks={onPhone} />
        {shared ? <FlashMenu port={port} /> : null}
        {using ? <PortForm key={port} port={port} /> : <PortFacts port={port} />}
      </section>
      {using ? <ControlLines key={port} port={port} /> : null}
      <LinkFacts />
      <HereNow />
    </aside>
  );
}
