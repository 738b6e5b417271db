/** Card that leads to the flasher: choice of the version, the button, and the requirements. */
import { type DeviceFamily, flasherPath, type Version } from '@wirebench/contract';
import { Check, X, Zap } from 'lucide-react';
import { Fragment, type ReactNode, useId } from 'react';
import { type SerialSupport, serialSupport } from '../../hardware/serial-support.ts';
import { hasWebUsb } from '../../hardware/web-usb.ts';
import { buttonClass } from '../../shared/ui/button-class.ts';
import { Led } from '../../shared/ui/led.tsx';
import { Select } from '../../shared/ui/select.tsx';
import { families } from '../../workbench/families.ts';
import { buildsOf, chipNamesOf } from '../../workbench/release-builds.ts';
import { familyWords } from './family-words.ts';
import styles from './flash-card.module.css';
import type { Release } from './load-release.ts';

const supportText = {
  ready: 'This browser can use serial ports',
  unsupported:
    'This browser cannot use serial ports: open the link in Chrome or Edge (version 89+) or Firefox (version 151+)',
  'insecure-context': 'Serial ports need a secure page: open it through https or localhost',
} satisfies Record<SerialSupport, string>;

const usbText = 'This browser can use USB devices, but no serial ports: over USB (DFU) it can flash';

export interface FlashCardProps {
  readonly release: Release;
  readonly version: Version | null;
  readonly onChoose: (versionId: string) => void;
}

export function FlashCard({ release, version, onChoose }: FlashCardProps) {
  const { type, project, versions } = release;
  const choice = useId();
  if (version === null) {
    return (
      <div className={`card ${styles['card']}`}>
        <h2>No version published yet</h2>
        <p>
          {project.publisher} has shared the project, but no version of it yet. The same link will show the first one.
        </p>
      </div>
    );
  }
  const builds = buildsOf(version, project);
  const otherFamilies = [...new Set(builds.map(({ deviceFamily }) => deviceFamily))].filter(
    (family) => family !== project.deviceFamily,
  );
  const chips = chipNamesOf(builds.filter(({ deviceFamily }) => deviceFamily === project.deviceFamily));
  const words = familyWords[project.deviceFamily];
  const support = serialSupport();
  const usable = support === 'ready' || (words.usb && hasWebUsb());
  return (
    <div className={`card ${styles['card']}`}>
      {type === 'project' ? (
        <div className={styles['choice']}>
          <label htmlFor={choice} className="silk">
            Version
          </label>
          <Select id={choice} mono value={version._id} onChange={({ target }) => onChoose(target.value)}>
            {versions.map((each, index) => (
              <option key={each._id} value={each._id}>
                {each.version}
                {index === 0 ? ' (latest)' : ''}
                {each.isPublic ? '' : ' (private)'}
              </option>
            ))}
          </Select>
        </div>
      ) : (
        <div>
          <span className="silk">Version</span>
          <div className={styles['version']}>{version.version}</div>
        </div>
      )}
      <a
        href={flasherOf(release, version, project.deviceFamily)}
        className={buttonClass({ variant: 'primary', size: 'lg' })}
      >
        <Zap />
        Flash this version
      </a>
      <p>{words.flasher}</p>
      {otherFamilies.map((family) => (
        <p key={family}>
          Its builds for {families[family].name}:{' '}
          <a href={flasherOf(release, version, family)} className="link">
            open the {families[family].name} flasher
          </a>
        </p>
      ))}
      <div className={styles['before']}>
        <span className="silk">Before you start</span>
        <ul>
          <Need done={usable} failed={!usable}>
            {usable && support !== 'ready' ? usbText : supportText[support]}
          </Need>
          <Need>
            An <ChipNames names={chips} /> board {words.cable}
          </Need>
          <Need>{words.close}</Need>
        </ul>
      </div>
    </div>
  );
}

/**
 * Returns the address of a family's flasher. If the newest version of a project link is chosen, the address follows
 * later versions. Any other choice, and a beta version, is fixed to its version.
 */
function flasherOf({ type, versions, owned, shareId }: Release, version: Version, family: DeviceFamily): string {
  if (owned !== null && !(owned.isPublic && version.isPublic)) {
    return `${flasherPath(family, 'version', version._id)}&owned=true`;
  }
  return type === 'project' && version._id === versions[0]?._id && version.channel === undefined
    ? flasherPath(family, 'project', shareId)
    : flasherPath(family, 'version', version.shareId);
}

/** Joins the names as alternatives, each in bold: **ESP32** or **ESP32-C3**. */
function ChipNames({ names }: { readonly names: readonly string[] }) {
  return names.map((name, index) => (
    <Fragment key={name}>
      {index === 0 ? null : index === names.length - 1 ? ' or ' : ', '}
      <b>{name}</b>
    </Fragment>
  ));
}

interface NeedProps {
  readonly done?: boolean;
  readonly failed?: boolean;
  readonly children: ReactNode;
}

function Need({ done = false, failed = false, children }: NeedProps) {
  const mark = done ? <Check /> : failed ? <X /> : <Led tone="off" />;
  return (
    <li data-state={done ? 'done' : failed ? 'failed' : 'open'}>
      {mark}
      <span>{children}</span>
    </li>
  );
}
