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
