/** Ways to hand on the release: link, QR code, badge for a readme, buttons for a web page, manifest. */
import { releasePath, sharedFirmwarePaths } from '@wirebench/contract';
import { Copy } from 'lucide-react';
import { linkEndText } from '../../shared/dates/link-end.ts';
import { copyText } from '../../shared/files/copy-text.ts';
import { Button } from '../../shared/ui/button.tsx';
import { QrCode } from '../../shared/ui/qr-code.tsx';
import type { Release } from './load-release.ts';
import styles from './publish-ways.module.css';
import { badgeMarkdown, flashElement, installButton } from './snippets.ts';

export interface PublishWaysProps {
  readonly release: Release;
  /** True: ESP Web Tools supports a chip of the release. */
  readonly installable: boolean;
}

export function PublishWays({ release, installable }: PublishWaysProps) {
  const { type, project, shareId, shareEndsAt, apiUrl } = release;
  const link = `${location.origin}${releasePath(type, shareId)}`;
  const api = apiUrl || location.origin;
  const badge = `${api}${sharedFirmwarePaths.badge(type, shareId)}`;
  const manifest = `${api}${sharedFirmwarePaths.manifest(type, shareId)}`;
  // Nothing is written to a real board by a demo release, and a release without a version has no files.
  const isFlashable = !project.demo && release.versions.length > 0;
  const hasManifest = isFlashable && installable;
  return (
    <div className={styles['ways']}>
      <div className={styles['texts']}>
        <Snippet name="Link" what={`Opens this page. ${linkEndText(shareEndsAt, Date.now())}`} text={link} />
        <Snippet
          name="Badge"
          what="For a readme, in Markdown. It shows the newest version that the link opens."
          text={badgeMarkdown(project.name, badge, link)}
        >
          <img src={badge} alt={`Badge of ${project.name}`} height={20} />
        </Snippet>
        {isFlashable ? (
          <Snippet
            name="Flash button for your page"
            what="Flashes this release from any page over https: it picks the build for the board and verifies what it wrote."
            text={flashElement(location.origin, link)}
          />
        ) : null}
        {hasManifest ? (
          <>
            <Snippet
              name="Button of ESP Web Tools"
              what={
                <>
                  For pages that load{' '}
                  <a className="link" href="https://esphome.github.io/esp-web-tools/" target="_blank" rel="noreferrer">
                    ESP Web Tools
                  </a>
                  : it installs this release from any page.
                </>
              }
              text={installButton(manifest)}
            />
            <Snippet
              name="Manifest"
              what="For other installers: the builds of the newest version, with the addresses of their files."
              text={manifest}
            />
          </>
        ) : null}
      </div>
      <figure className={`small ${styles['code']}`}>
        <QrCode text={link} label="QR code of the link to this page" />
        <figcaption>Scan to open this page on another computer</figcaption>
      </figure>
    </div>
  );
}

interface SnippetProps {
  readonly name: string;
  readonly what: React.ReactNode;
  readonly text: string;
  readonly children?: React.ReactNode;
}

function Snippet({ name, what, text, children }: SnippetProps) {
  return (
    <div className={styles['snippet']}>
      <div className={styles['head']}>
        <h3>{name}</h3>
        {children}
        <Button
          size="sm"
          icon={<Copy />}
          aria-label={`Copy: ${name}`}
          onClick={() => void copyText(text, `${name} copied`)}
        >
          Copy
        </Button>
      </div>
      <p>{what}</p>
      <pre>
        <code>{text}</code>
      </pre>
    </div>
  );
}
