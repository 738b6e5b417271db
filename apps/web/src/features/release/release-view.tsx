/** Shows a loaded release: its picture, its name, one sentence and one button. Everything else is folded below. */
import { type FamilyId, families, familyOf, familyTraits, flasherPath } from '@wirebench/boards';
import { picturePaths } from '@wirebench/contract/constants';
import { Zap } from 'lucide-react';
import { type ComponentType, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { hasWebUsb, serialSupport } from '../../hardware/serial-support.ts';
import { exactText } from '../../shared/dates/dates.ts';
import { Button } from '../../shared/ui/button.tsx';
import { buttonClass } from '../../shared/ui/button-class.ts';
import { optionalPart } from '../../shared/ui/optional-part.ts';
import { Select } from '../../shared/ui/select.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { useLoaded } from '../../shared/ui/use-loaded.ts';
import installStyles from '../../workbench/release/install-call.module.css';
import type { ReleaseVersion, ServerRelease } from '../../workbench/release/release.ts';
import { InstallCall, ReleaseHero } from '../../workbench/release/release-hero.tsx';
import { VisitPlaceContext } from '../../workbench/release/visit-place.ts';
import styles from './release-view.module.css';

/** Loaded after the button, which works without them. */
const loadDetails = async () => (await import('./release-details.tsx')).ReleaseDetails;
const OwnerNotice = optionalPart(async () => (await import('./owner-notice.tsx')).OwnerNotice);
const ReportButton = optionalPart(async () => (await import('../../workbench/report/report-button.tsx')).ReportButton);

const loadOtherBrowser = () => import('../../workbench/other-browser.tsx');

/** Loads the page of a family's flasher, and prepares the document for it. */
export type LoadFlasher = (family: FamilyId) => Promise<ComponentType<object>>;

/** The flasher that was opened by *Install*, and the address that it has as a page of its own. */
interface Visit {
  readonly Flasher: ComponentType<object>;
  readonly family: FamilyId;
  readonly address: string;
  /** The release for it; null if it reads its own. */
  readonly release: ServerRelease | null;
}

export interface ReleaseViewProps {
  readonly release: ServerRelease;
  readonly loadFlasher: LoadFlasher;
}

export function ReleaseView({ release, loadFlasher }: ReleaseViewProps) {
  const { type, project, versions, usual, owned, shareEndsAt } = release;
  const { name, demo } = project;
  const [chosen, setChosen] = useState<string | null>(null);
  const version = versions.find(({ id }) => id === chosen) ?? usual;
  const title = type === 'version' && version !== null ? `${name} ${version.version}` : name;
  useEffect(() => {
    // Same title as in the server's preview of public items. The title of a private item is known only after loading.
    document.title = `${title}: Wirebench`;
  }, [title]);
  const [isMissing, setMissing] = useState(false);
  const Details = useLoaded(!isMissing, loadDetails, () => setMissing(true));
  const [visit, setVisit] = useState<Visit | null>(null);
  const [opening, setOpening] = useState(false);
  const [isLocked, setLocked] = useState(false);
  const [box, setBox] = useState<HTMLElement | null>(null);
  const pressed = useRef(false);
  const takePress = useCallback(() => {
    const wasPressed = pressed.current;
    pressed.current = false;
    return !wasPressed ? null : demo ? 'demo' : 'board';
  }, [demo]);
  const follow = useCallback((id: string | null, isBusy: boolean) => {
    setChosen((before) => id ?? before);
    setLocked(isBusy);
  }, []);
  const open = async (family: FamilyId, address: string) => {
    pressed.current = true;
    setOpening(true);
    try {
      const Flasher = await loadFlasher(family);
      const given = version === null ? null : flasherRelease(release, version);
      setVisit({ Flasher, family, address, release: given });
    } catch {
      // Without the code, the flasher is a page of its own.
      location.assign(address);
    }
  };
  const place = useMemo(
    () =>
      box === null || visit === null
        ? null
        : {
            box,
            search: visit.address.slice(visit.address.indexOf('?')),
            release: visit.release,
            takePress,
            follow,
          },
    [box, visit, takePress, follow],
  );
  const choose = (id: string) => {
    setChosen(id);
    const other = versions.find((each) => each.id === id);
    if (visit !== null && other !== undefined) {
      const at = flasherOf(release, other, visit.family);
      // The flasher at this address may have changed to another version by itself. The version's own link loads this one.
      const address =
        at === visit.address && other.shareId !== null ? flasherPath(visit.family, 'version', other.shareId) : at;
      setVisit({ ...visit, address, release: flasherRelease(release, other) });
    }
  };
  return (
    <div className={`page-width ${styles['release']}`}>
      <ReleaseHero
        project={project}
        version={version}
        pictureSource={{
          own: owned !== null,
          addressOf: (theme) =>
            owned === null
              ? `${release.apiUrl}${picturePaths.shared(type, release.shareId, theme)}`
              : picturePaths.own(project._id, theme),
        }}
        choice={
          version === null ? null : type === 'version' ? (
            <b className="mono">{version.version}</b>
          ) : (
            <Select
              aria-label="Version"
              mono
              disabled={isLocked}
              value={version.id}
              onChange={({ target }) => choose(target.value)}
            >
              {versions.map((each) => (
                <option key={each.id} value={each.id}>
                  {each.version}
                  {each === usual ? ' (latest)' : ''}
                  {each.channel === 'beta' ? ' (beta)' : ''}
                  {each.shareId === null ? ' (private)' : ''}
                </option>
              ))}
            </Select>
          )
        }
        facts={
          shareEndsAt === undefined ? null : (
            <span>
              {Date.parse(shareEndsAt) <= Date.now() ? 'Link expired' : 'Link expires'} {exactText(shareEndsAt)}
            </span>
          )
        }
      >
        {owned === null ? null : (
          <Suspense>
            <OwnerNotice release={release} version={version} />
          </Suspense>
        )}
        {version === null ? null : visit !== null ? (
          <div ref={setBox} className={styles['box']} />
        ) : (
          <InstallBox
            release={release}
            version={version}
            busy={opening}
            onNear={(family) => void loadFlasher(family).catch(() => undefined)}
            onInstall={(family, address) => void open(family, address)}
          />
        )}
      </ReleaseHero>
      {visit === null || place === null ? null : (
        <VisitPlaceContext value={place}>
          <visit.Flasher key={visit.address} />
        </VisitPlaceContext>
      )}
      <div className={styles['folds']}>
        {isMissing ? (
          <p role="alert">
            The notes and files of this release could not be loaded.{' '}
            <Button size="sm" onClick={() => setMissing(false)}>
              Try again
            </Button>
          </p>
        ) : Details === null ? null : (
          <Details release={release} version={version} locked={isLocked} onChoose={choose} />
        )}
      </div>
      <div className={styles['foot']}>
        <p>Only flash firmware from people you trust. Wirebench does not review releases.</p>
        {owned === null && !demo ? (
          <Suspense>
            <ReportButton type={type} id={release.shareId} name={title} label="Report this release" />
          </Suspense>
        ) : null}
      </div>
    </div>
  );
}

interface InstallBoxProps {
  readonly release: ServerRelease;
  readonly version: ReleaseVersion;
  /** Opens the flasher in place of the button; its link leads there as well. */
  readonly onInstall: (family: FamilyId, address: string) => void;
  /** Loads the flasher before it is needed. */
  readonly onNear: (family: FamilyId) => void;
  /** True: the flasher is being loaded. */
  readonly busy: boolean;
}

/** The one button of a release, with what a visitor has to know before it is pressed. */
export function InstallBox({ release, version, onInstall, onNear, busy }: InstallBoxProps) {
  const { project, deviceFamily } = release;
  const support = serialSupport();
  const usable = support === 'ready' || (familyTraits[deviceFamily].hasUsb === true && hasWebUsb());
  const other = useLoaded(support === 'unsupported' && !usable, loadOtherBrowser, () => undefined);
  if (!usable) {
    return (
      <div className={`stack apart ${installStyles['box']} ${installStyles['elsewhere']}`}>
        <p>
          {support === 'insecure-context'
            ? 'Serial ports need a secure page: open it through https or localhost'
            : (other?.otherBrowserWay().text ?? 'This browser cannot reach boards.')}
        </p>
        {other === null ? null : <other.OtherBrowserButtons />}
      </div>
    );
  }
  const address = flasherOf(release, version, deviceFamily);
  const others = [...new Set(version.builds.flatMap(({ deviceModel }) => familyOf(deviceModel) ?? []))].filter(
    (family) => family !== deviceFamily,
  );
  const notes = (
    <>
      {support === 'ready' ? null : (
        <p>This browser can use USB devices, but no serial ports: over USB (DFU) it can flash.</p>
      )}
      {others.map((family) => (
        <p key={family}>
          For {families[family].name} boards,{' '}
          <a href={flasherOf(release, version, family)} className="link">
            open the {families[family].name} flasher
          </a>
          .
        </p>
      ))}
    </>
  );
  return (
    <InstallCall project={project} notes={notes}>
      <a
        href={address}
        className={buttonClass({ variant: 'primary', size: 'lg' })}
        aria-busy={busy || undefined}
        onPointerEnter={() => onNear(deviceFamily)}
        onClick={(event) => {
          if (!event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey) {
            event.preventDefault();
            onInstall(deviceFamily, address);
          }
        }}
      >
        {busy ? <Spinner /> : <Zap />}
        Install
      </a>
    </InstallCall>
  );
}

/**
 * Returns the address of a family's flasher. If the version that a project link installs is chosen, the address follows
 * later versions. Any other choice, and a beta version, is fixed to its version.
 */
function flasherOf(release: ServerRelease, version: ReleaseVersion, family: FamilyId): string {
  const { type, owned, shareId } = release;
  if (owned?.isPublic === false || version.shareId === null) {
    return `${flasherPath(family, 'version', version.id)}&owned=true`;
  }
  return isFollowed(release, version)
    ? flasherPath(family, type, shareId)
    : flasherPath(family, 'version', version.shareId);
}

/**
 * Returns the release that the flasher at that address would read, so that it is not read twice. Null for an owner whose
 * release is public: the flasher then reads what everyone else gets.
 */
export function flasherRelease(release: ServerRelease, version: ReleaseVersion): ServerRelease | null {
  const { owned } = release;
  if (owned?.isPublic === true && version.shareId !== null) {
    return null;
  }
  return owned === null && isFollowed(release, version) ? release : { ...release, versions: [version], usual: version };
}

const isFollowed = ({ type, usual }: ServerRelease, version: ReleaseVersion): boolean =>
  type === 'project' && version === usual && version.channel === undefined;
