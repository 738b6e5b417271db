/** Ways to hand on the release: link, QR code, badge for a readme, buttons for a web page, manifest. */
import { releasePath } from '@wirebench/boards';
import { sharedFirmwarePaths } from '@wirebench/contract';
import { phoneKind } from '@wirebench/port/browser-support';
import { linkEndText } from '../../shared/dates/link-end.ts';
import { CopyBlock } from '../../shared/ui/copy-block.tsx';
import { QrCode } from '../../shared/ui/qr-code.tsx';
import styles from './publish-ways.module.css';
import type { ServerRelease } from './release.ts';

export interface PublishWaysProps {
  readonly release: Pick<ServerRelease, 'type' | 'shareId' | 'shareEndsAt' | 'apiUrl'> & {
    readonly project: { readonly name: string; readonly demo: boolean };
    readonly versions: readonly unknown[];
    /** True: the link of the beta channel is offered too. */
    readonly hasBeta?: boolean;
  };
  /** True: ESP Web Tools supports a chip of the release. */
  readonly installable: boolean;
}

/** Texts that users paste into their readmes and pages. */

/** Returns a badge that links to the release. Escapes characters that end a label or an address in Markdown. */
export function badgeMarkdown(name: string, badge: string, link: string): string {
  const label = name.replace(/[\\[\]]/g, '\\$&');
  return `[![${label}](${badge})](${link})`;
}

/**
 * Returns the element that flashes the release from any page, with its script.
 *
 * @param origin Server of the script, such as `https://wirebench.example`.
 * @param link Address of the release's page.
 */
export function flashElement(origin: string, link: string): string {
  return [
    `<script type="module" src="${attributeText(`${origin}/flash-button.js`)}"></script>`,
    `<wirebench-flash release="${attributeText(link)}"></wirebench-flash>`,
  ].join('\n');
}

/**
 * Returns the element of ESP Web Tools (https://esphome.github.io/esp-web-tools/, "Using ESP Web Tools on your
 * website").
 */
export function installButton(manifest: string): string {
  return `<esp-web-install-button manifest="${attributeText(manifest)}"></esp-web-install-button>`;
}

const attributeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

export function PublishWays({ release, installable }: PublishWaysProps) {
  const { type, project, shareId, shareEndsAt, apiUrl, hasBeta = false } = release;
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
        <CopyBlock name="Link" what={`Opens the release page. ${linkEndText(shareEndsAt, Date.now())}`} text={link} />
        {hasBeta ? (
          <CopyBlock
            name="Beta link"
            what="Leads to the newest version, also to a beta. The link above follows stable versions."
            text={`${link}&channel=beta`}
          />
        ) : null}
        <CopyBlock
          name="Badge"
          what="For a readme, in Markdown. It shows the newest version that the link opens."
          text={badgeMarkdown(project.name, badge, link)}
        >
          <img src={badge} alt={`Badge of ${project.name}`} height={20} />
        </CopyBlock>
        {isFlashable ? (
          <CopyBlock
            name="Flash button for your page"
            what="Flashes this release from any page over https: it picks the build for the board and verifies what it wrote."
            text={flashElement(location.origin, link)}
          />
        ) : null}
        {hasManifest ? (
          <>
            <CopyBlock
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
            <CopyBlock
              name="Manifest"
              what="For other installers: the builds of the newest version, with the addresses of their files."
              text={manifest}
            />
          </>
        ) : null}
      </div>
      {phoneKind() !== null ? null : (
        <figure className={`small ${styles['code']}`}>
          <QrCode text={link} label="QR code of the link" />
          <figcaption>Scan to open it elsewhere</figcaption>
        </figure>
      )}
    </div>
  );
}
