/** Firmware that the operator of a static edition has put beside its pages. Each line opens the flasher with it. */
import { basePath, families, isFamilyId } from '@wirebench/boards';
import { fieldsOf, parseJson } from '@wirebench/contract/json';
import { Zap } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { readGivenText } from '../../shared/files/read-given-text.ts';
import { Button } from '../../shared/ui/button.tsx';
import { buttonClass } from '../../shared/ui/button-class.ts';
import { useAsync } from '../../shared/ui/use-async.ts';
import styles from './firmware-list.module.css';

/** Reads the list of firmware beside the pages of the static edition, `releases.json`. People may write it by hand. */

interface ListedFirmware {
  readonly name: string;
  /** Empty if the list does not state it. */
  readonly version: string;
  /** Names of chips. */
  readonly chips: readonly string[];
  /** Path of the flasher's page with the manifest in its query. */
  readonly address: string;
}

/** Maximum number of lines that are shown. */
const maxLines = 100;

/** Returns the lines with a name and a manifest; null for a text that is no list. */
export function readFirmwareList(text: string): ListedFirmware[] | null {
  const { releases } = fieldsOf(parseJson(text));
  return Array.isArray(releases) ? releases.slice(0, maxLines).flatMap(readLine) : null;
}

function readLine(line: unknown): ListedFirmware[] {
  const { name, version, family, chips, manifest } = fieldsOf(line);
  if (typeof name !== 'string' || name.trim() === '' || typeof manifest !== 'string' || manifest.trim() === '') {
    return [];
  }
  const { page } = families[isFamilyId(family) ? family : 'esp'];
  return [
    {
      name: name.trim(),
      version: typeof version === 'string' ? version.trim() : '',
      chips: Array.isArray(chips) ? chips.filter((chip) => typeof chip === 'string') : [],
      address: `${page}?${new URLSearchParams({ manifest: manifest.trim() })}`,
    },
  ];
}

async function loadList(): Promise<readonly ListedFirmware[]> {
  const answer = await fetch(`${basePath}/releases.json`, { cache: 'no-cache' });
  const list = answer.ok ? readFirmwareList(await readGivenText(await answer.blob())) : null;
  if (list === null) {
    throw new Error('The list of firmware could not be read.');
  }
  return list;
}

/** @param title Heading of the section. Drawn with the list only: without firmware there is no section. */
export function FirmwareList({ title }: { readonly title: ReactNode }) {
  const [attempt, setAttempt] = useState(0);
  const [failedAttempt, setFailedAttempt] = useState<number | null>(null);
  const list = useAsync([attempt], loadList, (error) => {
    console.warn('The list of firmware could not be loaded.', error);
    setFailedAttempt(attempt);
  });
  if (failedAttempt === attempt) {
    return (
      <p className={`row small ${styles['failure']}`} role="status">
        The firmware of this host could not be listed. It needs the network.
        <Button size="sm" onClick={() => setAttempt(attempt + 1)}>
          Try again
        </Button>
      </p>
    );
  }
  if (list === undefined || list.length === 0) {
    return null;
  }
  return (
    <>
      {title}
      <ul className={`card ${styles['list']}`} aria-label="Firmware">
        {list.map((firmware) => (
          <Line key={firmware.address} {...firmware} />
        ))}
      </ul>
    </>
  );
}

function Line({ name, version, chips, address }: ListedFirmware) {
  const named = [name, version].join(' ').trim();
  return (
    <li className={styles['line']}>
      <span>
        <b>{name}</b> <span className="mono">{version}</span>
        {chips.length === 0 ? null : <small>{chips.join(', ')}</small>}
      </span>
      <a href={address} className={buttonClass({ size: 'sm' })} aria-label={`Flash ${named}`}>
        <Zap />
        Flash
      </a>
    </li>
  );
}
