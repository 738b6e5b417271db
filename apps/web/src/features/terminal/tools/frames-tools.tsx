/** The three tools of the tab *Frames*, one of which is shown. */

import { readyDecoders } from '@wirebench/frames/ready-decoders';
import { use } from 'react';
import { PortFlag } from '../../../shared/ui/port-flag.tsx';
import { Segmented } from '../../../shared/ui/segmented.tsx';
import { titleOf, useKeptDecoders } from '../../../workbench/decoders/kept-decoders.ts';
import { useTerminalSettings } from '../settings/settings-store.ts';
import { useTerminalSession } from '../terminal-session.ts';
import { TerminalSlotsContext } from '../terminal-slots.ts';
import styles from './frames-tools.module.css';
import { framesTools, showTool, type Tool } from './open-tool.ts';

export function FramesTools({ tool }: { readonly tool: keyof typeof framesTools & Tool }) {
  const { isReadOnly } = use(TerminalSlotsContext);
  const port = useTerminalSession((session) => session.selectedPort);
  const decoder = useTerminalSettings(({ ports }) => ports[port].decoder);
  const own = useKeptDecoders().find(({ id }) => id === decoder);
  const title = own === undefined ? readyDecoders.find(({ name }) => name === decoder)?.title : titleOf(own.text);
  const shown = Object.entries(framesTools) as [keyof typeof framesTools, string][];
  return (
    <div className={styles['tools']}>
      <Segmented
        label="Frames"
        value={tool}
        // Nothing can be asked in an opened log.
        options={shown.flatMap(([value, label]) => (isReadOnly && value === 'devices' ? [] : [{ value, label }]))}
        onChange={(value) => showTool(value)}
      />
      <span className={`ellipsis ${styles['of']}`}>{title}</span>
      <PortFlag port={port} />
    </div>
  );
}
