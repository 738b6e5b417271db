import type { ReactNode } from 'react';
import styles from './card.module.css';
import type { ToolId } from './cards.ts';
import { ToolCard, type ToolCardProps } from './tool-card.tsx';
import { FlasherPreview, ReleasesPreview, TerminalPreview } from './tool-previews.tsx';

const tools: readonly { readonly tool: ToolId; readonly preview: ReactNode }[] = [
  { tool: 'uart', preview: <TerminalPreview /> },
  { tool: 'flasher', preview: <FlasherPreview /> },
  { tool: 'releases', preview: <ReleasesPreview /> },
];

export function ToolCards(props: Omit<ToolCardProps, 'tool' | 'preview'>) {
  return (
    <ul className={styles['cards']} aria-label="Tools">
      {tools.map(({ tool, preview }) => (
        <ToolCard key={tool} tool={tool} preview={preview} {...props} />
      ))}
    </ul>
  );
}
