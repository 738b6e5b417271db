/** Shows whether the planned image starts on the board, and what the files say of themselves. */
import { useState } from 'react';
import type { FileFacts } from '../../../../../protocol/flash-protocol.ts';
import { Fold } from '../../../fold.tsx';
import { useShownFiles } from '../../../store/board-builds.ts';
import { useFlash } from '../../../store/flasher-store.ts';
import { Sections } from '../board/sections.tsx';
import styles from './files-card.module.css';

const answers = { yes: 'Yes', no: 'No', unknown: 'It cannot be told' } as const;

export function RpFilesCard() {
  const files = useShownFiles((chosen) => chosen.files);
  const start = useFlash(({ plan }) => plan?.start ?? null);
  const [open, setOpen] = useState(false);
  const told = files.filter((file) => file.about !== undefined);
  if (told.length === 0 && start === null) {
    return null;
  }
  return (
    <Fold
      framed
      title="In the files"
      open={open}
      onToggle={setOpen}
      summary={open ? null : start === null ? namesOf(told) : `Will this image start here? ${answers[start.result]}`}
    >
      <div className={styles['body']}>
        {start === null ? null : (
          <section className={styles['start']} aria-label="Will this image start here?">
            <h3>Will this image start here? {answers[start.result]}</h3>
            <p>{start.why}</p>
            {start.checks.length === 0 ? null : (
              <ol>
                {start.checks.map(({ text }) => (
                  <li key={text}>{text}.</li>
                ))}
              </ol>
            )}
          </section>
        )}
        {told.map(({ id, name, about = [] }) => (
          <section key={id} aria-label={name}>
            <h3>{name}</h3>
            <Sections sections={about} />
          </section>
        ))}
      </div>
    </Fold>
  );
}

const namesOf = (files: readonly FileFacts[]) => files.map(({ application, name }) => application ?? name).join(', ');
