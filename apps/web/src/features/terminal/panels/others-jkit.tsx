import { jkitText } from '@wirebench/contract';
import { Copy } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import type { DevicePanel } from './model/device-panel.ts';
import styles from './others-jkit.module.css';
import { copyToOwn } from './store/jkit-actions.ts';

export interface OthersJkitProps {
  readonly panel: DevicePanel;
  readonly publisher: string;
}

/** Stands where messages are added: somebody else's jkit is used as it is, or copied. */
export function OthersJkit({ panel, publisher }: OthersJkitProps) {
  const copy = () => {
    const { undo } = copyToOwn(panel.id);
    toast(`The messages of ${panel.name} are your own copy now`, { action: { label: 'Undo', onAction: undo } });
  };
  return (
    <div className={`row ${styles['line']}`}>
      <p>{jkitText.notYours(publisher)}</p>
      <Button size="sm" icon={<Copy />} aria-label={`Copy to my own: ${panel.name}`} onClick={copy}>
        Copy to my own
      </Button>
    </div>
  );
}
