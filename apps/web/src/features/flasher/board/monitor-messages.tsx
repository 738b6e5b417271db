import { encodePinned, type PortNumber } from '@wirebench/serial';
import { Button } from '../../../shared/ui/button.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { getBench } from '../../../workbench/bench.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { useFlasher } from '../store/flasher-store.ts';
import styles from './monitor-messages.module.css';

/** Buttons for the messages that the publisher of a release has picked for its monitor. A click sends one. */
export function MonitorMessages({ port }: { readonly port: PortNumber }) {
  const picked = useFlasher(({ monitorMessages }) => monitorMessages);
  const connected = useBenchStatus(({ status }) => status.ports[port].state === 'connected');
  if (picked === null) {
    return null;
  }
  const { name, lineEnding, messages } = picked;
  const send = (message: (typeof messages)[number]) => {
    const encoded = encodePinned(message.content, message.mode, lineEnding);
    if (!encoded.ok) {
      toast(encoded.message, { level: 'error' });
      return;
    }
    // The timeline shows a refusal together with everything else about the port.
    getBench()
      .call('send', port, encoded.bytes)
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
              {message.content}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
