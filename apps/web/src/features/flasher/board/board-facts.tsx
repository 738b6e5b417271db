/** All facts of the board in view, and its earlier flashes, beside its tab. */
import { ClipboardCopy } from 'lucide-react';
import type { RefObject } from 'react';
import { copyText } from '../../../shared/files/copy-text.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Popover } from '../../../shared/ui/popover.tsx';
import type { ConnectedBoard } from '../../../workbench/families.ts';
import type { BoardDescription } from './board-description.ts';
import styles from './board-facts.module.css';
import { History } from './history.tsx';

export interface BoardFactsProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly anchor: RefObject<HTMLElement | null>;
  readonly board: ConnectedBoard;
  readonly description: BoardDescription;
}

export function BoardFacts({ open, onClose, anchor, board, description }: BoardFactsProps) {
  const { subtitle, facts } = description;
  const all = [{ name: 'Chip', value: subtitle ?? board.name }, ...facts];
  const copy = () => copyText(all.map(({ name, value }) => `${name}: ${value}\n`).join(''), 'Facts copied');
  return (
    <Popover open={open} onClose={onClose} anchor={anchor} side="bottom" title={board.name} subtitle={subtitle}>
      <div className={styles['body']}>
        <dl className={styles['facts']}>
          {facts.map(({ name, value, tone }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className={tone === 'warning' ? styles['warning'] : undefined}>{value}</dd>
            </div>
          ))}
        </dl>
        {board.demo ? <p className="small">Simulated: no hardware is connected.</p> : null}
        <div className="buttons">
          <Button size="sm" icon={<ClipboardCopy />} onClick={() => void copy()}>
            Copy all
          </Button>
        </div>
        <History />
      </div>
    </Popover>
  );
}
