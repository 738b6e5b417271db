/** Ways to share the release: link, QR code, badge for a readme, button for a web page. */
import { releasePath, sharedFirmwarePaths } from '@wirebench/contract';
import { Copy } from 'lucide-react';
import { linkEndText } from '../../shared/dates/link-end.ts';
import { copyText } from '../../shared/files/copy-text.ts';
import { Button } from '../../shared/ui/button.tsx';
import { QrCode } from '../../shared/ui/qr-code.tsx';
import type { Release } from './load-release.ts';
import styles from './share-section.module.css';
import { badgeMarkdown, installButton } from './snippets.ts';

export interface ShareSectionProps {
  readonly release: Release;
  /** True: ESP Web Tools supports the chips of this family. */
  readonly installable: boolean;
}

export function ShareSection({ release, installable }: ShareSectionProps) {
  const { type, project, shareId, shareEndsAt, apiUrl } = release;
  const link = `${location.origin}${releasePath(type, shareId)}`;
  const api = apiUrl || location.origin;
  const badge = `${api}${sharedFirmwarePaths.badge(type, shareId)}`;
  const manifest = `${api}${sharedFirmwarePaths.manifest(type, shareId)}`;
  const hasInstaller = installable && !project.demo && release.versions.length > 0;
  return (
    <section className={styles['share']} aria-labelledby="share">
      <h2 id="share">Share it</h2>
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
          {hasInstaller ? (
            <Snippet
              name="Button for your page"
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
          ) : null}
        </div>
        <figure className={`small ${styles['code']}`}>
          <QrCode text={link} label="QR code of the link to this page" />
          <figcaption>Scan to open this page on another computer</figcaption>
        </figure>
      </div>
    </section>
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
