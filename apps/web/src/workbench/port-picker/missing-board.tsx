/** The three causes of a board that is missing from the list of the browser. The same in every tool, and loaded when needed. */
import { operatingSystem } from '@wirebench/port/browser-support';
import {
  type BoardList,
  type CauseSystem,
  causeSystemOf,
  causeSystems,
  missingBoardCauses,
  missingBoardText,
} from '@wirebench/port/missing-board';
import { Copy, ExternalLink, X } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { copyText } from '../../shared/files/copy-text.ts';
import { buttonClass } from '../../shared/ui/button-class.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { Segmented } from '../../shared/ui/segmented.tsx';
import { GuidanceLink } from '../guidance-link.tsx';
import styles from './missing-board.module.css';

export interface MissingBoardProps {
  readonly list: BoardList;
  /** Button that opens the list again, on a page whose own button is not beside the advice. */
  readonly action?: ReactNode;
  /** True: above a log, of which it must leave something to see. */
  readonly docked?: boolean;
  readonly onDismiss: () => void;
}

export function MissingBoard({ list, action, docked = false, onDismiss }: MissingBoardProps) {
  const headingId = useId();
  const [system, setSystem] = useState<CauseSystem>(() => causeSystemOf(operatingSystem()));
  return (
    <section className={classNames(styles['block'], docked && styles['docked'])} aria-labelledby={headingId}>
      <div className={styles['head']}>
        <div role="status">
          <h2 id={headingId}>{missingBoardText.title}</h2>
          <p>{missingBoardText.text}</p>
        </div>
        <Segmented label="Your system" options={causeSystems} value={system} onChange={setSystem} />
        {action}
        <IconButton label="Dismiss the advice" size="sm" variant="quiet" icon={<X />} onClick={onDismiss} />
      </div>
      <ol className={styles['causes']}>
        {missingBoardCauses(list, system).map(({ title, text, commands = [], links = [], names = [] }, index) => (
          <li key={title}>
            <span className={styles['number']} aria-hidden="true">
              {index + 1}
            </span>
            <b>{title}</b>
            <p>{text}</p>
            {links.length === 0 ? null : (
              <span className="buttons">
                {links.map(({ label, href }) => (
                  <a
                    key={label}
                    className={buttonClass({ size: 'sm' })}
                    href={href}
                    target="_blank"
                    rel="noreferrer"
                    aria-label={`${label}, opens in a new tab`}
                  >
                    <ExternalLink />
                    {label}
                  </a>
                ))}
              </span>
            )}
            {commands.map((command) => (
              <span key={command} className={styles['command']}>
                <code>{command}</code>
                <IconButton
                  label={`Copy: ${command}`}
                  size="sm"
                  variant="quiet"
                  icon={<Copy />}
                  onClick={() => void copyText(command, 'Command copied')}
                />
              </span>
            ))}
            {names.length === 0 ? null : (
              <ul className={styles['names']}>
                {names.map((name) => (
                  <li key={name}>{name}</li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ol>
      <p className={styles['more']}>
        <GuidanceLink topic="device-not-found" />
      </p>
    </section>
  );
}
