import { encodePinned, type PortNumber } from '@wirebench/serial';
import { Button } from '../../../shared/ui/button.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { useLoaded } from '../../../shared/ui/use-loaded.ts';
import { getBench } from '../../../workbench/bench.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { nameIfHidden } from '../../../workbench/release/release.ts';
import { useFlasher } from '../store/flasher-store.ts';
import styles from './monitor-messages.module.css';
import type { MonitorRulesProps } from './monitor-rules.tsx';

/** Messages and rules that the publisher of a release has picked for its monitor. A click sends a message. */
export function MonitorMessages({ port }: { readonly port: PortNumber }) {
  const picked = useFlasher(({ monitorMessages }) => monitorMessages);
  if (picked === null) {
    return null;
  }
  return (
    <>
      {picked.messages.length > 0 ? <Messages port={port} picked={picked} /> : null}
      {picked.rules.length > 0 ? <Rules port={port} picked={picked} /> : null}
    </>
  );
}

const loadRules = () => import('./monitor-rules.tsx');

/** Rules of the release. A failed load leaves them out until the release is loaded again. */
function Rules(props: MonitorRulesProps) {
  const loaded = useLoaded(true, loadRules, () => undefined);
  return loaded === null ? null : <loaded.MonitorRules {...props} />;
}

function Messages({ port, picked: { name, lineEnding, messages } }: MonitorRulesProps) {
  const connected = useBenchStatus(({ status }) => status.ports[port].state === 'connected');
  const send = (message: (typeof messages)[number]) => {
    const encoded = encodePinned(message.content, message.mode, lineEnding);
    if (!encoded.ok) {
      toast(encoded.message, { level: 'error' });
      return;
    }
    // The timeline shows a refusal together with everything else about the port.
    getBench()
      .call('send', port, encoded.bytes, nameIfHidden(message) ?? undefined)
      .catch(() => undefined);
  };
  return (
    <section className={styles['messages']} aria-label={`Messages of ${name}`}>
      <span className="silk">{name}</span>
      <ul>
        {/* The index serves as key: messages may repeat, and they never move. */}
        {messages.map((message, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a message is identified by its place
          <li key={place}>
            <Button size="sm" className="mono" disabled={!connected} onClick={() => send(message)}>
              {message.hidden ? (message.label ?? 'message') : message.content}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
