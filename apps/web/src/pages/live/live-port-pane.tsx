/** Beside the log of a shared bench: the port, which can be set up while it is used, the link, and who is here. */
import { PanelLeftClose, X } from 'lucide-react';
import { FlashMenu } from '../../features/live/flash-menu.tsx';
import { HereNow, LinkFacts, PortFacts } from '../../features/live/live-sections.tsx';
import { RightButton } from '../../features/live/right-button.tsx';
import { QuickGuide } from '../../features/terminal/quick-guide/quick-guide.tsx';
import { ControlLines } from '../../features/terminal/settings/control-lines.tsx';
import { PortForm } from '../../features/terminal/settings/port-form.tsx';
import styles from '../../features/terminal/settings/port-pane.module.css';
import type { PortPaneProps } from '../../features/terminal/settings/port-pane.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { PortFlag } from '../../shared/ui/port-flag.tsx';
import { useLive } from '../../workbench/live/live-store.ts';

export function LivePortPane({ port, onFold, onClose, alone = false }: PortPaneProps) {
  const shared = useLive(({ tick }) => tick?.ports.some((one) => one.port === port && one.present) ?? false);
  const using = useLive(({ tick }) => tick?.using.includes(port) ?? false);
  return (
    <aside
      className={styles['pane']}
      aria-label={`Port ${port}, remote`}
      data-port={port}
      {...(alone && { id: 'skip-target', tabIndex: -1 })}
    >
      <div className={styles['content']}>
        <section className={styles['section']}>
          <h2 className={styles['title']}>
            <PortFlag port={port} />
            Port {port}, remote
            {onFold ? (
              <IconButton
                label="Collapse the settings"
                variant="quiet"
                size="sm"
                icon={<PanelLeftClose />}
                onClick={onFold}
              />
            ) : null}
            {onClose ? (
              <IconButton label="Close the settings" variant="quiet" size="sm" icon={<X />} onClick={onClose} />
            ) : null}
          </h2>
          {/* On a phone the pane is alone: neither the banner nor the send bar has the button. */}
          <RightButton port={port} size="sm" asks={alone} />
          {shared ? <FlashMenu port={port} /> : null}
          {using ? <PortForm key={port} port={port} /> : <PortFacts port={port} />}
        </section>
        {using ? <ControlLines key={port} port={port} /> : null}
        <LinkFacts />
        <HereNow />
      </div>
      <QuickGuide inline={alone} />
    </aside>
  );
}
