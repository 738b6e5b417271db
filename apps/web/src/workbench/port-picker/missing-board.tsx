/** The three causes of a board that is missing from the list of the browser. The same in every tool, and loaded when needed. */
import { operatingSystem, phoneKind } from '@wirebench/port/browser-support';
import {
  type BoardList,
  type CauseSystem,
  causeSystemOf,
  causeSystems,
  missingBoardCauses,
  missingBoardHead,
} from '@wirebench/port/missing-board';
import { Copy, ExternalLink, X } from 'lucide-react';
import { useId, useState } from 'react';
import type { PhoneList } from '../../hardware/port-request.ts';
import { usesUsbPorts } from '../../hardware/serial-support.ts';
import { copyText } from '../../shared/files/copy-text.ts';
import { Button } from '../../shared/ui/button.tsx';
import { buttonClass } from '../../shared/ui/button-class.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { Segmented } from '../../shared/ui/segmented.tsx';
import { GuidanceLink } from '../guidance-link.tsx';
import styles from './missing-board.module.css';

export interface MissingBoardProps {
  readonly list: BoardList;
  /**
   * Opens a list of ports again, on a page whose own button is not beside the advice, and on a phone, which has two
   * lists. Must be called directly from a click.
   */
  readonly again?: (list?: PhoneList) => void;
  /** True: above a log, of which it must leave something to see. */
  readonly docked?: boolean;
  readonly onDismiss: () => void;
}

export function MissingBoard({ list, again, docked = false, onDismiss }: MissingBoardProps) {
  const headingId = useId();
  const [system, setSystem] = useState<CauseSystem>(() => causeSystemOf(operatingSystem(), phoneKind() !== null));
  const { title: heading, text: summary } = missingBoardHead(list, system);
  return (
    <section className={classNames(styles['block'], docked && styles['docked'])} aria-labelledby={headingId}>
      <div className={styles['head']}>
        <div role="status">
          <h2 id={headingId}>{heading}</h2>
          <p>{summary}</p>
        </div>
        {system === 'phone' ? null : (
          <Segmented label="Your system" options={causeSystems} value={system} onChange={setSystem} />
        )}
        {again === undefined ? null : <ListsAgain list={list} again={again} />}
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

/** Opens the list again. A phone whose list of Web Serial was closed has another one, over WebUSB. */
function ListsAgain({ list, again }: { readonly list: BoardList; readonly again: (list?: PhoneList) => void }) {
  if (!usesUsbPorts()) {
    return (
      <Button size="sm" onClick={() => again()}>
        Pick a port
      </Button>
    );
  }
  return (
    <>
      <Button size="sm" onClick={() => again(list === 'serial' ? 'serial' : 'usb')}>
        Look again
      </Button>
      {list === 'serial' ? (
        <Button size="sm" onClick={() => again('usb')}>
          Not in the list? Look over USB
        </Button>
      ) : null}
    </>
  );
}
