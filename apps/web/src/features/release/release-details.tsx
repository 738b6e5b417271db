/** The release below its first screen: closed lines, each with its answer on the line. Fetched after the button. */
import { type FamilyId, familyOf } from '@wirebench/boards';
import { allOf, anyOf, buildName, chipsOf } from '@wirebench/flasher/release/builds';
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { dayText } from '../../shared/dates/dates.ts';
import { sizeText } from '../../shared/format/bytes.ts';
import { withoutMarkdown } from '../../shared/format/description-preview.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { CopyBlock } from '../../shared/ui/copy-block.tsx';
import { Markdown } from '../../shared/ui/markdown.tsx';
import { useLoaded } from '../../shared/ui/use-loaded.ts';
import {
  buildSize,
  type ReleaseVersion,
  type ServerRelease,
  type VersionBuild,
} from '../../workbench/release/release.ts';
import styles from './release-details.module.css';
import { WrittenFiles } from './written-files.tsx';

const loadWays = async () => (await import('../../workbench/release/publish-ways.tsx')).PublishWays;

/** Maximum number of versions that their line names. */
const NAMED_VERSIONS = 2;

export interface ReleaseDetailsProps {
  readonly release: ServerRelease;
  readonly version: ReleaseVersion | null;
  /** True: another version must not be chosen now. */
  readonly locked: boolean;
  readonly onChoose: (versionId: string) => void;
}

export function ReleaseDetails({ release, version, locked, onChoose }: ReleaseDetailsProps) {
  const { project, versions, owned } = release;
  const builds = version?.builds ?? [];
  const description = project.description.trim();
  // Without a sentence of its own, the first line is on the first screen already.
  const rest = description.split(/\s*\n\s*/).filter((line) => line !== '')[project.sentence === undefined ? 1 : 0];
  const others = versions.filter((each) => each !== version);
  const named = others.slice(0, NAMED_VERSIONS).map((each) => each.version);
  const more = others.length - named.length;
  // A private release has no link to hand on.
  const isPublic = (owned?.isPublic ?? true) && version?.shareId !== null;
  return (
    <>
      {rest === undefined ? null : (
        <Line title={`About ${project.name}`} answer={rest}>
          <p className={styles['written']}>{description}</p>
        </Line>
      )}
      {version === null ? null : (
        <>
          <Line title={`New in ${version.version}`} answer={inOneLine(version.description)}>
            <Markdown text={version.description} />
          </Line>
          <Line title="Boards" answer={allOf(builds.length === 1 ? builds.map(buildName) : chipsOf(builds))}>
            <ul>
              {builds.map((build) => (
                <li key={build.id}>{buildName(build)}</li>
              ))}
            </ul>
            <p>We find out which one yours is, and refuse any other before a byte is written.</p>
          </Line>
          <Line
            title="What is written"
            answer={`${sizesText(builds)}. You read what is kept before anything is written`}
          >
            <WrittenFiles release={release} version={version} />
          </Line>
          <Line
            title="How we know it is this"
            answer="Each file is compared with its published hash, and checked on the board after the write"
          >
            <HowItGoes release={release} builds={builds} />
            <CopyBlock
              name="SHA-256"
              what="Of each file, for sha256sum --check."
              text={[
                ...new Set(builds.flatMap(({ files }) => files.map(({ sha256, name }) => `${sha256}  ${name}`))),
              ].join('\n')}
            />
          </Line>
        </>
      )}
      {others.length === 0 ? null : (
        <Line title="Other versions" answer={allOf(more > 0 ? [...named, `${more} more`] : named)}>
          <ul className={styles['versions']}>
            {others.map((each) => (
              <li key={each.id}>
                <b className="mono">{each.version}</b>
                {each.channel === 'beta' ? <Badge tone="warning">Beta</Badge> : null}
                <span>{dayText(each.createdAt ?? '')}</span>
                <Button
                  size="sm"
                  disabled={locked}
                  aria-label={`Show version ${each.version}`}
                  onClick={() => onChoose(each.id)}
                >
                  Show
                </Button>
              </li>
            ))}
          </ul>
        </Line>
      )}
      {isPublic ? (
        <Line title="For developers" answer="Link, badge, and an install button for your own page">
          <Ways release={release} builds={builds} />
        </Line>
      ) : null}
    </>
  );
}

interface LineProps {
  readonly title: string;
  /** Answer of the line, so that few visitors need to open it. */
  readonly answer: string | undefined;
  readonly children: ReactNode;
}

function Line({ title, answer, children }: LineProps) {
  const [open, setOpen] = useState(false);
  return (
    <details className={styles['line']} open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <ChevronRight />
        <h2>{title}</h2>
        <span>{answer}</span>
      </summary>
      {open ? <div className={styles['body']}>{children}</div> : null}
    </details>
  );
}

/** Joins the lines of a list: `Reads again after deep sleep, a smaller app`. */
const inOneLine = (markdown: string): string =>
  withoutMarkdown(markdown)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .reduce((all, line) => (all === '' ? line : `${all}${/[.:;,!?]$/.test(all) ? '' : ','} ${line}`), '');

/** Bytes of the build, or the range of several builds: `1.1 MB to 1.9 MB, depending on the board`. */
function sizesText(builds: readonly VersionBuild[]): string {
  const sizes = builds.map((build) => buildSize(build) ?? 0);
  const [least, most] = [sizeText(Math.min(...sizes)), sizeText(Math.max(...sizes))];
  return least === most ? most : `${least} to ${most}, depending on the board`;
}

/** Texts and options below the button that depend on the chip family. */

interface FamilySteps {
  /** Steps to the port. */
  readonly pick: string;
  /** The flasher's last action. */
  readonly write: string;
  /** True: ESP Web Tools supports its chips, so that users can put an install button on their own pages. */
  readonly installable: boolean;
}

const familySteps = {
  esp: {
    pick: 'The browser asks which board to use.',
    write: 'The chip hashes what was written, the flasher compares the hash, and the board restarts.',
    installable: true,
  },
  stm: {
    pick: 'Put the board into its bootloader, then choose its serial port or its USB device.',
    write: 'The flasher checks what was written, then the program starts.',
    installable: false,
  },
  nrf: {
    pick: 'Put the board into its bootloader, then choose its serial port.',
    write: 'The bootloader checks what was written, then the program starts.',
    installable: false,
  },
  avr: {
    pick: 'The browser asks which board to use.',
    write: 'The flasher checks what was written, then the program starts.',
    installable: false,
  },
  rp: {
    pick: 'Choose the serial port of its program, or its USB device in BOOTSEL.',
    write: 'The flasher checks what was written, then the program starts.',
    installable: false,
  },
} as const satisfies Record<FamilyId, FamilySteps>;

interface BuildsProps extends Pick<ReleaseDetailsProps, 'release'> {
  readonly builds: readonly VersionBuild[];
}

/** Explains to beginners what an installation does. */
function HowItGoes({ release, builds }: BuildsProps) {
  const { pick, write } = familySteps[release.deviceFamily];
  const refusal = `The flasher refuses any board other than an ${anyOf(chipsOf(builds))} before it writes a byte.`;
  const steps = [
    ['Pick the port', pick],
    ['Chip check', builds.length === 1 ? refusal : `The flasher picks the files for your board. ${refusal}`],
    ['Write and verify', write],
  ];
  return (
    <ol className={styles['steps']}>
      {steps.map(([name, text]) => (
        <li key={name}>
          <b>{name}</b>
          {text}
        </li>
      ))}
    </ol>
  );
}

function Ways({ release, builds }: BuildsProps) {
  const [wanted, setWanted] = useState(true);
  const Loaded = useLoaded(wanted, loadWays, () => setWanted(false));
  if (Loaded !== null) {
    const installable = builds.some(
      ({ deviceModel }) => familySteps[familyOf(deviceModel) ?? release.deviceFamily].installable,
    );
    return <Loaded release={release} installable={installable} />;
  }
  return wanted ? null : <Button onClick={() => setWanted(true)}>Try again</Button>;
}
